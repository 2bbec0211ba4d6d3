// Times as programs print them: each format of the table is read and found in texts.
#include <gmock/gmock.h>

#include "replay/shape/time_formats.h"
#include "replay/shape/time_scan.h"

namespace midwire::replay {
namespace {

using testing::Contains;
using testing::IsEmpty;

// The time that is found at the first place of `text` that has one, in its brackets.
std::string Found(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (const auto time = FindTime(text, at)) return std::string(time->text);
  }
  return "";
}

TEST(TimesTest, EachFormatReadsItsExample) {
  for (const TimeFormat& format : TimeFormats()) {
    const std::string before = format.use == TimeUse::kAfterLetter ? "I" : "";
    const std::string text = before + std::string(format.example);
    const std::optional<ReadTime> time = FindTime(text, before.size());
    ASSERT_TRUE(time) << format.name;
    EXPECT_EQ(time->text, format.example);
    EXPECT_THAT(TimeEnds(format.example, 0), Contains(format.example.size())) << format.name;
  }
}

TEST(TimesTest, TheWholeOfATimeIsFound) {
  for (const char* time :
       {"2026-11-26 11:54:03.123456 +0000 UTC", "2026-11-26 11:54:03,123", "2026-11-26",
        "Thu Nov 26 2026 11:54:03 GMT+0000 (Coordinated Universal Time)",
        "Thu, 26 Nov 2026 11:54:03 +0000 (UTC)", "26/Nov/2026:11:54:03 +0000",
        "11/26/2026, 11:54:03\u202f"
        "AM",
        "Nov  6 11:54:03", "Thu Nov 26 11:54:03 AM UTC 2026", "2026-11-26T11-54-03-123Z",
        "20261126115403", "11:54:03", "9:54 PM", "1763882386123", "11-26-2026 11:54:03",
        "11-26 11:54:03.123", "261126  9:54:03", "2026/11/26 PM 7:54:03"}) {
    EXPECT_EQ(Found(std::string("at [") + time + "] x"), time);
  }
}

TEST(TimesTest, WhatOnlyLooksLikeATimeIsNone) {
  for (const char* text : {"v1.2.3",
                           "10.15.7",
                           "10.26.11.2026",
                           "192.168.11.26",
                           "127.0.0.1:1154",
                           "3/4",
                           "11/26",
                           "a.c:12:34",
                           "a.c:12:34:56:7",
                           "1.5s",
                           "12ms",
                           "00:1b:44:11:3a:b7",
                           "11:22:33:44:55:66",
                           "::1:11:54:03",
                           "x2026-11-26",
                           "2026-13-26",
                           "2026-11-26T25:00:00x",
                           "25:61:61",
                           "1234567890123456789012",
                           "26.11.2026.5",
                           "12026-11-26"}) {
    const std::string found = Found(text);
    EXPECT_EQ(found, "") << text;
  }
  EXPECT_EQ(Found("at 11:54:03 +12 lines"), "11:54:03");
  EXPECT_EQ(Found("I1126 11:54:03"), "1126 11:54:03");
  EXPECT_EQ(Found("1126 11:54:03"), "11:54:03");
}

TEST(TimesTest, AHostileTextIsReadInLinearTime) {
  const std::string digits(1 << 20, '9');
  EXPECT_FALSE(FindTime("11:54:03." + digits, 0));
  EXPECT_EQ(TimeEnds("11:54:03." + digits, 0).size(), 4098u);
  EXPECT_THAT(TimeEnds(digits, 0), IsEmpty());
}

}  // namespace
}  // namespace midwire::replay
