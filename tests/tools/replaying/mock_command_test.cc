// midwire mock as a command, with hosts that do not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;

class MockCommandTest : public CommandTest {
 protected:
  // The answer has so many bytes of text; the reader of mock's output ends at once.
  Ran MockUnread(size_t size) const {
    const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"get"})";
    Save("in", request + "\n");
    Save("s.jsonl", R"({"midwire":"cassette","version":1})"
                    "\n"
                    R"({"from":"host","message":)" +
                        request + "}\n" +
                        R"({"from":"plugin","message":{"jsonrpc":"2.0","id":1,"result":")" +
                        std::string(size, 'x') + "\"}}\n");
    EXPECT_EQ(system(("cd '" + folder_ + "'; { '" + MidwirePath() +
                      "' mock s.jsonl < in 2> err; echo $? > code; } | true")
                         .c_str()),
              0);
    return {.code = atoi(ReadFile(Path("code")).c_str()), .out = "", .err = ReadFile(Path("err"))};
  }
};

TEST_F(MockCommandTest, WhatTheHostDoesNotReadIsNoDifferenceButReported) {
  const Ran ran = MockUnread(3'000'000);
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("midwire: info: the host did not read the last "));
  EXPECT_THAT(ran.err, HasSubstr("only what it sends is compared"));
}

TEST_F(MockCommandTest, AWarningNamesTheBatchThatAHostSendsAsSingleMessages) {
  Save("s.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":[{"id":1,"method":"a"},{"id":2,"method":"b"}]}
{"from":"plugin","message":[{"id":1,"result":1},{"id":2,"result":2}]}
)");
  Save("in", "{\"id\":1,\"method\":\"a\"}\n");
  EXPECT_EQ(system(("cd '" + folder_ + "'; '" + MidwirePath() + "' mock s.jsonl < in > out 2> err" +
                    "; echo $? > code")
                       .c_str()),
            0);
  EXPECT_THAT(ReadFile(Path("err")),
              HasSubstr("midwire: warning: the host sends a alone, which was recorded in a batch "
                        "(message 1): the answer waits for the other requests of that batch\n"));
}

}  // namespace
}  // namespace midwire::tools
