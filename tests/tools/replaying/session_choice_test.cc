// Which of several sessions a mock plays, and how it finds that out.
#include "tools/replaying/session_choice.h"

#include <cstdio>

#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

// A session whose first call has this method and these params, and is answered with the result.
std::string SessionOf(const std::string& method, const std::string& params,
                      const std::string& result) {
  return R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":")" +
         method + R"(","params":)" + params + "}}\n" +
         R"({"from":"plugin","message":{"id":1,"result":")" + result + "\"}}\n";
}

class MockSessionsTest : public CommandTest {
 protected:
  // What mock writes to a host that sends this line, with the traces of the folder.
  std::string Mock(const std::string& traces, const std::string& line) {
    const std::string command = "cd " + Path(".") + " && printf '%s\\n' '" + line + "' | '" +
                                MidwirePath() + "' mock " + traces + " 2>err";
    std::string out;
    FILE* const pipe = popen(command.c_str(), "r");
    for (int c = 0; (c = getc(pipe)) != EOF;) out += static_cast<char>(c);
    pclose(pipe);
    return out;
  }
};

TEST_F(MockSessionsTest, TheTraceWhoseFirstMessageFits) {
  Save("probe.jsonl", SessionOf("probe", "{}", "p"));
  Save("work.jsonl", SessionOf("start", "{}", "w"));
  EXPECT_EQ(Mock("probe.jsonl work.jsonl", R"({"id":7,"method":"start","params":{}})"),
            "{\"id\":7,\"result\":\"w\"}\n");
  EXPECT_EQ(Mock("work.jsonl probe.jsonl", R"({"id":7,"method":"probe","params":{}})"),
            "{\"id\":7,\"result\":\"p\"}\n");
}

TEST_F(MockSessionsTest, SeveralSessionsOfOneTrace) {
  Save("both.jsonl", SessionOf("probe", "{}", "p") + SessionOf("start", "{}", "w"));
  EXPECT_EQ(Mock("both.jsonl", R"({"id":7,"method":"start","params":{}})"),
            "{\"id\":7,\"result\":\"w\"}\n");
  EXPECT_NE(ReadFile(Path("err")).find("session 2 of both.jsonl is played, one of 2"),
            std::string::npos);
}

TEST_F(MockSessionsTest, WhereNoneFitsTheFirstIsPlayed) {
  Save("both.jsonl", SessionOf("a", "{}", "1") + SessionOf("b", "{}", "2"));
  EXPECT_NE(Mock("both.jsonl", R"({"id":7,"method":"c"})").find("no recording of c"),
            std::string::npos);
  EXPECT_NE(ReadFile(Path("err")).find("session 1 of both.jsonl is played"), std::string::npos);
}

TEST(SessionChoiceTest, OfOneMethodTheMostSimilar) {
  const std::vector<RecordedSession> sessions = {
      {"t", 0, "init", R"({"id":1,"method":"init","params":{"v":1,"name":"x"}})"},
      {"t", 1, "init", R"({"id":2,"method":"init","params":{"v":2,"name":"x"}})"},
      {"t", 2, "init", R"({"id":3,"method":"init","params":{"name":"x", "v":2}})"}};
  const auto chosen = [&](const std::string& params) {
    return MostSimilar(sessions, "init", R"({"id":9,"method":"init","params":)" + params + "}");
  };
  EXPECT_EQ(chosen(R"({"v":2,"name":"other"})"), 1u);
  EXPECT_EQ(chosen(R"({"v":1,"name":"x","more":true})"), 0u);
  EXPECT_EQ(chosen(R"({"v":3,"name":"x"})"), 0u) << "of equally similar ones the first";
  EXPECT_EQ(MostSimilar(sessions, "other", sessions[2].body), 0u);
}

// A host that waits for its plugin to speak first would wait forever.
TEST(SessionChoiceTest, NothingIsAwaitedWhereThePluginSpokeFirst) {
  EXPECT_TRUE(CanChoose({{"a", 0, "x", ""}, {"b", 0, "y", ""}}));
  EXPECT_FALSE(CanChoose({{"a", 0, "x", ""}, {"b", 0, "", ""}}));
  EXPECT_FALSE(CanChoose({{"a", 0, "x", ""}}));
}

TEST_F(MockSessionsTest, ASessionThatThePluginBegan) {
  const std::string first = R"({"midwire":"cassette","version":1}
{"from":"plugin","message":{"method":"hello"}}
{"from":"host","message":{"id":1,"method":"start"}}
)";
  const auto sessions = SessionsOf({Save("t.jsonl", first + SessionOf("start", "{}", "w"))});
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions[0].method, "");
  EXPECT_EQ(sessions[1].method, "start");
  EXPECT_EQ(SessionsOf({Path("none.jsonl")}).size(), 1u) << "the load reports it";
}

}  // namespace
}  // namespace midwire::tools
