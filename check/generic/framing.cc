// Rules of framing: its kind, oddities of frames, junk between them, limits, bytes that are no
// text.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <utility>

#include "check/generic/generic.h"
#include "wire/header.h"
#include "wire/json/fault.h"

namespace midwire::check {
namespace {

using wire::Severity;

// Oddities that receivers interpret differently. The others are notes unless the dialect sets a
// severity ("severities": {"framing.lf-only": "must"}).
constexpr wire::Oddities kRisky = wire::kSharedLine | wire::kTrailingBytes | wire::kNulByte |
                                  wire::kResynchronised | wire::kEmptyBody | wire::kRepeatedLength |
                                  wire::kSignedLength | wire::kByteOrderMark |
                                  wire::kIndentedHeader;
// Oddities with which every receiver loses messages.
constexpr wire::Oddities kBroken = wire::kDoubledCr | wire::kLongLength;

// Those of a header. Where the protocol has none, they add nothing to framing.kind.
constexpr wire::Oddities kOfHeader =
    wire::kLfOnly | wire::kExtraHeader | wire::kLeadingZeros | wire::kSignedLength |
    wire::kHeaderCase | wire::kHeaderSpacing | wire::kIndentedHeader | wire::kRepeatedLength;

// What is odd, and why it matters: which readers fail at it.
struct Reason {
  wire::Oddity oddity;
  const char* text;
};
constexpr Reason kReasons[] = {
    {wire::kLfOnly, "header lines end in LF: readers that look for CR LF wait forever"},
    {wire::kExtraHeader, "a header other than Content-Length"},
    {wire::kLeadingZeros, "zeros in front of the length"},
    {wire::kSignedLength, "a sign in front of the length: readers that expect digits refuse it"},
    {wire::kHeaderCase, "Content-Length is spelled otherwise: some readers do not know it then"},
    {wire::kHeaderSpacing, "not one blank after the colon of a header"},
    {wire::kIndentedHeader,
     "blanks before the name of a header: readers that look for the name at the start of the line "
     "do not know it then"},
    {wire::kRepeatedLength, "Content-Length is there twice"},
    {wire::kEmptyBody, "Content-Length is 0: an empty body is not JSON"},
    {wire::kCrLf, "the line ends in CR LF, as a stdout in text mode writes it on Windows"},
    {wire::kSharedLine,
     "more than one JSON text on a line: parsers refuse the whole line, and its messages are lost"},
    {wire::kUnterminated, "the last line has no line end: readers of lines may not see it"},
    {wire::kBlanksAround, "blanks before or after the JSON text"},
    {wire::kTrailingBytes, "bytes after the JSON text in the body: parsers refuse it"},
    {wire::kResynchronised, "the header follows other bytes on its line: readers do not find it"},
    {wire::kByteOrderMark,
     "a byte order mark before the body: JSON.parse of Node and json.loads of Python refuse it"},
    {wire::kDoubledCr,
     "header lines end in CR CR LF, as a stdout in text mode writes them on Windows: clients do "
     "not find the end of the header"},
    {wire::kOtherFraming, "a line with a message in a stream of content-length frames"},
    {wire::kNulByte, "a NUL byte in the body: readers in C take it for the end of the text"},
};

std::string ReasonOf(wire::Oddities bit) {
  for (const Reason& reason : kReasons) {
    if (reason.oddity == bit) return reason.text;
  }
  return "the frame is odd: " + wire::OdditiesText(bit);
}

// The length that the header states; 0: none.
uint64_t StatedLength(const wire::Frame& frame) {
  const std::string_view head = frame.head();
  const size_t header = wire::FindLengthHeader(head);
  if (header == head.npos) return 0;
  const size_t from = head.find_first_of("0123456789", header);
  uint64_t length = 0;
  if (from != head.npos) std::from_chars(head.data() + from, head.data() + head.size(), length);
  return length;
}

// U+2028 or U+2029, or npos.
size_t FindLineSeparator(std::string_view text) {
  for (size_t at = text.find("\xe2\x80"); at != text.npos; at = text.find("\xe2\x80", at + 2)) {
    if (at + 2 < text.size() && (text[at + 2] == '\xa8' || text[at + 2] == '\xa9')) return at;
  }
  return text.npos;
}

// An escape of a surrogate, paired or not: few texts have one.
bool HasSurrogate(std::string_view text) {
  const size_t escape = text.find('\\');
  if (escape == text.npos) return false;
  return text.find("\\ud", escape) != text.npos || text.find("\\uD", escape) != text.npos;
}

std::string WhatJunkIs(wire::JunkReason reason) {
  switch (reason) {
    case wire::JunkReason::kTruncated:
      return "the stream ended within a message";
    case wire::JunkReason::kStrayBlank:
      return "a line end between two messages, which no Content-Length counts: VS Code takes it "
             "for the start of the next header";
    case wire::JunkReason::kBadHeader:
      return "a header without a Content-Length that can be read";
    case wire::JunkReason::kText:
    case wire::JunkReason::kBlank:
      break;
  }
  return "bytes that are not a message";
}

class FramingRule : public CheckRule {
 public:
  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (seen.number() == latest_) return;  // the next element of the same frame
    latest_ = seen.number();
    const wire::Frame& frame = *seen.recorded->frame;
    const auto add = [&](const std::string& rule, const std::string& text, std::string expected,
                         std::string got, Severity otherwise) {
      Violation violation = CheckReport::Of(rule, seen);
      violation.clause = report->dialect()->framing_clause;
      violation.text = text;
      violation.expected = std::move(expected);
      violation.got = std::move(got);
      report->Add(std::move(violation), otherwise);
    };
    const auto add_fault = [&](const std::string& rule, const std::string& text,
                               const std::optional<wire::JsonFault>& fault, Severity otherwise) {
      Violation violation = CheckReport::Of(rule, seen);
      violation.clause = report->dialect()->framing_clause;
      violation.text = text;
      if (fault) {
        violation.pointer = fault->pointer;
        violation.text += ": " + fault->what + ", at byte " + std::to_string(fault->offset);
        violation.got = wire::Around(frame.body(), fault->offset);
      }
      report->Add(std::move(violation), otherwise);
    };
    const std::optional<wire::Framing> due = report->dialect()->framing;
    const bool other = due && *due != frame.framing;
    // A party that uses the other framing does so for all messages: once is enough.
    const bool before = std::exchange(other_[static_cast<int>(seen.direction())], other);
    if (other && !before) {
      add("framing.kind",
          *due == wire::Framing::kLine
              ? "a Content-Length header, where each message is one line: readers of lines take "
                "the header for a broken message"
              : "a line, where each message has a Content-Length header: readers wait for one",
          std::string(wire::Name(*due)), std::string(wire::Name(frame.framing)), Severity::kMust);
    }
    for (wire::Oddities left = Odd(seen, due, other); left != 0; left &= left - 1) {
      const wire::Oddities bit = 1u << std::countr_zero(left);
      const std::string name = wire::OdditiesText(bit);
      if (bit == wire::kInvalidUtf8) {
        const auto fault = wire::FindBadUtf8(frame.body());
        add_fault("utf8", "the body is not UTF-8", fault, Severity::kMust);
      } else if (bit == wire::kLongLength) {
        const uint64_t stated = StatedLength(frame);
        add("framing." + name,
            "Content-Length is " + std::to_string(stated - frame.body_size) +
                " too long: it counts the start of the next header",
            std::to_string(frame.body_size), std::to_string(stated), Severity::kMust);
      } else {
        add("framing." + name, ReasonOf(bit), "", "",
            bit & kBroken  ? Severity::kMust
            : bit & kRisky ? Severity::kShould
                           : Severity::kNote);
      }
    }
    if (frame.whole()) CheckText(frame, add_fault);
    const auto limit = [&](const char* rule, uint64_t most, uint64_t size) {
      if (most == 0 || size <= most) return;
      add(rule,
          std::string(rule == std::string_view("limit.body") ? "the body" : "the header") +
              " is larger than allowed",
          "at most " + std::to_string(most) + " bytes", std::to_string(size) + " bytes",
          Severity::kMust);
    };
    limit("limit.header", report->dialect()->max_header, frame.body_offset);
    limit("limit.body", report->dialect()->max_body, frame.body_size);
  }

  void OnJunk(const RecordedJunk& junk, CheckReport* report) override {
    const bool plugins = junk.direction == wire::Direction::kPluginToHost;
    const bool blank = junk.junk->reason == wire::JunkReason::kBlank ||
                       // Among lines, whatever framing came before.
                       (junk.junk->reason == wire::JunkReason::kStrayBlank &&
                        report->dialect()->framing == wire::Framing::kLine);
    if (blank) {
      if (plugins) return;
      Violation violation = {.rule = "stdin.blank", .line = junk.line, .direction = junk.direction};
      violation.text = "a blank line: plugins on the Python SDK of MCP report it as invalid JSON";
      return report->Add(std::move(violation), Severity::kNote);
    }
    Violation violation = {.rule = plugins ? "stdout.junk" : "stdin.junk",
                           .line = junk.line,
                           .direction = junk.direction};
    violation.got = junk.junk->bytes;
    violation.text = WhatJunkIs(junk.junk->reason);
    if (plugins && junk.junk->reason == wire::JunkReason::kText) {
      if (merged_stderr_) {
        // The plugin may have written them to stderr, and its host made one pipe of both.
        violation.text += ", where the host made stdout and stderr one pipe";
        return report->Add(std::move(violation), Severity::kNote);
      }
      violation.text += ": logs belong on stderr";
    }
    report->Add(std::move(violation));
  }

  void OnEvent(int64_t, const Event& event, CheckReport*) override {
    const auto* const spawn = std::get_if<trace::SpawnEvent>(&event);
    if (spawn != nullptr) merged_stderr_ = spawn->merged_stderr;
  }

  void OnSessionEnd(bool, CheckReport*) override {
    latest_ = 0;
    other_ = {};
    merged_stderr_ = false;
  }

 private:
  // The oddities of a frame that are mistakes of their own. `other`: it has not the framing that is
  // due.
  static wire::Oddities Odd(const Observed& seen, std::optional<wire::Framing> due, bool other) {
    const wire::Frame& frame = *seen.recorded->frame;
    wire::Oddities left = frame.oddities;
    if (other) left &= ~kOfHeader;
    // The line is right, and the headers around it are not.
    if (due == wire::Framing::kLine) left &= ~wire::Oddities{wire::kOtherFraming};
    if ((left & wire::kNulByte) != 0 && frame.whole() && !seen.json) {
      const auto fault = wire::FindJsonFault(frame.body());
      const bool named = fault && frame.body().substr(fault->offset).starts_with('\0');
      if (named) left &= ~wire::Oddities{wire::kNulByte};  // by the rule "json"
    }
    return left;
  }

  // What is JSON, but not read alike by all.
  template <typename AddFault>
  static void CheckText(const wire::Frame& frame, const AddFault& add_fault) {
    const std::string_view body = frame.body();
    if (HasSurrogate(body)) {
      if (const auto fault = wire::FindLoneSurrogate(body)) {
        add_fault("json.surrogate", "a string is no Unicode text", fault, Severity::kNote);
      }
    }
    if (frame.framing != wire::Framing::kLine) return;
    const size_t at = FindLineSeparator(body);
    if (at == body.npos) return;
    add_fault(
        "framing.line-separator",
        "an unescaped line separator: readline of Node and splitlines of Python end the line there",
        wire::JsonFault{at, "", body[at + 2] == '\xa8' ? "U+2028" : "U+2029"}, Severity::kShould);
  }

  uint64_t latest_ = 0;
  std::array<bool, 2> other_ = {};  // by direction: the latest frame had the other framing
  bool merged_stderr_ = false;
};

}  // namespace

std::unique_ptr<CheckRule> MakeFramingRule() { return std::make_unique<FramingRule>(); }

}  // namespace midwire::check
