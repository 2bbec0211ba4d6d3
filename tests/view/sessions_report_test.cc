// The list of sessions on a terminal of any width.
#include "view/text/sessions_report.h"

#include <gmock/gmock.h>

#include "view/text/append.h"

namespace midwire::view {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kName[] = "2026-01-02T03-04-05.weather.pcapng";

std::string Listed(size_t width, const std::string& name = kName) {
  ListedSession session;
  session.file = "/home/someone/.local/state/midwire/" + name;
  session.plugin = "weather";
  session.bytes = 4000;
  session.start_ns = 1'767'323'045'000'000'000;
  session.counts = ListedSession::Counts{.messages = 12};
  session.end = ListedSession::End::kExit;
  session.exit = "exit 0";
  std::string out;
  AppendSessionsText(
      {session}, [](int64_t) { return int64_t{0}; }, {.width = width}, &out);
  return out;
}

TEST(SessionsReportTest, TheNameOfTheTapeStaysAndOthersGo) {
  EXPECT_THAT(Listed(200), HasSubstr("  /home/someone/.local/state/midwire/" + std::string(kName)));
  for (const size_t width : {40u, 60u, 80u, 100u, 132u}) {
    EXPECT_THAT(Listed(width), HasSubstr(std::string(kName) + "\n")) << width;
  }
  EXPECT_THAT(Listed(80), HasSubstr("failed"));
  EXPECT_THAT(Listed(80), Not(HasSubstr("unanswered")));
}

TEST(SessionsReportTest, ALongNameIsCutInItsMiddle) {
  const std::string out = Listed(60, std::string(30, 'a') + std::string(30, 'b') + ".pcapng");
  EXPECT_THAT(out, HasSubstr("bbbb.pcapng\n"));
  EXPECT_THAT(out, HasSubstr("  /home/someone"));
}

TEST(SessionsReportTest, NoLineWraps) {
  for (const std::string& name :
       {std::string("a"), std::string(90, 'm'), std::string("\u4e2d\u6587")}) {
    for (size_t width = 4; width < 160; ++width) {
      const std::string out = Listed(width, name);
      const std::string row = out.substr(out.find('\n') + 1);
      EXPECT_LE(ColumnsOf(row.substr(0, row.size() - 1)), width) << out;
    }
  }
}

}  // namespace
}  // namespace midwire::view
