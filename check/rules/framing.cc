// Rules of framing: its kind, oddities of frames, junk between them, limits.
#include <bit>

#include "check/rules/generic.h"

namespace midwire::check {
namespace {

using wire::Severity;

// Oddities that receivers interpret differently. The others are notes unless the dialect sets a
// severity ("severities": {"framing.lf-only": "must"}).
constexpr wire::Oddities kRisky = wire::kSharedLine | wire::kTrailingBytes | wire::kNulByte |
                                  wire::kResynchronised | wire::kEmptyBody | wire::kRepeatedLength |
                                  wire::kSignedLength;

class FramingRule : public CheckRule {
 public:
  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (seen.number() == latest_) return;  // the next element of the same frame
    latest_ = seen.number();
    const wire::Frame& frame = *seen.recorded->frame;
    const auto tell = [&](const std::string& rule, const std::string& text, std::string expected,
                          std::string got, Severity otherwise) {
      Violation finding = CheckReport::Of(rule, seen);
      finding.clause = report->dialect()->framing_clause;
      finding.text = text;
      finding.expected = std::move(expected);
      finding.got = std::move(got);
      report->Add(std::move(finding), otherwise);
    };
    if (report->dialect()->framing && *report->dialect()->framing != frame.framing) {
      tell("framing.kind", "the other framing",
           std::string(wire::Name(*report->dialect()->framing)),
           std::string(wire::Name(frame.framing)), Severity::kMust);
    }
    for (wire::Oddities left = frame.oddities; left != 0; left &= left - 1) {
      const wire::Oddities bit = 1u << std::countr_zero(left);
      const std::string name = wire::OdditiesText(bit);
      if (bit == wire::kInvalidUtf8) {
        tell("utf8", "the body is not UTF-8", "", "", Severity::kMust);
      } else {
        tell("framing." + name, "the frame is odd: " + name, "", "",
             bit & kRisky ? Severity::kShould : Severity::kNote);
      }
    }
    const auto limit = [&](const char* rule, uint64_t most, uint64_t size) {
      if (most == 0 || size <= most) return;
      tell(rule, "larger than allowed", "at most " + std::to_string(most) + " bytes",
           std::to_string(size) + " bytes", Severity::kMust);
    };
    limit("limit.header", report->dialect()->max_header, frame.body_offset);
    limit("limit.body", report->dialect()->max_body, frame.body_size);
  }

  void OnJunk(const RecordedJunk& junk, CheckReport* report) override {
    if (junk.junk->reason == wire::JunkReason::kBlank) return;
    const bool plugins = junk.direction == wire::Direction::kPluginToHost;
    Violation finding = {.rule = plugins ? "stdout.junk" : "stdin.junk",
                         .direction = junk.direction};
    finding.got = junk.junk->bytes;
    finding.text = junk.junk->reason == wire::JunkReason::kTruncated
                       ? "the stream ended within a message"
                       : "bytes that are not a message";
    report->Add(std::move(finding));
  }

  void OnSessionEnd(bool, CheckReport*) override { latest_ = 0; }

 private:
  uint64_t latest_ = 0;
};

}  // namespace

std::unique_ptr<CheckRule> MakeFramingRule() { return std::make_unique<FramingRule>(); }

}  // namespace midwire::check
