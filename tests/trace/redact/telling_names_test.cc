#include "trace/redact/telling_names.h"

#include <gtest/gtest.h>

namespace midwire::trace::redact {
namespace {

TEST(TellingNamesTest, EndsOfNamesInAnySpelling) {
  for (const char* name : {"password",      "clientSecret",  "X-Api-Key",
                           "GITHUB_TOKEN",  "--token",       "AWS_SECRET_ACCESS_KEY",
                           "refresh_token", "Authorization", "dbPassword",
                           "PASSWORD2",     "Set-Cookie",    "card_pin",
                           "cardPin",       "sessionId",     "passwords",
                           "pass-phrase",   "pass",          "PASS",
                           "--pass",        "DB_PASS",       "smtpPass"}) {
    EXPECT_TRUE(IsTellingName(name)) << name;
  }
  for (const char* name :
       {"progressToken", "workDoneToken", "partialResultToken", "nextPageToken", "max_tokens",
        "tokenize", "key", "secretary", "passwordHint", "spin", "cwd", "accessKeyId", "compass",
        "passenger", "bypass", "render_pass", "firstPass", "passes", ""}) {
    EXPECT_FALSE(IsTellingName(name)) << name;
  }
}

// Of a value, only what is secret.
TEST(TellingNamesTest, TheSchemeOfAnAuthorizationStays) {
  const auto secret = [](std::string_view value) {
    return SecretBeside(Telling::kAuthorization, value, Written::kString).text;
  };
  EXPECT_EQ(secret("Bearer abc"), "abc");
  EXPECT_EQ(secret("abc"), "abc");
  EXPECT_EQ(secret("Bearer ${TOKEN}"), "");
}

TEST(TellingNamesTest, PassIsAPasswordOrAResult) {
  const auto secret = [](std::string_view value, Written written = Written::kString) {
    return SecretBeside(Telling::kPassword, value, written).text;
  };
  for (const char* password : {"hunter2", "hunter", "12ab", "correct horse", "p@ss", "1+1"}) {
    EXPECT_EQ(secret(password), password);
  }
  for (const char* result :
       {"12", "3/4", "98.5%", "12 of 13", "true", "yes", "passed", "fail", "2 tests", "12ms",
        "src/a.test.js", "Suite::Case", "${PASS}", "mem2reg", "LICM", "loop-unroll"}) {
    EXPECT_EQ(secret(result), "") << result;
  }
  EXPECT_EQ(secret("123456", Written::kNumber), "");
}

TEST(TellingNamesTest, OnlyLikely) {
  EXPECT_FALSE(SecretBeside(Telling::kLikely, "identifier", Written::kString).sure);
  EXPECT_TRUE(SecretBeside(Telling::kLikely, "a1b2c3d4e5f6g7h8i9j0", Written::kString).sure);
  EXPECT_FALSE(SecretBeside(Telling::kSecret, "/home/ada/key", Written::kString).sure);
}

}  // namespace
}  // namespace midwire::trace::redact
