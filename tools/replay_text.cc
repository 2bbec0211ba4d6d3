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

bool IsOfProcess(replay::Finding finding) {
  using replay::Finding;
  return finding == Finding::kEnded || finding == Finding::kHung || finding == Finding::kJunk ||
         finding == Finding::kFraming;
}

void AppendReplayItem(const replay::Item& item, const Look& look, std::string* out) {
  replay::AppendItem(item, TextLookOf(look), out);
}

std::string VerdictOf(const replay::Report& report, const ReportContext& context) {
  return replay::VerdictOf(report, context.verb == "diff");
}

void AppendReplayText(const replay::Report& report, const ReportContext& context, const Look& look,
                      std::string* out) {
  replay::TextLook text = TextLookOf(look);
  text.diff = context.verb == "diff";
  replay::AppendReportText(report, context.ending, text, out);
}

}  // namespace midwire::tools
