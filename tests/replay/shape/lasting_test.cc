// What is learned from values that are one second apart must fit those of next year.
#include "replay/shape/lasting.h"

#include <gtest/gtest.h>

namespace midwire::replay {
namespace {

std::string Json(const std::string& text) { return "\"" + text + "\""; }

// What --learn finds for a recorded text and a live one.
std::string Lasts(const std::string& recorded, const std::string& live) {
  const std::vector<CallValues> calls = {{Json(recorded), Json(live)}};
  return ShapeText(Lasting(*ShapeOf(calls), calls));
}

struct Learned {
  const char *recorded, *live, *next_year;
};
constexpr Learned kLearned[] = {
    {"2026-11-26T11:54:03Z", "2026-11-26T11:54:04Z", "2027-02-01T23:05:00Z"},
    {"2026-11-26T11:54:03.123+02:00", "2026-11-26T11:54:04+02:00", "2027-02-01T23:05:00.5+01:00"},
    {"2026-11-26 11:54:03,123", "2026-11-26 11:54:04,007", "2027-02-01 23:05:00,000"},
    {"2026-11-26 11:54:03.1 +0000 UTC", "2026-11-26 11:54:04 +0000 UTC",
     "2027-02-01 23:05:00.5 +0000 UTC"},
    {"2026-11-26T115403Z", "2026-11-26T115404Z", "2027-02-01T230500Z"},
    {"20261126T115403Z", "20261126T115404Z", "20270201T230500Z"},
    {"2026-W48-4T11:54:03Z", "2026-W48-4T11:54:04Z", "2027-W05-1T23:05:00Z"},
    {"2026-330T11:54:03Z", "2026-330T11:54:04Z", "2027-032T23:05:00Z"},
    {"2026/11/26 11:54:03", "2026/11/26 11:54:04", "2027/02/01 23:05:00"},
    {"2026/11/26 11:54:03.123456", "2026/11/26 11:54:04.000001", "2027/02/01 23:05:00.5"},
    {"2026.11.26 11:54:03", "2026.11.26 11:54:04", "2027.02.01 23:05:00"},
    {"26.11.2026, 11:54:03", "26.11.2026, 11:54:04", "01.02.2027, 23:05:00"},
    {"11/26/2026, 11:54:03 AM", "11/26/2026, 11:54:04 AM", "2/1/2027, 1:05:00 PM"},
    {"26/11/2026 11:54:03", "26/11/2026 11:54:04", "01/02/2027 23:05:00"},
    {"11/26/26 11:54:03", "11/26/26 11:54:04", "02/01/27 23:05:00"},
    {"Thu, 26 Nov 2026 11:54:03 GMT", "Thu, 26 Nov 2026 11:54:04 GMT",
     "Mon, 01 Feb 2027 23:05:00 GMT"},
    {"Thu, 26 Nov 2026 11:54:03 +0000 (UTC)", "Thu, 26 Nov 2026 11:54:04 +0000 (UTC)",
     "Mon, 1 Feb 2027 23:05:00 +0000 (UTC)"},
    {"Thursday, 26-Nov-26 11:54:03 GMT", "Thursday, 26-Nov-26 11:54:04 GMT",
     "Monday, 01-Feb-27 23:05:00 GMT"},
    {"Thu Nov 26 11:54:03 2026", "Thu Nov 26 11:54:04 2026", "Mon Feb  1 23:05:00 2027"},
    {"Thu Nov 26 11:54:03 UTC 2026", "Thu Nov 26 11:54:04 UTC 2026",
     "Mon Feb  1 23:05:00 UTC 2027"},
    {"Thu Nov 26 2026 11:54:03 GMT+0000 (Coordinated Universal Time)",
     "Thu Nov 26 2026 11:54:04 GMT+0000 (Coordinated Universal Time)",
     "Mon Feb 01 2027 23:05:00 GMT+0000 (Coordinated Universal Time)"},
    {"November 26, 2026 at 11:54:03 AM", "November 26, 2026 at 11:54:04 AM",
     "February 1, 2027 at 1:05:00 PM"},
    {"26/Nov/2026:11:54:03 +0000", "26/Nov/2026:11:54:04 +0000", "01/Feb/2027:23:05:00 +0000"},
    {"Thu Nov 26 11:54:03.123456 2026", "Thu Nov 26 11:54:04.123456 2026",
     "Mon Feb 01 23:05:00.123456 2027"},
    {"Nov 26 11:54:03", "Nov 26 11:54:04", "Feb  1 23:05:00"},
    {"26 Nov 11:54:03.123", "26 Nov 11:54:04.123", "01 Feb 23:05:00.123"},
    {"I1126 11:54:03.123456", "I1126 11:54:04.123456", "I0201 23:05:00.123456"},
    {"11:54:03", "11:54:04", "23:05:00"},
    {"11:54:03 AM", "11:54:04 AM", "1:05:00 PM"},
    {"11:54", "11:55", "23:05"},
    {"2026-11-26", "2026-11-27", "2027-02-01"},
    {"2026-11-26_11-54-03", "2026-11-26_11-54-04", "2027-02-01_23-05-00"},
    {"2026-11-26.115403", "2026-11-26.115404", "2027-02-01.230500"},
    {"26-Nov-26 11.54.03", "26-Nov-26 11.54.04", "01-Feb-27 23.05.00"},
    {"2026-11-26 at 11.54.03", "2026-11-26 at 11.54.04", "2027-02-01 at 23.05.00"},
    {"2026_11_26_11_54_03", "2026_11_26_11_54_04", "2027_02_01_23_05_00"},
    {"20261126_115403", "20261126_115404", "20270201_230500"},
    {"20261126115403", "20261126115404", "20270201230500"},
    {"1795694043", "1795694044", "1801523100"},
    {"1795694043.123", "1795694044.001", "1801523100.5"},
    {"1795694043123", "1795694044001", "1801523100500"},
    {"1795694043123456", "1795694044001456", "1801523100500456"},
    {"1795694043123456789", "1795694044001456789", "1801523100500456789"},
};

TEST(LastingTest, ATimeLearnedInOneSecondFitsNextYear) {
  for (const Learned& learned : kLearned) {
    for (const auto& [before, after] : {std::pair("", ""), std::pair("[", "] it took 7 files"),
                                        std::pair("saved run-", ".log"), std::pair("at ", ", x")}) {
      const auto in = [&, b = before, a = after](const char* time) {
        return std::string(b) + time + a;
      };
      const std::string text = Lasts(in(learned.recorded), in(learned.live));
      const auto shape = ParseShape(text);
      ASSERT_TRUE(shape) << text;
      EXPECT_TRUE(Fits(*shape, Json(in(learned.next_year)))) << text << " " << learned.next_year;
      EXPECT_EQ(text.find("{any}"), std::string::npos) << text;
      EXPECT_FALSE(Fits(*shape, Json(in("soon")))) << text;
    }
  }
}

TEST(LastingTest, ADateBesideAClockThatVaries) {
  EXPECT_EQ(Lasts("2026-11-26 | 11:54:03", "2026-11-26 | 11:54:04"),
            "text:{timestamp} | {timestamp}");
  EXPECT_EQ(Lasts("on 2026-11-26, 3 files in 12 ms", "on 2026-11-26, 3 files in 14 ms"),
            "text:on {timestamp}, 3 files in {digits} ms");
}

TEST(LastingTest, TwoTimesOfOneText) {
  EXPECT_EQ(Lasts("2026-11-26 11:54:03 - 2026-11-26 11:54:03: 1",
                  "2026-11-26 11:54:03 - 2026-11-26 11:54:04: 1"),
            "text:{timestamp} - {timestamp}: 1");
}

TEST(LastingTest, AnOldDateStaysAsRecorded) {
  EXPECT_EQ(Lasts("protocol 2025-06-18 at 2026-11-26 11:54:03",
                  "protocol 2025-06-18 at 2026-11-26 11:54:04"),
            "text:protocol 2025-06-18 at {timestamp}");
}

TEST(LastingTest, AroundOtherTextOnlyTheTimeIsWidened) {
  EXPECT_EQ(Lasts("2026-11-26 11:54:03 done: a, b", "2026-11-26 11:54:03 done: a"),
            "text:{timestamp} done: {any}");
  EXPECT_EQ(Lasts("10.15.7 took 12 ms", "10.15.7 took 14 ms"), "text:10.15.7 took {digits} ms");
}

}  // namespace
}  // namespace midwire::replay
