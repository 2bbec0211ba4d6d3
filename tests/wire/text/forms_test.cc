#include "wire/text/forms.h"

#include <gtest/gtest.h>

namespace midwire::wire {
namespace {

TEST(FormsTest, ANumberSignIsADigitAndOthersAreThemselves) {
  EXPECT_TRUE(HasForm("v1.2", "v#.#"));
  EXPECT_TRUE(HasForm("", ""));
  for (const char* text : {"", "v1", "v1.23", "w1.2", "v1.x", "v1,2"}) {
    EXPECT_FALSE(HasForm(text, "v#.#")) << text;
  }
}

TEST(FormsTest, DatesAndTimesOfRfc3339) {
  EXPECT_TRUE(IsDate("2026-11-21"));
  EXPECT_FALSE(IsDate("2026-11-21T10:00:00Z"));
  for (const char* text :
       {"2026-11-21T10:00:00Z", "2026-11-21T10:00:00.123456Z", "2026-11-21T10:00:00-08:00"}) {
    EXPECT_TRUE(IsDateTime(text)) << text;
  }
  for (const char* text : {"", "2026-11-21", "2026-11-21T10:00:00", "2026-11-21 10:00:00Z",
                           "2026-11-21T10:00:00Z ", "2026-11-21T10:00:00.1", "20261121T100000Z"}) {
    EXPECT_FALSE(IsDateTime(text)) << text;
  }
}

TEST(FormsTest, PathsFromTheRootOrADriveOn) {
  for (const char* text : {"/", "/tmp/a b", "//host/share", "C:\\a", "c:/"}) {
    EXPECT_TRUE(IsAbsolutePath(text)) << text;
  }
  for (const char* text : {"", "tmp/a", "~/a", "C:", "C:a", "1:/a", "file:///a", "/tmp\n/a"}) {
    EXPECT_FALSE(IsAbsolutePath(text)) << text;
  }
}

}  // namespace
}  // namespace midwire::wire
