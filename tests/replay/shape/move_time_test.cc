// Times that are moved: by the calendar, in the format in which they were printed.
#include "replay/shape/move_time.h"

#include <gmock/gmock.h>

#include "replay/shape/time_formats.h"
#include "replay/shape/time_scan.h"

namespace midwire::replay {
namespace {

using testing::Contains;
using testing::ElementsAre;

// What `text` is after a minute, an hour, a day, a month and a year.
std::vector<std::string> Later(std::string_view text) {
  std::vector<std::string> moved;
  const std::optional<ReadTime> time = FindTime(text, 0);
  if (!time || time->text != text) return {"not a time"};
  for (const TimeStep step : kTimeSteps) moved.push_back(Moved(*time, step));
  return moved;
}

TEST(MoveTimeTest, EachFormatReadsItsExampleMoved) {
  for (const TimeFormat& format : TimeFormats()) {
    const std::string before = format.use == TimeUse::kAfterLetter ? "I" : "";
    const std::string text = before + std::string(format.example);
    const std::optional<ReadTime> time = FindTime(text, before.size());
    ASSERT_TRUE(time) << format.name;
    for (const TimeStep step : kTimeSteps) {
      const std::string moved = Moved(*time, step);
      EXPECT_THAT(TimeEnds(moved, 0), Contains(moved.size())) << format.name << ": " << moved;
    }
  }
}

TEST(MoveTimeTest, ATimeMovesByTheCalendar) {
  EXPECT_THAT(
      Later("2026-12-31T23:59:30.5Z"),
      ElementsAre("2027-01-01T00:00:30.5Z", "2027-01-01T00:59:30.5Z", "2027-01-01T23:59:30.5Z",
                  "2027-01-31T23:59:30.5Z", "2027-12-31T23:59:30.5Z"));
  EXPECT_THAT(Later("29/Feb/2028:12:00:00 +0000"),
              ElementsAre("29/Feb/2028:12:01:00 +0000", "29/Feb/2028:13:00:00 +0000",
                          "01/Mar/2028:12:00:00 +0000", "29/Mar/2028:12:00:00 +0000",
                          "28/Feb/2029:12:00:00 +0000"));
  EXPECT_THAT(Later("2026-01-31"),
              ElementsAre("2026-01-31", "2026-01-31", "2026-02-01", "2026-02-28", "2027-01-31"));
}

TEST(MoveTimeTest, ANameOfADayMovesWithItsDate) {
  EXPECT_THAT(Later("Thu Nov 26 11:54:03 2026"),
              ElementsAre("Thu Nov 26 11:55:03 2026", "Thu Nov 26 12:54:03 2026",
                          "Fri Nov 27 11:54:03 2026", "Sat Dec 26 11:54:03 2026",
                          "Fri Nov 26 11:54:03 2027"));
  EXPECT_THAT(
      Later("Thursday, December 31, 2026 at 11:59 PM"),
      ElementsAre("Friday, January 1, 2027 at 12:00 AM", "Friday, January 1, 2027 at 12:59 AM",
                  "Friday, January 1, 2027 at 11:59 PM", "Sunday, January 31, 2027 at 11:59 PM",
                  "Friday, December 31, 2027 at 11:59 PM"));
}

TEST(MoveTimeTest, AClockGoesRound) {
  EXPECT_THAT(Later("11:59:30 AM"), ElementsAre("12:00:30 PM", "12:59:30 PM", "11:59:30 AM",
                                                "11:59:30 AM", "11:59:30 AM"));
  EXPECT_THAT(Later("23:59:60"),
              ElementsAre("00:01:00", "01:00:00", "00:00:00", "00:00:00", "00:00:00"));
}

TEST(MoveTimeTest, WeeksAndDaysOfTheYear) {
  EXPECT_THAT(Later("2026-W53-7"),
              ElementsAre("2026-W53-7", "2026-W53-7", "2027-W01-1", "2027-W05-3", "2028-W01-1"));
  EXPECT_THAT(Later("2026-365T23:59:00"),
              ElementsAre("2027-001T00:00:00", "2027-001T00:59:00", "2027-001T23:59:00",
                          "2027-031T23:59:00", "2027-365T23:59:00"));
}

TEST(MoveTimeTest, SecondsToNanosecondsSince1970) {
  EXPECT_THAT(Later("1763882386.25"), ElementsAre("1763882446.25", "1763885986.25", "1763968786.25",
                                                  "1766474386.25", "1795418386.25"));
  EXPECT_EQ(Later("1763882386123")[0], "1763882446123");
  EXPECT_EQ(Later("1763882386123456")[1], "1763885986123456");
  EXPECT_EQ(Later("1763882386123456789")[0], "1763882446123456789");
}

}  // namespace
}  // namespace midwire::replay
