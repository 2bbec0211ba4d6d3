// Secrets in the events of a trace.
#include "trace/redact/trace_secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace/redact/key.h"

namespace midwire::trace::redact {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Hidden(std::string json) {
  Patterns patterns;
  patterns.AddShapes();
  TraceSecrets secrets({}, kKey, {}, std::move(patterns));
  EXPECT_TRUE(secrets.FindInEvent(*ParseEvent(json)));
  secrets.Seal();
  secrets.HideInEvent(&json);
  return json;
}
std::string Note(const char* text) { return ToJson(NoteEvent{text}); }

TEST(TraceSecretsTest, NotesOfAnyLength) {
  const std::string hidden = Hidden(Note("cannot log in: password=hunter2, pin: 1234"));
  EXPECT_THAT(hidden, HasSubstr("cannot log in: password="));
  EXPECT_THAT(hidden, Not(HasSubstr("hunter2")));
  EXPECT_THAT(hidden, Not(HasSubstr("1234")));
}

TEST(TraceSecretsTest, AnEventOfANewerVersionStaysOne) {
  const std::string json = R"({"event":"login","password":"abc","more":[1]})";
  const std::string now = Hidden(json);
  EXPECT_THAT(now, testing::MatchesRegex(R"(\{"event":"login","password":"...","more":\[1\]\})"));
  EXPECT_NE(now, json);
}

TEST(TraceSecretsTest, TheHeaderOfACassette) {
  const std::string hidden = Hidden(
      R"({"event":"header","title":"run with password=hunter2","notes":{"password":"abc12"}})");
  EXPECT_THAT(hidden,
              testing::MatchesRegex(R"re(\{"event":"header","title":"run with password=.*",)re"
                                    R"re("notes":\{"password":"....."\}\})re"));
  EXPECT_THAT(hidden, Not(HasSubstr("hunter2")));
  EXPECT_THAT(hidden, Not(HasSubstr("abc12")));
}

TEST(TraceSecretsTest, DeclarationsInAHeaderStay) {
  const std::string header = R"({"event":"header","shape":["login:/result/password=integer"],)"
                             R"("bind":["a:/result/token=b:/params/token"],"title":"password"})";
  EXPECT_EQ(Hidden(header), header);
}

TEST(TraceSecretsTest, OtherNotesStay) {
  const std::string note = Note("the password is required; 2 passed");
  EXPECT_EQ(Hidden(note), note);
}

}  // namespace
}  // namespace midwire::trace::redact
