// Which requests `midwire view` answers: hosts, origins, keys.
#include "tools/viewing/access.h"

#include <gtest/gtest.h>

namespace midwire::tools {
namespace {

TEST(ViewAccessTest, OnlyLoopbackAddressesAreOurHost) {
  for (const char* host : {"127.0.0.1:4000", "localhost:4000", "[::1]:4000"}) {
    EXPECT_TRUE(IsOwnHost(host, 4000, false)) << host;
  }
  for (const char* host :
       {"", "127.0.0.1", "127.0.0.1:4001", "evil.example:4000", "localhost.evil.example:4000",
        "127.0.0.1.evil.example:4000", "10.0.0.1:4000", "127.0.0.1:04000", "127.0.0.1:4000 ",
        "127.0.0.1:4000x", "LOCALHOST:4000:4000", "evil.example:80@127.0.0.1:4000", ":4000"}) {
    EXPECT_FALSE(IsOwnHost(host, 4000, false)) << host;
  }
}

TEST(ViewAccessTest, BeyondLoopbackAnyAddressIsOurHostButNoName) {
  for (const char* host : {"10.0.0.1:80", "[fe80::1]:80", "127.0.0.1:80"}) {
    EXPECT_TRUE(IsOwnHost(host, 80, true)) << host;
  }
  for (const char* host : {"evil.example:80", "[evil]:80", "1.2.3.4.example:80", "0x7f.1:80", ":80",
                           "face:80", "1.2.3:80"}) {
    EXPECT_FALSE(IsOwnHost(host, 80, true)) << host;
  }
}

TEST(ViewAccessTest, AnOriginIsThatOfThePageOrNone) {
  EXPECT_TRUE(IsOwnOrigin("", "127.0.0.1:4000"));
  EXPECT_TRUE(IsOwnOrigin("http://127.0.0.1:4000", "127.0.0.1:4000"));
  for (const char* origin :
       {"null", "http://evil.example", "https://127.0.0.1:4000",
        "http://127.0.0.1:4000.evil.example", "http://127.0.0.1:5000", "http://"}) {
    EXPECT_FALSE(IsOwnOrigin(origin, "127.0.0.1:4000")) << origin;
  }
}

TEST(ViewAccessTest, AnotherSiteMayNotAsk) {
  EXPECT_TRUE(IsOwnSite(""));
  EXPECT_TRUE(IsOwnSite("same-origin"));
  EXPECT_TRUE(IsOwnSite("none"));
  EXPECT_FALSE(IsOwnSite("same-site"));
  EXPECT_FALSE(IsOwnSite("cross-site"));
}

TEST(ViewAccessTest, AKeyMatchesAsAWhole) {
  EXPECT_TRUE(IsSameKey("0123abcd", "0123abcd"));
  EXPECT_FALSE(IsSameKey("0123abcc", "0123abcd"));
  EXPECT_FALSE(IsSameKey("0123abc", "0123abcd"));
  EXPECT_FALSE(IsSameKey("0123abcd0", "0123abcd"));
  EXPECT_FALSE(IsSameKey("", "0123abcd"));
  EXPECT_FALSE(IsSameKey("", ""));
}

TEST(ViewAccessTest, ACookieIsFoundByItsWholeName) {
  EXPECT_EQ(CookieOf("a=1; midwire-40=key; b=2", "midwire-40"), "key");
  EXPECT_EQ(CookieOf("midwire-40=key", "midwire-40"), "key");
  EXPECT_EQ(CookieOf("xmidwire-40=key; midwire-4=key; midwire-40", "midwire-40"), "");
  EXPECT_EQ(CookieOf("", "midwire-40"), "");
  EXPECT_EQ(CookieOf(";;;=;", "midwire-40"), "");
}

}  // namespace
}  // namespace midwire::tools
