// Secrets in the arguments of a command. Those in messages and texts: score_test.cc.
#include "trace/redact/finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace/redact/drawn.h"
#include "tests/trace/redact/key.h"
#include "trace/redact/tokens.h"
#include "wire/json/valid.h"

namespace midwire::trace::redact {
namespace {

using testing::HasSubstr;
using testing::Not;
using Arguments = std::vector<std::string>;

class FinderTest : public testing::Test {
 protected:
  FinderTest() { patterns_.AddShapes(); }

  Arguments Hidden(const Arguments& arguments) const {
    Arguments hidden = arguments;
    finder_.InArguments(
        arguments, [](std::string_view value, const Found&) { return TokenOf(value, kKey); },
        &hidden);
    return hidden;
  }

  Patterns patterns_;
  SecretPlaces places_{.places = {}, .names = {}, .telling = true};
  Finder finder_{&places_, &patterns_};
};

TEST_F(FinderTest, OptionsOfTellingNames) {
  const Arguments hidden = Hidden({"plugin", "--password", "two words", "--api-key=k1", "--token",
                                   "a1b2c3d4e5f6g7h8i9j0", "--name", "a1b2c3d4e5f6g7h8i9j0"});
  EXPECT_EQ(hidden[2], TokenOf("two words", kKey));
  EXPECT_EQ(hidden[3], "--api-key=" + TokenOf("k1", kKey));
  EXPECT_EQ(hidden[5], TokenOf("a1b2c3d4e5f6g7h8i9j0", kKey));
  EXPECT_EQ(hidden[7], "a1b2c3d4e5f6g7h8i9j0");
}

TEST_F(FinderTest, OptionsThatMeanAPasswordToTheirProgram) {
  EXPECT_EQ(Hidden({"/usr/bin/mysql", "-pabc"})[1], "-p" + TokenOf("abc", kKey));
  EXPECT_EQ(Hidden({"curl", "-u", "ada:abc"})[2], "ada:" + TokenOf("abc", kKey));
  EXPECT_EQ(Hidden({"cp", "-pabc"})[1], "-pabc");
  EXPECT_EQ(Hidden({"sh", "-c", "mysql -pabc"})[2], "mysql -p" + TokenOf("abc", kKey));
}

TEST_F(FinderTest, OtherArgumentsStay) {
  const Arguments plain = {"plugin",      "--password-file", "/run/secrets/a", "--password",
                           "$PASSWORD",   "--token",         "identifier",     "--stdio",
                           "--secret=",   "PWD=/home/ada",   "--pin",          "13",
                           "--no-cookie", "--password",      "--force"};
  EXPECT_EQ(Hidden(plain), plain);
}

TEST_F(FinderTest, JsonInAnArgument) {
  const std::string hidden = Hidden({"p", R"(--x={"a":{"password":"q"}})"})[1];
  EXPECT_THAT(hidden, Not(HasSubstr("\"q\"")));
  const std::string twice = Hidden({"p", R"({"a":"{\"password\":\"q\\\"r\"}"})"})[1];
  EXPECT_THAT(twice, Not(HasSubstr("q\\")));
  EXPECT_TRUE(wire::IsLooseJson(twice)) << twice;
}

// In an argument, and in JSON within one, also when that is a string of JSON again.
TEST_F(FinderTest, APrivateKeyWhateverItsLineEnds) {
  const std::string line = Key(64);
  for (const std::string end :
       {"\n", "\r\n", "\r", " ", "", "\\n", "\\r\\n", "\\u000a", "\\\\n", "\\\\r\\\\n"}) {
    const std::string key = "-----BEGIN RSA PRIVATE KEY-----" + end + line + end + line + end +
                            "-----END RSA PRIVATE KEY-----" + end;
    for (const std::string& argument : {key, "--key=" + key, R"({"key":")" + key + R"("})"}) {
      const std::string hidden = Hidden({"p", argument})[1];
      EXPECT_THAT(hidden, Not(HasSubstr(line.substr(0, 8)))) << argument;
      EXPECT_THAT(hidden, HasSubstr("KEY-----" + end)) << argument;
      EXPECT_EQ(wire::IsLooseJson(hidden), wire::IsLooseJson(argument)) << hidden;
    }
  }
}

}  // namespace
}  // namespace midwire::trace::redact
