// midwire mock with a host that frames otherwise than the recorded one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/paths.h"
#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

class MockFramingTest : public CommandTest {
 protected:
  // What mock prints on stderr.
  std::string Warned(const std::string& printf_text) const {
    const std::string trace = Save("s.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"a"}}
{"from":"plugin","message":{"id":1,"result":1}}
)");
    const std::string command = "printf '" + printf_text + "' | '" + MidwirePath() + "' mock " +
                                trace + " >/dev/null 2>" + Path("err");
    EXPECT_NE(system(command.c_str()), -1);
    return ReadFile(Path("err"));
  }
};

TEST_F(MockFramingTest, AHostOfTheOtherFramingIsNamedAtOnce) {
  EXPECT_THAT(Warned(R"(Content-Length: 21\r\n\r\n{"id":1,"method":"a"})"),
              HasSubstr("the host frames with Content-Length, and the recording has lines"));
}

TEST_F(MockFramingTest, AHostAsRecordedIsNot) {
  EXPECT_THAT(Warned(R"({"id":1,"method":"a"}\n)"), Not(HasSubstr("frames with")));
}

}  // namespace
}  // namespace midwire::tools
