// What all framings share, and frames that are lines. splitter_length.cc has the rest of Splitter.
#include "wire/splitter.h"

#include <cstring>
#include <utility>

#include "wire/json/scan.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"
#include "wire/message_shapes.h"

namespace midwire::wire {
namespace {

constexpr std::string_view kBom = "\xef\xbb\xbf";

// How a message of JSON-RPC usually begins.
constexpr std::string_view kVersionFirst = "{\"jsonrpc\"";

constexpr bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The blanks at the start, at most `most`.
std::string_view Blanks(std::string_view text, size_t most) {
  text = text.substr(0, most);
  return text.substr(0, text.find_first_not_of(" \t\r"));
}

// Blanks, after at most one byte order mark (RFC 8259, 8.1, lets a receiver ignore it).
bool IsLead(std::string_view text, char next) {
  if (text.size() < kBom.size() && next == kBom[text.size()] && kBom.starts_with(text)) return true;
  if (!IsBlank(next)) return false;
  if (text.starts_with(kBom[0]) && !text.starts_with(kBom)) return false;
  return true;
}

}  // namespace

Splitter::Splitter(Framing framing, Detail detail) : forced_(framing), detail_(detail) {
  if (detail == Detail::kTokens) shapes_ = std::make_unique<MessageShapes>();
}
Splitter::~Splitter() = default;

void Splitter::Feed(std::string_view chunk, SplitHandler* handler) {
  handler_ = handler;
  while (!chunk.empty()) {
    size_t used = 0;
    switch (state_) {
      case State::kSeek:
        used = Seek(chunk);
        break;
      case State::kLineBody:
        used = LineBody(chunk);
        break;
      case State::kLineAfter:
        used = LineAfter(chunk);
        break;
      case State::kLengthBody:
        used = LengthBody(chunk);
        break;
    }
    chunk.remove_prefix(used);
  }
}

size_t Splitter::Seek(std::string_view rest) {
  if (middle_ || text_) return SeekLine(rest);
  if (detail_ == Detail::kBoundaries) {
    if (const size_t used = WholeLine(rest)) return used;
  }
  if (rest.front() == '{' && pending_.empty() && lines()) {  // nearly every line frame
    StartLineFrame();
    return LineBody(rest);
  }
  if (rest.front() == 'C') {
    if (const size_t used = UsualHeader(rest)) return used;
  }
  return SeekFirst(rest);
}

// The size of a line frame that lies whole in `rest` and clearly holds one object; 0: not clear.
size_t Splitter::WholeLine(std::string_view rest) {
  if (!lines() || !pending_.empty() || rest.front() != '{') return 0;
  const void* const newline = std::memchr(rest.data(), '\n', rest.size());
  if (!newline) return 0;
  const char* const end = static_cast<const char*>(newline);
  if (FindLooseClose(rest.data(), end) != end - 1) return 0;
  const size_t size = end - rest.data();
  if (forced_ == Framing::kAuto) learnt_ = Framing::kLine;
  handler_->OnPart(Part::kBody, rest.substr(0, size));
  handler_->OnPart(Part::kTail, rest.substr(size, 1));
  scanner_.Start(/*line=*/true);
  EndFrame(Framing::kLine);
  return size + 1;
}

// So far the line holds nothing, blanks, or a '[' with blanks: one more byte may decide. Returns 0
// if the byte is to be processed again in the new state.
size_t Splitter::SeekFirst(std::string_view rest) {
  const char c = rest.front();
  const std::string_view line = std::string_view(pending_).substr(line_start_);
  const bool bracket = lines() && line.ends_with('[');
  const bool opens = lines() && (c == '{' || c == '[');
  if (opens && !bracket && line_start_ > 0) Junk(line_start_, PendingReason());  // it was no header

  if (opens ? c == '{' || bracket : bracket && c == ']') {
    StartLineFrame();
    return 0;
  }
  const bool undecided = opens || (bracket ? IsBlank(c) : header_.empty() && IsLead(line, c));
  if (!undecided) {
    text_ = true;
    return 0;
  }
  if (bracket) return text_ = true, 0;  // "[ {" is rare: decided at the end of the line
  const bool blank = IsBlank(c);
  const std::string_view taken =
      blank ? Blanks(rest, kMaxUndecided - pending_.size()) : rest.substr(0, 1);
  Undecided(taken);
  if (pending_.size() >= kMaxUndecided) Overflow();
  return taken.size();
}

// Takes the rest of the line, or as much of it as may be held.
size_t Splitter::SeekLine(std::string_view rest) {
  rest = rest.substr(0, kMaxUndecided - pending_.size());
  const void* const newline = std::memchr(rest.data(), '\n', rest.size());
  if (newline) rest = rest.substr(0, static_cast<const char*>(newline) - rest.data() + 1);
  Undecided(rest);
  if (newline) {
    EndLine();
  } else if (pending_.size() >= kMaxUndecided) {
    Overflow();
  }
  return rest.size();
}

// pending_ ends with a newline.
void Splitter::EndLine() {
  std::string_view line = std::string_view(pending_).substr(line_start_);
  line.remove_suffix(1);
  const bool lf_only = !line.ends_with('\r');
  if (!lf_only) line.remove_suffix(1);
  // A peer on Windows whose stdout is in text mode: it writes CR LF, and CR CR LF comes out.
  const bool doubled = line.ends_with('\r') && (!header_.empty() || FindLengthHeader(line) == 0);
  if (doubled) line.remove_suffix(1);

  if (!middle_ && line.empty() && !header_.empty()) {
    if (lf_only) oddities_ |= kLfOnly;
    if (doubled) oddities_ |= kDoubledCr;
    return EndHeaderBlock();
  }
  if (EndMessageLine()) return;
  if (headers()) {
    const bool in_block = header_.has_content();
    const HeaderLine kind = middle_ ? HeaderLine::kNone : header_.Add(line, lf_only);
    bool keep = kind == HeaderLine::kContent;
    if (!keep) {
      const size_t found = in_block ? line.npos : FindLengthHeader(line);
      if (found != line.npos) return Resynchronise(found, lf_only);
      keep = kind == HeaderLine::kOther && (in_block || !lf_only);
    }
    if (keep) {
      if (doubled) oddities_ |= kDoubledCr;
      line_start_ = pending_.size();
      text_ = false;
      return;
    }
  }
  if (!EndArrayLine()) Junk(pending_.size(), PendingReason());
}

// A line that starts with '[' is a message only if all of it is JSON: "[INFO] ready" is not.
bool Splitter::EndArrayLine() {
  const std::string_view line = pending_;
  const size_t from = line.find_first_not_of(" \t\r\n"), last = line.find_last_not_of(" \t\r\n");
  if (!lines() || middle_ || line_start_ > 0 || from == line.npos || line[from] != '[')
    return false;
  if (line[last] != ']' || !IsJson(line.substr(from))) return false;
  scanner_.Start(/*line=*/true);
  scanner_.Feed(line.substr(from, last + 1 - from));
  EndWholeLine(from, last + 1);
  return true;
}

// In a stream that has had a content-length frame, or should have one: other programs print JSON
// too, but a message of JSON-RPC is one whichever framing it has. Before the first frame one
// without a version is a message as well: all of the stream may be lines.
bool Splitter::EndMessageLine() {
  if (forced_ != Framing::kAuto || lines() || middle_ || line_start_ > 0) return false;
  const std::string_view line = pending_;
  const size_t from = line.find_first_not_of(" \t\r\n"), last = line.find_last_not_of(" \t\r\n");
  if (from == line.npos || line[from] != '{' || line[last] != '}') return false;
  const std::string_view text = line.substr(from, last + 1 - from);
  scanner_.Start(/*line=*/true);
  if (scanner_.Feed(text) != text.size() || !scanner_.done() || !IsLooseJson(text)) return false;
  // The scan is finished twice: EndFrame does it again, with the same outcome.
  MessageScanner scanned = scanner_;
  const Message& message = scanned.Finish();
  if (message.kind == Kind::kInvalid) return false;
  if ((message.flags & kNoVersion) && learnt_ != Framing::kAuto) return false;
  if (learnt_ == Framing::kContentLength) oddities_ |= kOtherFraming;
  EndWholeLine(from, last + 1);
  return true;
}

// pending_ is a line frame, whose text is scanned and goes from `from` to `to`.
void Splitter::EndWholeLine(size_t from, size_t to) {
  if (forced_ == Framing::kAuto) learnt_ = Framing::kLine;
  const std::string_view tail = std::string_view(pending_).substr(to);
  if (from > 0) oddities_ |= kBlanksAround;
  NoteTail(tail);
  const size_t tail_size = tail.size();
  Resolve(Part::kHead, from);
  Resolve(Part::kBody, to - from);
  Resolve(Part::kTail, tail_size);
  EndFrame(Framing::kLine);
}

// pending_ is full without a line end. All but the possible start of a length header is junk, or it
// is a message that is too long for EndMessageLine.
void Splitter::Overflow() {
  if (forced_ == Framing::kAuto && !lines() && !middle_ && line_start_ == 0 &&
      pending_.starts_with(kVersionFirst)) {
    scanner_.Start(/*line=*/true);
    scanner_.Feed(pending_);
    if (!scanner_.done()) {
      if (learnt_ == Framing::kContentLength) oddities_ |= kOtherFraming;
      learnt_ = Framing::kLine;
      state_ = State::kLineBody;
      return Resolve(Part::kBody, pending_.size());
    }
  }
  const size_t found = headers() ? FindLengthHeader(pending_) : std::string::npos;
  const size_t spare = headers() ? kLengthHeader.size() - 1 : 0;
  Junk(found != std::string::npos && found > 0 ? found : pending_.size() - spare, PendingReason());
  middle_ = true;
}

void Splitter::StartLineFrame() {
  if (pending_.empty()) {
    if (forced_ == Framing::kAuto) learnt_ = Framing::kLine;
    state_ = State::kLineBody;
    return scanner_.Start(/*line=*/true);
  }
  const std::string_view lead = std::string_view(pending_).substr(0, pending_.find('['));
  if (lead.starts_with(kBom)) oddities_ |= kByteOrderMark;
  if (lead.size() > (lead.starts_with(kBom) ? kBom.size() : 0)) oddities_ |= kBlanksAround;
  if (forced_ == Framing::kAuto) learnt_ = Framing::kLine;
  state_ = State::kLineBody;
  scanner_.Start(/*line=*/true);
  scanner_.Feed(std::string_view(pending_).substr(lead.size()));
  Resolve(Part::kHead, lead.size());
  Resolve(Part::kBody, pending_.size());
}

// The size of the object that is all of the frame's text, if it begins and ends in `bytes`; 0:
// Feed.
size_t Splitter::WholeObject(std::string_view bytes) {
  if (detail_ != Detail::kTokens || !scanner_.fresh()) return 0;
  const size_t used = scanner_.ReadWhole(bytes, shapes_.get());
  tokens_known_ = used > 0;
  return used;
}

size_t Splitter::LineBody(std::string_view rest) {
  size_t used = 0;
  if (detail_ == Detail::kTokens) {
    const void* const newline = std::memchr(rest.data(), '\n', rest.size());
    if (newline) used = WholeObject({rest.data(), static_cast<const char*>(newline)});
  }
  if (used == 0) used = scanner_.Feed(rest);
  if (used > 0) handler_->OnPart(Part::kBody, rest.substr(0, used));
  if (!scanner_.done() && !scanner_.stopped()) return used;
  state_ = State::kLineAfter;
  if (used == rest.size()) return used;
  return used + LineAfter(rest.substr(used));
}

size_t Splitter::LineAfter(std::string_view rest) {
  const char c = rest.front();
  if (IsBlank(c)) {
    const std::string_view blanks = Blanks(rest, kMaxUndecided - pending_.size());
    Undecided(blanks);
    if (pending_.size() < kMaxUndecided) return blanks.size();
    oddities_ |= kBlanksAround;
    Resolve(Part::kTail, pending_.size());
    return blanks.size();
  }
  const bool newline = c == '\n';
  if (newline) NoteTail(pending_);
  if (!pending_.empty()) {
    if (newline && pending_.ends_with('\r')) oddities_ |= kCrLf;
    Resolve(Part::kTail, pending_.size());
  }
  if (newline) {
    handler_->OnPart(Part::kTail, rest.substr(0, 1));
    EndFrame(Framing::kLine);
    return 1;
  }
  const bool shared = c == '{' || c == '[';
  oddities_ |= shared ? kSharedLine : kTrailingBytes;
  EndFrame(Framing::kLine);
  if (shared) {
    oddities_ = kSharedLine;
  } else {
    middle_ = true;
  }
  return 0;
}

// Blanks between a JSON text and the end of its line.
void Splitter::NoteTail(std::string_view tail) {
  if (tail.ends_with("\r\n")) oddities_ |= kCrLf;
  const size_t newline = tail.ends_with("\r\n") ? 2 : tail.ends_with('\n') || tail.ends_with('\r');
  if (tail.size() > newline) oddities_ |= kBlanksAround;
}

void Splitter::Finish(SplitHandler* handler) {
  handler_ = handler;
  switch (state_) {
    case State::kSeek:
      if (pending_.empty()) break;
      oddities_ |= kUnterminated;
      if (EndArrayLine() || EndMessageLine()) break;
      Junk(pending_.size(), header_.has_content() ? JunkReason::kTruncated : PendingReason());
      break;
    case State::kLineAfter:
      oddities_ |= kUnterminated;
      NoteTail(pending_);
      Resolve(Part::kTail, pending_.size());
      EndFrame(Framing::kLine);
      break;
    case State::kLineBody:
    case State::kLengthBody:
      Resolve(Part::kJunk, pending_.size());
      handler_->OnJunkEnd(JunkReason::kTruncated);
      break;
  }
  state_ = State::kSeek;
  oddities_ = 0;
  tokens_known_ = false;
  line_start_ = 0;
  text_ = middle_ = false;
  header_.Start();
}

void Splitter::Undecided(std::string_view bytes) {
  pending_.append(bytes);
  handler_->OnPart(Part::kUndecided, bytes);
}

void Splitter::Resolve(Part part, size_t count) {
  if (count == 0) return;
  pending_.erase(0, count);
  handler_->OnResolve(part, count);
}

// The oldest `count` pending bytes are junk. What remains, if anything, is a separate line.
void Splitter::Junk(size_t count, JunkReason reason) {
  Resolve(Part::kJunk, count);
  line_start_ = 0;
  oddities_ = 0;
  text_ = middle_ = false;
  header_.Start();
  if (count > 0) handler_->OnJunkEnd(reason);
}

JunkReason Splitter::PendingReason() const {
  if (header_.has_content()) return JunkReason::kBadHeader;
  if (pending_.find_first_not_of(" \t\r\n") != pending_.npos) return JunkReason::kText;
  // After a body whose length did not count its line end, many readers fail: they read a header
  // block that is empty.
  return lines() ? JunkReason::kBlank : JunkReason::kStrayBlank;
}

void Splitter::EndFrame(Framing framing) {
  // Blanks between a JSON text and other bytes in a body are not worth a note of their own.
  if (framing == Framing::kContentLength && (oddities_ & kTrailingBytes)) {
    oddities_ &= ~Oddities{kBlanksAround};
  }
  const JsonTokens* const tokens =
      std::exchange(tokens_known_, false) ? &shapes_->latest() : nullptr;
  handler_->OnFrameEnd({framing, oddities_, tokens}, scanner_.Finish());
  state_ = State::kSeek;
  oddities_ = 0;
  line_start_ = 0;
  text_ = middle_ = false;
}

}  // namespace midwire::wire
