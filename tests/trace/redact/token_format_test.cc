#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace/redact/key.h"
#include "trace/redact/randomness.h"
#include "trace/redact/tokens.h"

namespace midwire::trace::redact {
namespace {

struct Format {
  const char* value;
  const char* token;  // an expression of its tokens
};

TEST(TokenFormatTest, ATokenHasTheFormatOfItsValue) {
  const Format formats[] = {
      {"0e9b0a3c-8a1f-4c52-9c5e-1f2a3b4c5d6e",
       "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}"},
      {"2026-11-23", "20[0-9]{2}-(0[1-9]|1[0-2])-([01][0-9]|2[0-8])"},
      {"2026-11-23T07:19:50.123Z",
       "20..-..-..T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z"},
      {"07:19:50+02:00", "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][+]02:00"},
      {"https://ada:pw1@example.com/a%20b?k=V1",
       "https://[a-z]{3}:[a-z]{2}[0-9]@[a-z]{7}[.][a-z]{3}/[a-z]%(41|62)[a-z][?][a-z]=[A-Z][0-9]"},
      {"ada.l@example.com", "[a-z]{3}[.][a-z]@[a-z]{7}[.][a-z]{3}"},
      {"10.0.255.13", "[1-9][0-9][.][0-9][.](1[0-9]{2}|2[0-4][0-9]|25[0-5])[.][1-9][0-9]"},
      {"00123456", "[0-9]{8}"},
      {"DEADBEEF00112233", "[0-9A-F]{16}"},
  };
  for (const Format& format : formats) {
    for (uint32_t attempt = 0; attempt < 20; ++attempt) {
      const std::string token = TokenOf(format.value, kKey, attempt);
      EXPECT_THAT(token, testing::MatchesRegex(format.token)) << format.value;
      EXPECT_NE(token, format.value);
    }
  }
}

TEST(TokenFormatTest, OtherTextKeepsNothing) {
  for (const char* value :
       {"hunter2!hunter2", "facade", "12:34", "1.2.3.400", "http://", "a b://c"}) {
    const std::string token = TokenOf(value, kKey);
    EXPECT_EQ(token.find_first_of("!:.@ "), std::string::npos) << value << " " << token;
  }
}

TEST(TokenFormatTest, FormsKeepMoreAndMore) {
  const std::string value = "sk-Abc123-def456";
  const auto expect = [&](TokenForm form, const char* expression) {
    EXPECT_THAT(TokenOf(value, kKey, 1, form), testing::MatchesRegex(expression));
  };
  expect(TokenForm::kClasses, "[a-z]{2}-[A-Z][a-z]{2}[0-9]{3}-[a-z]{3}[0-9]{3}");
  expect(TokenForm::kPrefix, "sk-[A-Z][a-z]{2}[0-9]{3}-[a-z]{3}[0-9]{3}");
  expect(TokenForm::kHalf, "sk-Abc12[0-9]-[a-z]{3}[0-9]{3}");
}

}  // namespace
}  // namespace midwire::trace::redact
