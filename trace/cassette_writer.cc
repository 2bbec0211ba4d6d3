#include "trace/cassette_writer.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "trace/cassette_format.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::trace {
namespace {

using namespace cassette;
using wire::Direction;
using wire::Framing;

constexpr std::string_view NameOf(Hint hint) { return hint == Hint::kJson ? "json" : "text"; }

// Whether the reader returns `json` unchanged if it is written into a line as it is: a JSON value
// has no surrounding blanks, and a line no line ends.
bool StandsAsItIs(std::string_view json) {
  if (json.empty() || json.find_first_of("\r\n") != json.npos) return false;
  auto blank = [](char c) { return c == ' ' || c == '\t'; };
  return !blank(json.front()) && !blank(json.back()) && wire::IsJson(json);
}

// An event is an object; one that looks like bytes in base64 must not be mistaken for bytes.
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

// Members of a cassette's header that this version does not know travel through a tape as a first
// event {"event":"header",...}, and return to the header here.
bool CassetteWriter::TakesHeader(const Record& record) {
  constexpr std::string_view kStart = "{\"event\":\"header\",";
  std::vector<wire::RawMember> members;
  if (record.stream != Stream::kEvents || !record.head.empty() ||
      !record.body.starts_with(kStart) || !StandsAsItIs(record.body) ||
      !wire::RawMembers(record.body, &members)) {
    return false;
  }
  bool ours = false;
  std::string more;
  wire::JsonWriter json(&more);
  for (size_t i = 1; i < members.size(); ++i) {
    ours = ours || IsHeaderName(members[i].name);
    json.SpeltKey(members[i].name).Raw(members[i].value);
  }
  // Only what the reader reproduces to the byte.
  if (ours || record.body.substr(kStart.size()) != more + '}') return false;
  header_members_ = std::move(more);
  return true;
}

void CassetteWriter::WriteHeader(const Record* first) {
  json_.Open('{');
  json_.Key("midwire").Text("cassette");
  assert(line_ == kMagic);
  json_.Key("version").Number(kVersion);
  if (times_ && first != nullptr) {
    start_ns_ = first->time_ns;
    json_.Key("start").Text(FormatTime(start_ns_));
  }
  if (!header_members_.empty()) json_.Raw(std::exchange(header_members_, {}));
  EndLine();
  header_written_ = true;
}

void CassetteWriter::OnSegment(Direction direction, const Record& record) {
  Side& to = side(direction);
  // With times, lines are in the order of records: a frame that another stream interrupts is
  // written first, as a part.
  times_ ? Spill(wire::Opposite(direction)) : SpillWhatEndsAnItem(wire::Opposite(direction));
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
  SpillWhatEndsAnItem(Direction::kHostToPlugin);
  SpillWhatEndsAnItem(Direction::kPluginToHost);
  json_.Open('{');
  if (times_) {
    json_.Key("at");
    size_t size = record.head.size() + record.body.size();
    AppendPiece({record.time_ns, size, record.head.size(), record.hint, true}, size, 0, record.hint,
                true);
  }
  std::string bytes;
  std::string_view view = record.body;
  if (!record.head.empty()) view = bytes.append(record.head).append(record.body);
  if (record.stream == Stream::kStderr) {
    json_.Key("stderr").Bytes(view);
  } else if (IsPlainObject(view)) {
    json_.Key("event").Raw(view);
  } else {
    json_.Key("event").Bytes(view);
  }
  EndLine();
}

void CassetteWriter::OnMessage(const RecordedMessage& recorded) {
  const wire::Frame& frame = *recorded.frame;
  std::string_view rest;
  bool whole = false;
  const bool some = TakeRest(recorded.direction, frame.size, &rest, &whole);
  const bool counted = frame.framing == Framing::kContentLength && frame.oddities == 0;
  side(recorded.direction).ends_itself = counted || rest.ends_with('\n');
  if (!some) return;
  if (!whole) return WriteRaw(recorded.direction, "part", rest, Hint::kJson);
  std::string_view head = rest.substr(0, frame.body_offset);
  std::string_view body = rest.substr(head.size(), frame.body_size);
  std::string_view tail = rest.substr(head.size() + body.size());
  Begin(recorded.direction, rest.size(), head.size(), Hint::kJson);
  if (frame.framing == Framing::kContentLength) json_.Key("framing").Text(Name(frame.framing));
  if (head != UsualHead(frame.framing, body.size())) json_.Key("head").Bytes(head);
  if (StandsAsItIs(body)) {
    json_.Key("message").Raw(body);
  } else {
    json_.Key("body").Bytes(body);
  }
  if (tail != UsualTail(frame.framing)) json_.Key("tail").Bytes(tail);
  EndLine();
}

void CassetteWriter::OnJunk(const RecordedJunk& recorded) {
  std::string_view rest;
  bool whole = false;
  const bool some = TakeRest(recorded.direction, recorded.junk->size, &rest, &whole);
  side(recorded.direction).ends_itself = false;  // what follows a line may show that it is junk
  if (!some) return;
  WriteRaw(recorded.direction, whole ? "junk" : "part", rest, whole ? Hint::kText : Hint::kJson);
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

// Writes what is pending as a part, so that something else can follow.
void CassetteWriter::Spill(Direction direction) {
  Side& from = side(direction);
  std::string_view rest = std::string_view(from.pending).substr(from.begin);
  from.begin = from.pending.size();
  from.spilled += rest.size();
  if (!rest.empty()) WriteRaw(direction, "part", rest, Hint::kJson);
  if (!from.pieces.empty()) WriteRaw(direction, "part", "", Hint::kJson);  // empty segments
}

// Otherwise a reader would learn only later that the item has ended, and put it behind what
// follows.
void CassetteWriter::SpillWhatEndsAnItem(Direction direction) {
  if (!side(direction).ends_itself) Spill(direction);
}

void CassetteWriter::SpillAll() {
  Spill(Direction::kHostToPlugin);
  Spill(Direction::kPluginToHost);
}

void CassetteWriter::WriteRaw(Direction direction, std::string_view key, std::string_view bytes,
                              Hint usual) {
  Begin(direction, bytes.size(), 0, usual);
  json_.Key(key).Bytes(bytes);
  EndLine();
}

void CassetteWriter::Begin(Direction direction, size_t size, size_t head, Hint usual) {
  json_.Open('{');
  json_.Key("from").Text(NameOfPeer(direction));
  if (times_) AppendAt(&side(direction), size, head, usual);
}

// The pieces that make up the next `size` bytes; if none are left, the empty segments that came.
// `head` of the bytes are the frame's head.
void CassetteWriter::AppendAt(Side* from, size_t size, size_t head, Hint usual) {
  std::deque<Piece>& pieces = from->pieces;
  bool alone = !pieces.empty() && (size > 0 ? pieces[0].size >= size : pieces.size() == 1);
  json_.Key("at");
  if (!alone) json_.Open('[');
  size_t taken = 0;
  while (!pieces.empty() && (taken < size || (size == 0 && pieces[0].size == 0))) {
    Piece& piece = pieces.front();
    size_t take = std::min(piece.size, size - taken);
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
  json_.Close(']');
}

void CassetteWriter::AppendPiece(const Piece& piece, size_t size, size_t head, Hint usual,
                                 bool alone) {
  const bool odd_head = piece.first && piece.head != head;
  const bool odd_hint = piece.first && piece.hint != usual;
  const bool more = size < piece.size;
  const bool odd = odd_head || odd_hint || more;
  if (alone && !odd) return json_.Number(Relative(piece.time_ns));
  if (alone) json_.Open('[');
  json_.Open('[');
  json_.Number(Relative(piece.time_ns));
  json_.Number(size);
  if (odd) {
    json_.Open('{');
    if (odd_head) json_.Key("head").Number(piece.head);
    if (odd_hint) json_.Key("hint").Text(NameOf(piece.hint));
    if (more) json_.Key("more").Bool(true);
    json_.Close('}');
  }
  json_.Close(']');
  if (alone) json_.Close(']');
}

int64_t CassetteWriter::Relative(int64_t time_ns) const {
  return static_cast<int64_t>(static_cast<uint64_t>(time_ns) - static_cast<uint64_t>(start_ns_));
}

void CassetteWriter::EndLine() {
  json_.Close('}');
  line_ += '\n';
  if (status_) status_ = sink_->Write(line_);
  line_.clear();
  json_ = wire::JsonWriter(&line_);
}

}  // namespace midwire::trace
