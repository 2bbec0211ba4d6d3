// The list of sessions on a terminal of any width.
#include "view/text/sessions_report.h"

#include <gmock/gmock.h>

#include "view/text/append.h"

namespace midwire::view {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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

TEST(SessionsReportTest, TheFolderIsPrintedOnceOnATerminal) {
  EXPECT_THAT(Listed(0), HasSubstr("  /home/someone/.local/state/midwire/" + std::string(kName)));
  EXPECT_THAT(Listed(100), StartsWith("/home/someone/.local/state/midwire/:\nstarted  "));
  EXPECT_THAT(Listed(100), HasSubstr("  " + std::string(kName) + "\n"));
  EXPECT_THAT(Listed(30), StartsWith("\u2026omeone/.local/state/midwire/:\n"));
}

TEST(SessionsReportTest, WhenAndHowStayWithTheName) {
  for (const size_t width : {66u, 80u, 100u, 132u}) {
    EXPECT_THAT(Listed(width), HasSubstr("01-02 03:04  ")) << width;
    EXPECT_THAT(Listed(width), HasSubstr("  exit 0  ")) << width;
    EXPECT_THAT(Listed(width), HasSubstr(std::string(kName) + "\n")) << width;
  }
  EXPECT_THAT(Listed(60), HasSubstr("2026-01-02 03:04  exit 0  2026"));
  EXPECT_THAT(Listed(60), HasSubstr("weather.pcapng\n"));
  EXPECT_THAT(Listed(100), HasSubstr("failed"));
  EXPECT_THAT(Listed(80), Not(HasSubstr("unanswered")));
  EXPECT_THAT(Listed(132), HasSubstr("2026-01-02 03:04  "));
}

TEST(SessionsReportTest, On80ColumnsWhatFailedHasThePlaceOfWhatTheNameSays) {
  const std::string out = Listed(80, "weather-20260102T030405Z-12345.pcapng");
  EXPECT_THAT(out, HasSubstr("started      messages  failed  ended   tape\n"));
  EXPECT_THAT(out, HasSubstr("\n01-02 03:04        12       0  exit 0  weather-2026"));
}

TEST(SessionsReportTest, ALongNameIsCutInItsMiddle) {
  const std::string out = Listed(60, std::string(30, 'a') + std::string(30, 'b') + ".pcapng");
  EXPECT_THAT(out, HasSubstr("a\u2026b"));
  EXPECT_THAT(out, HasSubstr("bbbb.pcapng\n"));
}

TEST(SessionsReportTest, NoLineWraps) {
  for (const std::string& name :
       {std::string("a"), std::string(90, 'm'), std::string("\u4e2d\u6587")}) {
    for (size_t width = 4; width < 160; ++width) {
      const std::string out = Listed(width, name);
      for (size_t from = 0, end; (end = out.find('\n', from)) != out.npos; from = end + 1) {
        EXPECT_LE(ColumnsOf(std::string_view(out).substr(from, end - from)), width) << out;
      }
    }
  }
}

}  // namespace
}  // namespace midwire::view
