#include "fuzz/input.h"

#include <algorithm>
#include <charconv>

#include "wire/decoder.h"
#include "wire/json/ascii.h"

namespace midwire::fuzz {
namespace {

class Splitter : public wire::FrameHandler {
 public:
  Splitter(Input* input, size_t max_parts) : input_(input), max_parts_(max_parts) {}

  void OnFrame(const wire::Frame& frame, const wire::Message&) override {
    Add(frame.bytes, frame.head().size(), frame.tail().size(), frame.framing);
  }
  void OnJunk(const wire::Junk& junk) override { Add(junk.bytes, 0, 0, wire::Framing::kAuto); }
  void AddFrame(std::string_view bytes, size_t head) {
    Add(bytes, head, 0, wire::Framing::kContentLength);
  }
  void Finish() { input_->parts.resize(count_); }

 private:
  // What exceeds the limit is appended to the last part.
  void Add(std::string_view bytes, size_t head, size_t tail, wire::Framing framing) {
    if (count_ == max_parts_) {
      Part& last = input_->parts[count_ - 1];
      return last.SetBytes(std::move(last.bytes) + std::string(bytes));
    }
    if (count_ == input_->parts.size()) input_->parts.emplace_back();
    Part& part = input_->parts[count_++];
    part.bytes.assign(bytes);
    part.head = head;
    part.tail = tail;
    part.framing = framing;
  }
  Input* input_;
  size_t count_ = 0;  // of the parts that are filled
  size_t max_parts_;
};

// The sizes of the head and of all of a frame at the start of `bytes`. The frame is whole and in
// its usual form, so that the decoder would cut it in the same place. {0, 0}: the decoder is
// needed.
std::pair<size_t, size_t> UsualFrame(std::string_view bytes) {
  constexpr std::string_view kName = "Content-Length: ", kEnd = "\r\n\r\n";
  if (!bytes.starts_with(kName)) return {0, 0};
  size_t length = 0;
  const auto digits =
      std::from_chars(bytes.data() + kName.size(), bytes.data() + bytes.size(), length);
  const size_t before = static_cast<size_t>(digits.ptr - bytes.data());
  if (digits.ec != std::errc() || length == 0 || bytes[kName.size()] == '0') return {0, 0};
  if (!bytes.substr(before).starts_with(kEnd)) return {0, 0};
  const size_t head = before + kEnd.size();
  if (length > bytes.size() - head) return {0, 0};
  // The decoder looks for a header that a length which is too long has counted.
  const std::string_view body = bytes.substr(head, length);
  for (size_t at = body.size() > kName.size() ? body.size() - kName.size() : 1; at < body.size();
       ++at) {
    const char end = body[at - 1];
    if ((end == '}' || end == ']') && (body[at] | 0x20) == 'c') return {0, 0};
  }
  return {head, head + length};
}

void Parse(std::string_view bytes, wire::Framing framing, size_t max_parts, Input* input) {
  Splitter splitter(input, max_parts);
  // The decoder gets the last usual frame too: what follows depends on the framing that it shows.
  if (framing != wire::Framing::kLine) {
    std::pair<size_t, size_t> next = UsualFrame(bytes);
    while (next.second != 0) {
      const auto [head, size] = next;
      next = UsualFrame(bytes.substr(size));
      if (next.second == 0 && size != bytes.size()) break;
      splitter.AddFrame(bytes.substr(0, size), head);
      bytes.remove_prefix(size);
    }
    if (bytes.empty()) return splitter.Finish();
  }
  // An input has at most a few MiB (libFuzzer's -max_len). The limit is its size, as no frame is
  // longer than its input: so longer ones are not cut either.
  wire::Decoder decoder(framing, std::max(bytes.size(), wire::kMaxUndecided),
                        wire::Detail::kBoundaries);
  decoder.Feed(bytes, &splitter);
  decoder.Finish(&splitter);
  splitter.Finish();
}

using wire::IsDigit;

// Offset and number of the digits of the last length in a header block, which is the valid one if
// there are two. {0, 0}: there is none.
std::pair<size_t, size_t> LengthDigits(std::string_view head) {
  size_t end = head.size();
  while (end > 0) {
    const size_t newline = head.rfind('\n', end - 1);
    const size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    const std::string_view line = head.substr(start, end - start);
    constexpr std::string_view kName = "content-length";
    const bool named =
        line.size() > kName.size() && std::equal(kName.begin(), kName.end(), line.begin(),
                                                 [](char a, char b) { return a == (b | 0x20); });
    const size_t first = named ? line.find_first_of("0123456789") : std::string_view::npos;
    if (first != std::string_view::npos) {
      size_t last = first;
      while (last < line.size() && IsDigit(line[last])) ++last;
      return {start + first, last - first};
    }
    if (start == 0) break;
    end = start - 1;
  }
  return {0, 0};
}

}  // namespace

void Part::SetBody(std::string_view body) {
  std::string made = bytes.substr(0, head);
  if (framing == wire::Framing::kContentLength) {
    const auto [at, count] = LengthDigits(made);
    if (count != 0) made.replace(at, count, std::to_string(body.size()));
  }
  head = made.size();
  made += body;
  made.append(bytes, bytes.size() - tail, tail);
  bytes = std::move(made);
}

void Part::SetBytes(std::string all) { *this = {.bytes = std::move(all)}; }

void Part::SetFrame(std::string_view body, wire::Framing as) {
  const bool lines = as != wire::Framing::kContentLength;
  framing = lines ? wire::Framing::kLine : as;
  bytes.clear();
  if (!lines) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, body.size());
    bytes.append("Content-Length: ").append(digits, end.ptr).append("\r\n\r\n");
  }
  head = bytes.size();
  bytes += body;
  if (lines) bytes += '\n';
  tail = lines;
}

Part Framed(std::string_view body, wire::Framing framing) {
  Part part;
  part.SetFrame(body, framing);
  return part;
}

size_t Input::size() const {
  size_t sum = 0;
  for (const Part& part : parts) sum += part.bytes.size();
  return sum;
}

std::string Input::Bytes() const {
  std::string all;
  all.reserve(size());
  for (const Part& part : parts) all += part.bytes;
  return all;
}

wire::Framing Input::framing() const {
  for (const Part& part : parts) {
    if (!part.junk()) return part.framing;
  }
  return wire::Framing::kLine;
}

Input ParseInput(std::string_view bytes, wire::Framing framing, size_t max_parts) {
  Input input;
  Parse(bytes, framing, max_parts, &input);
  return input;
}

void ParseInput(std::string_view bytes, Input* input) {
  Parse(bytes, wire::Framing::kAuto, kMaxParts, input);
}

}  // namespace midwire::fuzz
