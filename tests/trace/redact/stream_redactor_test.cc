#include "trace/redact/stream_redactor.h"

#include <gtest/gtest.h>

#include "tests/trace/redact/drawn.h"
#include "tests/trace/redact/key.h"

namespace midwire::trace::redact {
namespace {

TEST(StreamRedactorTest, EachStreamIsHeldForItself) {
  const std::string secret = "gh" + ("p_" + Key(36));
  StreamRedactor redactor({.shapes = true}, kKey);
  std::string out, err;
  redactor.Feed(Stream::kHostToPlugin, "use " + secret.substr(0, 9), &out);
  redactor.Feed(Stream::kStderr, secret.substr(9), &err);
  redactor.Feed(Stream::kHostToPlugin, secret.substr(9), &out);
  redactor.Finish(Stream::kHostToPlugin, &out);
  EXPECT_EQ(out, "use " + TokenOf(secret, kKey));
}

TEST(StreamRedactorTest, OnlyPlacesAreNamed) {
  StreamRedactor redactor({.pointers = {*wire::ParsePointer("/token")}}, kKey);
  std::vector<std::string> arguments = {"plugin", "--password=abc"};
  redactor.HideInArguments(&arguments);
  EXPECT_EQ(arguments[1], "--password=abc");
  std::string out;
  redactor.Feed(Stream::kStderr, "password=abc", &out);
  redactor.Finish(Stream::kStderr, &out);
  EXPECT_EQ(out, "password=abc") << "nothing is held";
}

TEST(StreamRedactorTest, PlacesAndWhatLooksLikeASecretHaveOneKey) {
  StreamRedactor redactor({.names = {"token"}, .shapes = true}, kKey);
  std::string text = R"({"token":"abcdef"})", again = text;
  redactor.InFrames().Rewrite(text.data(), text.size());
  Redactor({}, kKey, {"token"}).Rewrite(again.data(), again.size());
  EXPECT_EQ(text, again);
  std::vector<std::string> arguments = {"plugin", "--password=abc"};
  redactor.HideInArguments(&arguments);
  EXPECT_EQ(arguments[1], "--password=" + TokenOf("abc", kKey));
}

}  // namespace
}  // namespace midwire::trace::redact
