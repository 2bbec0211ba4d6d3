// What a request of the live view asks for.
#include "tools/viewing/route.h"

#include <gtest/gtest.h>

namespace midwire::tools {
namespace {

using What = Route::What;

Route RouteOf(std::string_view target) { return ParseRoute(target, "/f00d/"); }

TEST(ViewRouteTest, ThePageAndItsDataAreInOneFolder) {
  EXPECT_EQ(RouteOf("/f00d/").what, What::kPage);
  EXPECT_EQ(RouteOf("/f00d/api/sessions").what, What::kSessions);
  EXPECT_EQ(RouteOf("/f00d/api/index?trace=t1").what, What::kIndex);
  EXPECT_EQ(RouteOf("/f00d/api/bytes?trace=t1").what, What::kBytes);
  EXPECT_EQ(RouteOf("/f00d/api/stream").what, What::kStream);
}

TEST(ViewRouteTest, AKeyEnters) {
  const Route route = RouteOf("/f00d/?key=abc");
  EXPECT_EQ(route.what, What::kEnter);
  EXPECT_EQ(route.key, "abc");
  EXPECT_EQ(RouteOf("/f00d/api/sessions?key=abc").what, What::kSessions);
}

TEST(ViewRouteTest, NothingElseIsThere) {
  for (const char* target :
       {"", "/", "/f00d", "/f00", "/f00d/api", "/f00d/api/", "/f00d/api/index/",
        "/f00d/../etc/passwd", "/f00d/%2e%2e/etc/passwd", "//f00d/", "*", "http://127.0.0.1/f00d/",
        "/F00D/", "/f00d/api/sessions%00"}) {
    EXPECT_EQ(RouteOf(target).what, What::kUnknown) << target;
  }
}

TEST(ViewRouteTest, ATraceIsNamedByAnIdOnly) {
  EXPECT_EQ(RouteOf("/f00d/api/index?trace=t-1.A_2").trace, "t-1.A_2");
  for (const char* trace : {"", "../x", "a/b", "%2e%2e", "a b", "t1%00", "\xff"}) {
    EXPECT_EQ(RouteOf("/f00d/api/index?trace=" + std::string(trace)).what, What::kWrong) << trace;
  }
  EXPECT_EQ(RouteOf("/f00d/api/index").what, What::kWrong);
  EXPECT_EQ(RouteOf("/f00d/api/bytes?row=1").what, What::kWrong);
}

TEST(ViewRouteTest, NumbersHaveLimits) {
  const Route route =
      RouteOf("/f00d/api/index?trace=t1&from=-5&count=200000&row=7&rows=3&base=2&new=1");
  EXPECT_EQ(route.what, What::kIndex);
  EXPECT_EQ(route.from, -5);
  EXPECT_EQ(route.count, 200000);
  EXPECT_EQ(route.row, 7);
  EXPECT_EQ(route.rows, 3);
  EXPECT_EQ(route.base, 2);
  for (const char* wrong : {"count=200001", "count=-1", "row=-1", "rows=0", "rows=10001", "from=x",
                            "from=", "from", "row=1e3", "row=99999999999999999999", "base=1x"}) {
    EXPECT_EQ(RouteOf("/f00d/api/index?trace=t1&" + std::string(wrong)).what, What::kWrong)
        << wrong;
  }
}

}  // namespace
}  // namespace midwire::tools
