// The part of Splitter that is about Content-Length: headers, and bodies whose length they have.
#include <algorithm>
#include <charconv>

#include "wire/json/ascii.h"
#include "wire/splitter.h"

namespace midwire::wire {

// The size of a header block that lies whole in `rest` and has one length in the usual spelling, as
// nearly all do; 0: it is read line by line.
size_t Splitter::UsualHeader(std::string_view rest) {
  constexpr std::string_view kName = "Content-Length: ", kEnd = "\r\n\r\n";
  if (!headers() || !pending_.empty() || !rest.starts_with(kName)) return 0;
  uint64_t length = 0;
  const auto digits =
      std::from_chars(rest.data() + kName.size(), rest.data() + rest.size(), length);
  if (digits.ec != std::errc() || rest[kName.size()] == '0' || length > kMaxBody) return 0;
  const size_t size = static_cast<size_t>(digits.ptr - rest.data()) + kEnd.size();
  const std::string_view head = rest.substr(0, size);
  if (head.size() != size || !head.ends_with(kEnd)) return 0;
  handler_->OnPart(Part::kHead, head);
  StartLengthBody(length);
  return size;
}

// The line that has just ended holds a length header at `at`: what precedes it is junk.
void Splitter::Resynchronise(size_t at, bool lf_only) {
  Junk(line_start_ + at, JunkReason::kText);
  std::string_view line = pending_;
  line.remove_suffix(lf_only ? 1 : 2);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
    oddities_ |= kDoubledCr;
  }
  header_.Add(line, lf_only);
  oddities_ |= kResynchronised;
  line_start_ = pending_.size();
}

void Splitter::EndHeaderBlock() {
  if (!header_.usable()) return Junk(pending_.size(), PendingReason());
  oddities_ |= header_.oddities();
  Resolve(Part::kHead, pending_.size());
  StartLengthBody(header_.length());
  header_.Start();
  if (remaining_ > 0) return;
  oddities_ |= kEmptyBody;
  EndFrame(Framing::kContentLength);
}

void Splitter::StartLengthBody(uint64_t length) {
  remaining_ = length;
  learnt_ = Framing::kContentLength;
  state_ = State::kLengthBody;
  last_ = '\0';
  scanner_.Start(/*line=*/false);
}

size_t Splitter::LengthBody(std::string_view rest) {
  if (!pending_.empty()) return CountedHeader(rest);
  rest = rest.substr(0, static_cast<size_t>(std::min<uint64_t>(remaining_, rest.size())));
  const size_t size = StartOfHeader(rest);
  if (size > 0) {
    handler_->OnPart(Part::kBody, rest.substr(0, size));
    // Nothing of it was read, or a NUL, after which the scanner is not fresh.
    const bool first = last_ == '\0';
    Body(rest.substr(0, size), first && size == remaining_);
    remaining_ -= size;
  }
  const std::string_view header = rest.substr(size);
  if (header.size() == remaining_) {
    if (remaining_ > 0) oddities_ |= kLongLength;  // read on there
    EndFrame(Framing::kContentLength);
    return size;
  }
  if (!header.empty()) Undecided(header);
  remaining_ -= header.size();
  return rest.size();
}

// What a body says, however it is cut. whole: `bytes` are all of it, if the scanner is fresh.
void Splitter::Body(std::string_view bytes, bool whole) {
  last_ = bytes.back();
  if (detail_ == Detail::kBoundaries) return;
  size_t used = whole ? WholeObject(bytes) : 0;
  if (used == 0 && !scanner_.done()) used = scanner_.Feed(bytes);
  if (used == bytes.size()) return;
  const bool blank = bytes.find_first_not_of(" \t\r\n", used) == bytes.npos;
  oddities_ |= blank ? kBlanksAround : kTrailingBytes;
}

// Where the last bytes of a body look like the start of the next header after the end of a JSON
// text. The length is too long by at most a header's name. rest.size(): nowhere.
size_t Splitter::StartOfHeader(std::string_view rest) const {
  const uint64_t most = kLengthHeader.size();
  for (uint64_t at = remaining_ > most ? remaining_ - most : 0; at < rest.size(); ++at) {
    const char before = at > 0 ? rest[at - 1] : last_;
    if ((before != '}' && before != ']') || (rest[at] | 0x20) != 'c') continue;
    if (FindLengthHeader(std::string(rest.substr(at)) + std::string(kLengthHeader.substr(std::min(
                                                            most, rest.size() - at)))) == 0) {
      return at;
    }
  }
  return rest.size();
}

// pending_: what looks like the start of a header so far.
size_t Splitter::CountedHeader(std::string_view rest) {
  const char c = rest.front();
  const char wanted = kLengthHeader[pending_.size()];
  if (ToLower(c) == wanted) {
    Undecided(rest.substr(0, 1));
    if (--remaining_ > 0) return 1;
    oddities_ |= kLongLength;
    EndFrame(Framing::kContentLength);
    text_ = true;
    return 1;
  }
  Body(pending_);  // it was the body's
  Resolve(Part::kBody, pending_.size());
  return 0;
}

}  // namespace midwire::wire
