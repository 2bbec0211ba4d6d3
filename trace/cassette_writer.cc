#include "trace/cassette_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "trace/cassette_format.h"
#include "wire/json/base64.h"
#include "wire/json/value.h"

namespace midwire::trace {
namespace {

using namespace cassette;
using wire::Direction;
using wire::Framing;

constexpr std::string_view NameOf(Hint hint) { return hint == Hint::kJson ? "json" : "text"; }

// May stand in a line as it is, and comes out of the line as it was: the exact span of a JSON value
// has no blanks around, and a line has no line ends.
bool StandsAsItIs(std::string_view json) {
  if (json.empty() || json.find_first_of("\r\n") != json.npos) return false;
  auto blank = [](char c) { return c == ' ' || c == '\t'; };
  return !blank(json.front()) && !blank(json.back()) && wire::IsJson(json);
}

// An event is an object; one that looks like bytes in base64 must not be taken for that.
bool IsPlainObject(std::string_view json) {
  std::vector<wire::RawMember> members;
  return StandsAsItIs(json) && wire::RawMembers(json, &members) &&
         !(members.size() == 1 && members[0].name == "base64");
}

}  // namespace

CassetteWriter::CassetteWriter(Sink* sink, bool times)
    : sink_(sink), times_(times), session_(this, /*keep_bytes=*/0) {}

Status CassetteWriter::OnRecord(const Record& record) {
  time_ns_ = record.time_ns;
  if (!header_written_) {
    bool is_header = TakesHeader(record);
    WriteHeader(&record);
    if (is_header) return status_;
  }
  switch (record.stream) {
    case Stream::kHostToPlugin:
      OnSegment(Direction::kHostToPlugin, record);
      break;
    case Stream::kPluginToHost:
      OnSegment(Direction::kPluginToHost, record);
      break;
    case Stream::kStderr:
    case Stream::kEvents:
      WriteOther(record);
      break;
  }
  return status_;
}

Status CassetteWriter::OnGap(const Damage& damage) {
  std::string json = ToJson(GapEvent{static_cast<int64_t>(damage.bytes), damage.reason});
  return OnRecord({.stream = Stream::kEvents, .time_ns = time_ns_, .body = json});
}

Status CassetteWriter::OnSection() {
  if (!header_written_) WriteHeader(nullptr);
  session_.OnSection();
  SpillAll();
  header_written_ = false;
  return status_;
}

Status CassetteWriter::OnEnd() {
  if (!header_written_) WriteHeader(nullptr);
  session_.OnEnd();
  SpillAll();
  return status_;
}

// What a cassette's header held beyond what this version knows travels through a tape as a first
// event {"event":"header",...}, and comes back to its place here.
bool CassetteWriter::TakesHeader(const Record& record) {
  constexpr std::string_view kStart = "{\"event\":\"header\",";
  std::vector<wire::RawMember> members;
  line_.clear();
  if (record.stream != Stream::kEvents || !record.head.empty() ||
      !record.body.starts_with(kStart) || !StandsAsItIs(record.body) ||
      !wire::RawMembers(record.body, &members)) {
    return false;
  }
  bool ours = false;
  for (size_t i = 1; i < members.size(); ++i) {
    ours = ours || IsHeaderName(members[i].name);
    line_ += ",\"";
    line_ += members[i].name;
    line_ += "\":";
    line_ += members[i].value;
  }
  // Only what the reader will make again to the byte.
  if (!ours && record.body.substr(kStart.size() - 1) == line_ + '}') return true;
  line_.clear();
  return false;
}

void CassetteWriter::WriteHeader(const Record* first) {
  std::string more = std::exchange(line_, std::string(kMagic));
  line_ += ",\"version\":" + std::to_string(kVersion);
  if (times_ && first != nullptr) {
    start_ns_ = first->time_ns;
    line_ += ",\"start\":\"" + FormatTime(start_ns_) + '"';
  }
  line_ += more + '}';
  EndLine();
  header_written_ = true;
}

void CassetteWriter::OnSegment(Direction direction, const Record& record) {
  Side& to = side(direction);
  // With times, lines stand in the order of records: what another stream interrupts goes out first.
  if (times_) Spill(wire::Opposite(direction));
  to.pending.append(record.head).append(record.body);
  if (times_) {
    to.pieces.push_back({record.time_ns, record.head.size() + record.body.size(),
                         record.head.size(), record.hint, true});
  }
  session_.OnRecord(record);
  if (to.pending.size() - to.begin >= kMaxPending || to.pieces.size() >= kMaxPieces) {
    Spill(direction);
  }
  to.pending.erase(0, to.begin);
  to.begin = 0;
}

void CassetteWriter::WriteOther(const Record& record) {
  session_.OnRecord(record);  // the end of a stream, or a gap, ends what is pending there
  if (times_) SpillAll();
  line_.assign(1, '{');
  if (times_) {
    line_ += "\"at\":";
    size_t size = record.head.size() + record.body.size();
    AppendPiece({record.time_ns, size, record.head.size(), record.hint, true}, size, 0, record.hint,
                true);
    line_ += ',';
  }
  std::string bytes;
  std::string_view view = record.body;
  if (!record.head.empty()) view = bytes.append(record.head).append(record.body);
  if (record.stream == Stream::kStderr) {
    line_ += "\"stderr\":";
    AppendBytesJson(view, &line_);
  } else {
    line_ += "\"event\":";
    if (IsPlainObject(view)) {
      line_ += view;
    } else {
      AppendBytesJson(view, &line_);
    }
  }
  line_ += '}';
  EndLine();
}

void CassetteWriter::OnMessage(const SaidMessage& said) {
  const wire::Frame& frame = *said.frame;
  std::string_view rest;
  bool whole = false;
  if (!TakeRest(said.direction, frame.size, &rest, &whole)) return;
  if (!whole) return WriteRaw(said.direction, "part", rest, Hint::kJson);
  std::string_view head = rest.substr(0, frame.body_offset);
  std::string_view body = rest.substr(head.size(), frame.body_size);
  std::string_view tail = rest.substr(head.size() + body.size());
  Begin(said.direction, rest.size(), head.size(), Hint::kJson);
  if (frame.framing == Framing::kContentLength) line_ += ",\"framing\":\"content-length\"";
  if (head != UsualHead(frame.framing, body.size())) {
    line_ += ",\"head\":";
    AppendBytesJson(head, &line_);
  }
  if (StandsAsItIs(body)) {
    line_ += ",\"message\":";
    line_ += body;
  } else {
    line_ += ",\"body\":";
    AppendBytesJson(body, &line_);
  }
  if (tail != UsualTail(frame.framing)) {
    line_ += ",\"tail\":";
    AppendBytesJson(tail, &line_);
  }
  line_ += '}';
  EndLine();
}

void CassetteWriter::OnJunk(const SaidJunk& said) {
  std::string_view rest;
  bool whole = false;
  if (!TakeRest(said.direction, said.junk->size, &rest, &whole)) return;
  WriteRaw(said.direction, whole ? "junk" : "part", rest, whole ? Hint::kText : Hint::kJson);
}

bool CassetteWriter::TakeRest(Direction direction, uint64_t size, std::string_view* rest,
                              bool* whole) {
  Side& from = side(direction);
  *whole = from.spilled == 0;
  uint64_t already = std::min(size, from.spilled);
  from.spilled -= already;
  *rest = std::string_view(from.pending).substr(from.begin, size - already);
  from.begin += rest->size();
  return !rest->empty();
}

// Writes what is pending as a part, so that whatever follows may be written.
void CassetteWriter::Spill(Direction direction) {
  Side& from = side(direction);
  std::string_view rest = std::string_view(from.pending).substr(from.begin);
  from.begin = from.pending.size();
  from.spilled += rest.size();
  if (!rest.empty()) WriteRaw(direction, "part", rest, Hint::kJson);
  if (!from.pieces.empty()) WriteRaw(direction, "part", "", Hint::kJson);  // empty segments
}

void CassetteWriter::SpillAll() {
  Spill(Direction::kHostToPlugin);
  Spill(Direction::kPluginToHost);
}

void CassetteWriter::WriteRaw(Direction direction, std::string_view key, std::string_view bytes,
                              Hint usual) {
  Begin(direction, bytes.size(), 0, usual);
  line_ += ",\"";
  line_ += key;
  line_ += "\":";
  AppendBytesJson(bytes, &line_);
  line_ += '}';
  EndLine();
}

void CassetteWriter::Begin(Direction direction, size_t size, size_t head, Hint usual) {
  line_ = "{\"from\":\"";
  line_ += NameOfPeer(direction);
  line_ += '"';
  if (times_) AppendAt(&side(direction), size, head, usual);
}

// The pieces that make up the next `size` bytes; with none left to make up, the empty segments that
// came. `head` of the bytes are the frame's head.
void CassetteWriter::AppendAt(Side* from, size_t size, size_t head, Hint usual) {
  std::deque<Piece>& pieces = from->pieces;
  bool alone = !pieces.empty() && (size > 0 ? pieces[0].size >= size : pieces.size() == 1);
  line_ += alone ? ",\"at\":" : ",\"at\":[";
  size_t taken = 0;
  while (!pieces.empty() && (taken < size || (size == 0 && pieces[0].size == 0))) {
    Piece& piece = pieces.front();
    size_t take = std::min(piece.size, size - taken);
    if (line_.back() == ']') line_ += ',';
    AppendPiece(piece, take, std::min(take, head - std::min(head, taken)), usual, alone);
    taken += take;
    if (take == piece.size) {
      pieces.pop_front();
    } else {
      piece.size -= take;
      piece.first = false;
    }
    if (alone) return;
  }
  line_ += ']';
}

void CassetteWriter::AppendPiece(const Piece& piece, size_t size, size_t head, Hint usual,
                                 bool alone) {
  bool more = size < piece.size;
  std::string odd;
  if (piece.first && piece.head != head) odd += ",\"head\":" + std::to_string(piece.head);
  if (piece.first && piece.hint != usual)
    odd += ",\"hint\":\"" + std::string(NameOf(piece.hint)) + '"';
  if (more) odd += ",\"more\":true";
  if (alone && odd.empty()) {
    line_ += Relative(piece.time_ns);
    return;
  }
  if (alone) line_ += '[';
  line_ += '[' + Relative(piece.time_ns) + ',' + std::to_string(size);
  if (!odd.empty()) line_ += ",{" + odd.substr(1) + '}';
  line_ += ']';
  if (alone) line_ += ']';
}

std::string CassetteWriter::Relative(int64_t time_ns) const {
  return std::to_string(
      static_cast<int64_t>(static_cast<uint64_t>(time_ns) - static_cast<uint64_t>(start_ns_)));
}

void CassetteWriter::EndLine() {
  line_ += '\n';
  if (status_) status_ = sink_->Write(line_);
  line_.clear();
}

}  // namespace midwire::trace
