#include <string>

#include "replay/report_text.h"
#include "tools/replay_report.h"

namespace midwire::tools {
namespace {

replay::TextLook TextLookOf(const Look& look) {
  return {.width = look.width,
          .bold = PaintOn(look, Paint::kBold),
          .good = PaintOn(look, Paint::kGreen),
          .bad = PaintOn(look, Paint::kRed),
          .plain = PaintOff(look, Paint::kBold)};
}

}  // namespace

bool IsOfProcess(trace::DifferenceKind finding) {
  using trace::DifferenceKind;
  return finding == DifferenceKind::kEnded || finding == DifferenceKind::kHung ||
         finding == DifferenceKind::kJunk || finding == DifferenceKind::kFraming;
}

void AppendReplayItem(const trace::Difference& item, const Look& look, std::string* out) {
  replay::AppendItem(item, TextLookOf(look), out);
}

std::string VerdictOf(const trace::ReplayReport& report, const ReportContext& context) {
  return replay::VerdictOf(report, context.verb == "diff");
}

void AppendReplayText(const trace::ReplayReport& report, const ReportContext& context,
                      const Look& look, std::string* out) {
  replay::TextLook text = TextLookOf(look);
  text.diff = context.verb == "diff";
  replay::AppendReportText(report, context.ending, text, out);
}

}  // namespace midwire::tools
