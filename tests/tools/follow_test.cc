#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fstream>
#include <string>

#include "tests/eventually.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"

namespace midwire::tools {
namespace {

constexpr char kOne[] = "{\"id\":1,\"method\":\"one\"}\n";
constexpr char kTwo[] = "{\"id\":2,\"method\":\"two\"}\n";

class FollowTest : public CommandTest {
 protected:
  void Append(const std::string& name, std::string_view bytes) const {
    std::ofstream(Path(name), std::ios::binary | std::ios::app).write(bytes.data(), bytes.size());
  }

  bool Shows(const std::string& text) const {
    return Eventually([&] { return ReadIfThere(Path("out")).find(text) != std::string::npos; });
  }

  bool Waits() const {
    return Eventually(
        [&] { return ReadIfThere(Path("err")).find("waiting for ") != std::string::npos; });
  }
};

TEST_F(FollowTest, LinesComeAsTheTapeGrowsAndItEndsWithTheSession) {
  const Tape start = Tape::Of({"p"}).Host(kOne);
  Save("tape.pcapng", start.bytes());
  const pid_t pid = Start({"show", "-f", Path("tape.pcapng")});
  EXPECT_TRUE(Shows(" one "));
  const std::string two = Tape(start).Host(kTwo).bytes().substr(start.bytes().size());
  Append("tape.pcapng", two.substr(0, 30));  // a record that is not complete yet
  Append("tape.pcapng", two.substr(30));
  EXPECT_TRUE(Shows(" two "));
  Append("tape.pcapng", Tape(start).Exit(0).bytes().substr(start.bytes().size()));
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
}

TEST_F(FollowTest, AnEmptyFileIsARecordingThatHasJustBegun) {
  Save("tape.pcapng", "");
  const pid_t pid = Start({"show", "-f", Path("tape.pcapng")});
  EXPECT_TRUE(Waits());
  Append("tape.pcapng", Tape::Of({"p"}).Host(kOne).Exit(0).bytes());
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find(" one "), std::string::npos);
}

TEST_F(FollowTest, TheFirstSessionIsWaitedFor) {
  const pid_t pid = Start({"show", "-f", Path("tape.pcapng")});
  EXPECT_TRUE(Waits());
  Save("tape.pcapng", Tape::Of({"p"}).Host(kOne).Exit(0).bytes());
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find(" one "), std::string::npos) << ran.out;
}

TEST_F(FollowTest, ARestartIsFollowedUntilCtrlC) {
  Save("tape.pcapng", Tape::Of({"p"}).Host(kOne).Exit(0).bytes());
  const pid_t pid = Start({"show", "-f", "--restarts", Path("tape.pcapng")});
  EXPECT_TRUE(Shows(" one "));
  Save("tape-2.pcapng", Tape::Of({"p"}).Host(kTwo).Exit(0).bytes());
  EXPECT_TRUE(Shows(" two "));
  kill(pid, SIGINT);
  EXPECT_EQ(Wait(pid).code, 0);
}

TEST_F(FollowTest, ARestartThatHasHappenedIsShownAndNamed) {
  Save("tape-2.pcapng", Tape::Of({"p"}).Host(kTwo).Exit(0).bytes());
  const std::string tape = Save("tape.pcapng", Tape::Of({"p"}).Host(kOne).Exit(0).bytes());
  const Ran followed = Run({"show", "-f", tape});
  EXPECT_EQ(followed.code, 0);
  EXPECT_NE(followed.out.find(" two "), std::string::npos) << followed.out;
  // As `show tape-2.pcapng` numbers them.
  EXPECT_EQ(followed.out.find("\n    2 "), std::string::npos) << followed.out;
  const std::string note = "there is a newer session of this name: " + Path("tape-2.pcapng");
  EXPECT_NE(Run({"show", tape}).err.find(note), std::string::npos);
  EXPECT_NE(Run({"check", tape}).err.find(note), std::string::npos);
  EXPECT_EQ(Run({"show", Path("tape-2.pcapng")}).err.find("newer"), std::string::npos);
}

TEST_F(FollowTest, ANewerSessionIsNamedOnceAndOnlyIfTheCommandLineDoesNot) {
  const std::string one = Save("t.pcapng", Tape::Of({"p"}).Host(kOne).Exit(0).bytes());
  const std::string two = Save("t-2.pcapng", Tape::Of({"p"}).Host(kTwo).Exit(0).bytes());
  EXPECT_EQ(Run({"check", one, two}).err.find("newer"), std::string::npos);
  const std::string three = Save("t-3.pcapng", Tape::Of({"p"}).Host(kTwo).Exit(0).bytes());
  const std::string err = Run({"check", one, one, two}).err;
  EXPECT_NE(err.find("newer session of this name: " + three), std::string::npos) << err;
  EXPECT_EQ(err.find("newer"), err.rfind("newer")) << err;
}

TEST_F(FollowTest, WhatIsAgreedOnLateComesBehindTheAnswer) {
  const std::string asks =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})"
      "\n";
  const std::string answers =
      R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}})"
      "\n";
  const Tape start = Tape::Of({"p"}).Host(asks);
  Save("tape.pcapng", start.bytes());
  const pid_t pid = Start({"show", "-f", "--dialect", "mcp", Path("tape.pcapng")});
  EXPECT_TRUE(Shows(" initialize "));
  Append("tape.pcapng", Tape(start).Plugin(answers).Exit(0).bytes().substr(start.bytes().size()));
  const std::string out = Wait(pid).out;
  EXPECT_EQ(out.find("not agreed"), std::string::npos) << out;
  const size_t head = out.find("mcp 2025-06-18; host: roots; plugin: tools\n");
  EXPECT_NE(head, std::string::npos) << out;
  EXPECT_GT(head, out.find("<- response")) << out;
}

TEST_F(FollowTest, AnotherMessageBeforeTheAnswerBringsTheHeadTwice) {
  const std::string asks =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})"
      "\n";
  const Tape start = Tape::Of({"p"}).Host(asks);
  Save("tape.pcapng", start.bytes());
  const pid_t pid = Start({"show", "-f", "--dialect", "mcp", Path("tape.pcapng")});
  EXPECT_TRUE(Shows(" initialize "));
  Tape longer = start;
  longer.Plugin(R"({"jsonrpc":"2.0","method":"notifications/message"})"
                "\n");
  longer.Plugin(R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26"}})"
                "\n");
  Append("tape.pcapng", longer.Exit(0).bytes().substr(start.bytes().size()));
  const std::string out = Wait(pid).out;
  EXPECT_LT(out.find(" (not agreed on)"), out.find("notifications/message")) << out;
  EXPECT_NE(out.find("mcp 2025-03-26\n"), std::string::npos) << out;
}

TEST_F(FollowTest, CallsWithoutAnAnswerAreNamedAtTheEnd) {
  const Tape tape = Tape::Of({"p"}).Host(kOne).Host(kTwo).Host("{\"id\":3,\"method\":\"x\"}\n");
  const std::string path =
      Save("tape.pcapng", Tape(tape).Plugin("{\"id\":2,\"result\":0}\n").Exit(0).bytes());
  EXPECT_NE(Run({"show", "-f", path}).out.find("open         2 calls were not answered: 1, 3\n"),
            std::string::npos);
  EXPECT_NE(Run({"show", "-f", path, "method=x"}).out.find(" 1 call was not answered: 3\n"),
            std::string::npos);
  EXPECT_EQ(Run({"show", path}).out.find("were not answered"), std::string::npos);
}

TEST_F(FollowTest, APipeIsNotFollowed) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  const Tape tape = Tape::Of({"p"}).Host(kOne).Event(trace::EndEvent{"pipe"});
  const pid_t pid = Start({"show", "-f", Save("tape.pcapng", tape.bytes())});
  int status = 0;
  EXPECT_TRUE(Eventually([&] { return waitpid(pid, &status, WNOHANG) == pid; }));
  kill(pid, SIGKILL);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_NE(ReadFile(Path("out")).find(" one "), std::string::npos);
  EXPECT_NE(ReadFile(Path("err")).find("not a regular file"), std::string::npos);
}

TEST_F(FollowTest, CtrlCEndsItInOrder) {
  Save("tape.pcapng", Tape::Of({"p"}).Host(kOne).bytes());
  const pid_t pid = Start({"show", "--follow", Path("tape.pcapng")});
  EXPECT_TRUE(Shows(" one "));
  kill(pid, SIGINT);
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
}

TEST_F(FollowTest, RotationIsFollowedAndAFrameMayCrossIt) {
  const std::string one = kOne, two = kTwo;
  Tape first = Tape::Of({"p"}).Host(one + two.substr(0, 9));
  first.Event(trace::EndEvent{"tape.2.pcapng"});
  trace::SpawnEvent again;
  again.argv = {"p"};
  again.part = 2;
  const Tape second = Tape().Event(again).Host(two.substr(9)).Exit(0);
  Save("tape.2.pcapng", second.bytes());
  const Ran ran = Run({"show", "-f", Save("tape.pcapng", first.bytes())});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("    2    "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" two "), std::string::npos) << ran.out;
  EXPECT_NE(Run({"show", Path("tape.pcapng")}).err.find("continues in tape.2.pcapng"),
            std::string::npos);
}

TEST_F(FollowTest, ATapeCannotNameAnotherFolder) {
  Save("secret.pcapng", Tape::Of({"secret"}).Host(kTwo).Exit(0).bytes());
  std::filesystem::create_directories(Path("sub"));
  for (const std::string& next : {std::string("../secret.pcapng"), Path("secret.pcapng")}) {
    const Tape tape = Tape::Of({"p"}).Host(kOne).Event(trace::EndEvent{next});
    const Ran ran = Run({"show", "-f", Save("sub/tape.pcapng", tape.bytes())});
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find(" one "), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("secret ("), std::string::npos) << ran.out;
  }
}

TEST_F(FollowTest, RawFollowsToo) {
  const Tape start = Tape::Of({"p"}).Host(kOne);
  Save("tape.pcapng", start.bytes());
  const pid_t pid = Start({"show", "-f", "--raw", "--direction", "h2p", Path("tape.pcapng")});
  EXPECT_TRUE(Shows(kOne));
  Append("tape.pcapng", Tape(start).Host(kTwo).Exit(0).bytes().substr(start.bytes().size()));
  EXPECT_EQ(Wait(pid).out, std::string(kOne) + kTwo);
}

TEST_F(FollowTest, APartIsFollowedOnlyOnce) {
  const auto part = [](const std::string& next) {
    return Tape::Of({"p"}).Host(kOne).Event(trace::EndEvent{next}).bytes();
  };
  Save("a.pcapng", part("b.pcapng"));
  Save("b.pcapng", part("a.pcapng"));
  Save("self.pcapng", part("self.pcapng"));
  for (const char* first : {"a.pcapng", "self.pcapng"}) {
    const pid_t pid = Start({"show", "-f", Path(first)});
    EXPECT_TRUE(Eventually([&] {
      siginfo_t ended = {};
      waitid(P_PID, pid, &ended, WEXITED | WNOHANG | WNOWAIT);
      return ended.si_pid == pid || ReadIfThere(Path("out")).size() > 10'000;
    }));
    kill(pid, SIGKILL);
    EXPECT_EQ(Wait(pid).code, 0) << first;
  }
}

}  // namespace
}  // namespace midwire::tools
