// The host's own identity: paths and the pid of the recording are read as today's.
#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

TEST(ReplayHostTest, TheWorkingDirectoryIsTodays) {
  ExpectReplays(Host().In("/srv/ci"), R"(
    spawn in /home/ada/tea
    -> {"id":1,"method":"open","params":{"uri":"file:///home/ada/tea/pot.c"}}
    <- {"id":1,"result":{"/home/ada/tea/pot.c":"in /home/ada/tea: ok"}}
    end
  )",
                R"(
    -> {"id":1,"method":"open","params":{"uri":"file:///srv/ci/pot.c"}}
    <- {"id":1,"result":{"/srv/ci/pot.c":"in /srv/ci: ok"}}
    closes
    same
    note recorded paths were replaced in 3 strings
  )");
}

TEST(ReplayHostTest, AMockReadsThemToo) {
  ExpectReplays(Mock().In("/srv/ci"), R"(
    spawn in /home/ada/tea
    => {"id":1,"method":"open","params":["/home/ada/tea/x"]}
    <= {"id":1,"result":"/home/ada/tea"}
    end
  )",
                R"(
    => {"id":1,"method":"open","params":["/srv/ci/x"]}
    <= {"id":1,"result":"/srv/ci"}
    same
    note recorded paths were replaced in 2 strings
  )");
}

TEST(ReplayHostTest, ARecordedPathThatAProgramHasBuiltInIsTheSame) {
  ExpectReplays(Host().In("/srv/ci"), R"(
    spawn in /home/ada/tea
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"/home/ada/tea/x"}
    end
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"/home/ada/tea/x"}
    closes
    same
    note recorded paths were replaced in 1 string
  )");
}

TEST(ReplayHostTest, AnotherPathDiffers) {
  ExpectReplays(Host().In("/srv/ci"), R"(
    spawn in /home/ada/tea
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"/home/ada/tea/x"}
    end
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"/srv/ci/y"}
    closes
    differs 2 a /result: "/srv/ci/x" | "/srv/ci/y"
    note recorded paths were replaced in 1 string
  )");
}

TEST(ReplayHostTest, TheHomeDirectoryOfAnOlderTraceIsThatOfItsPath) {
  ExpectReplays(Host().In("/srv/ci", "/root"), R"(
    spawn in /home/ada/tea
    -> {"method":"a","params":["/home/ada/.config","/home/ada/tea","/home/bob"]}
    end
  )",
                R"(
    -> {"method":"a","params":["/root/.config","/srv/ci","/home/bob"]}
    closes
    same
    note recorded paths were replaced in 2 strings
  )");
}

TEST(ReplayHostTest, TheSameDirectoryAndTheRootChangeNothing) {
  for (const char* cwd : {"/home/ada/tea", "/"}) {
    const std::string script = std::string("spawn in ") + cwd +
                               "\n-> {\"method\":\"a\",\"params\":[\"/home/ada/tea/x\"]}\nend\n";
    ExpectReplays(Host().In("/home/ada/tea"), script, R"(
      -> {"method":"a","params":["/home/ada/tea/x"]}
      closes
      same
    )");
  }
}

TEST(ReplayHostTest, MethodsAndIdsAreNoPaths) {
  ExpectReplays(Host().Map("tea=coffee"), R"(
    -> {"id":"tea","method":"tea/pot","params":{"tea":"tea"}}
    <- {"id":"tea","result":"tea"}
  )",
                R"(
    -> {"id":"tea","method":"tea/pot","params":{"coffee":"coffee"}}
    <- {"id":"tea","result":"coffee"}
    closes
    same
    note recorded paths were replaced in 3 strings
  )");
}

TEST(ReplayHostTest, AMapToItselfKeepsAPath) {
  ExpectReplays(Host().In("/srv/ci").Map("/opt=/usr").Map("/home/ada/tea/lib=/home/ada/tea/lib"),
                R"(
    spawn in /home/ada/tea
    -> {"method":"a","params":["/opt/x","/home/ada/tea/lib/x","/home/ada/tea/x"]}
    end
  )",
                R"(
    -> {"method":"a","params":["/usr/x","/home/ada/tea/lib/x","/srv/ci/x"]}
    closes
    same
    note recorded paths were replaced in 2 strings
  )");
}

TEST(ReplayHostTest, EscapesBesideAPathStayAsRecorded) {
  ExpectReplays(Host().Map("/a=/b\"\\c"), R"(
    -> {"method":"m","params":["\u00e9 \/a\/x \"/a\" \n"]}
  )",
                R"(
    -> {"method":"m","params":["\u00e9 /b\"\\c\/x \"/b\"\\c\" \n"]}
    closes
    same
    note recorded paths were replaced in 1 string
  )");
}

TEST(ReplayHostTest, ABatchIsMappedToo) {
  ExpectReplays(Host().In("/b"), R"(
    spawn in /a/long/path
    -> [{"id":1,"method":"m","params":["/a/long/path/1"]},{"id":2,"method":"m","params":["/a/long/path"]}]
    <- [{"id":1,"result":"/a/long/path/1"},{"id":2,"result":2}]
    end
  )",
                R"(
    -> [{"id":1,"method":"m","params":["/b/1"]},{"id":2,"method":"m","params":["/b"]}]
    <- [{"id":1,"result":"/b/1"},{"id":2,"result":2}]
    closes
    same
    note recorded paths were replaced in 3 strings
  )");
}

TEST(ReplayHostTest, OurPidIsSent) {
  ExpectReplays(Host().In("", "", 77), R"(
    => {"id":1,"method":"initialize","params":{"processId":4711}}
    <= {"id":1,"result":{"parentPid":4711,"line":4711}}
  )",
                R"(
    => {"id":1,"method":"initialize","params":{"processId":77}}
    <= {"id":1,"result":{"parentPid":77,"line":4711}}
    closes
    same
  )");
}

TEST(ReplayHostTest, NoPidStaysNone) {
  ExpectReplays(Host().In("", "", 77), R"(
    -> {"id":1,"method":"initialize","params":{"processId":null}}
  )",
                R"(
    -> {"id":1,"method":"initialize","params":{"processId":null}}
    closes
    same
  )");
}

TEST(ReplayHostTest, APidThatTheHeaderDeclares) {
  ExpectReplays(Host().In("", "", 77), R"(
    header {"event":"header","host":{"pid":["start:/params/host/0"]}}
    -> {"id":1,"method":"start","params":{"host":[4711]}}
  )",
                R"(
    -> {"id":1,"method":"start","params":{"host":[77]}}
    closes
    same
  )");
}

TEST(ReplayHostTest, AMockTakesAnyPid) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"initialize","params":{"processId":4711}}
    <- {"id":1,"result":{}}
  )",
                R"(
    -> {"id":1,"method":"initialize","params":{"processId":4712}}
    <- {"id":1,"result":{}}
    same
  )");
}

TEST(ReplayHostTest, APortableTraceHasPlaceholders) {
  const char* const recorded = R"(
    header {"event":"header","portable":true}
    spawn in {cwd}
    => {"id":1,"method":"open","params":{"uri":"file://{cwd}/x","rc":"{home}/.rc","t":"{brace}cwd}"}}
    <= {"id":1,"result":"{cwd}"}
    end
  )";
  ExpectReplays(Host().In("/my tea", "/root"), recorded, R"(
    => {"id":1,"method":"open","params":{"uri":"file:///my%20tea/x","rc":"/root/.rc","t":"{cwd}"}}
    <= {"id":1,"result":"/my tea"}
    closes
    same
  )");
  ExpectReplays(Mock().In("/srv", "/root"), recorded, R"(
    => {"id":1,"method":"open","params":{"uri":"file:///srv/x","rc":"/root/.rc","t":"{cwd}"}}
    <= {"id":1,"result":"/srv"}
    same
  )");
}

TEST(ReplayHostTest, PlaceholdersOfOtherTracesAreTexts) {
  ExpectReplays(Host().In("/srv"), R"(
    -> {"method":"a","params":["{cwd}"]}
  )",
                R"(
    -> {"method":"a","params":["{cwd}"]}
    closes
    same
  )");
}

TEST(ReplayHostTest, APlaceholderWithoutADirectoryIsAnError) {
  auto reader = trace::OpenTrace(std::make_unique<trace::StringSource>(TapeOf(R"(
    header {"event":"header","portable":true}
    -> {"method":"a","params":["{home}/x"]}
  )")));
  const auto loaded = Load(reader->get(), Direction::kHostToPlugin, Host().In("/srv").declared);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().Text(),
            "the cassette is portable, but a directory is not known here: {home} (set HOME)");
}

TEST(ReplayHostTest, AMapThatNamesNothingIsKnown) {
  const Role role = Host().Map("/a=/b").Map("/c=/d");
  const auto loaded = LoadTape(TapeOf(R"(-> {"method":"a","params":["/c/x"]})"), role);
  EXPECT_EQ(loaded->host.UnusedMaps(), std::vector<std::string>{"/a"});
}

std::string ForHost(std::string_view message) {
  const auto loaded = LoadTape(TapeOf(R"(
    spawn in /home/ada/tea
    -> {"method":"a","params":["/home/ada/tea"]}
  )"),
                               Mock().In("/srv/ci", "/root"));
  loaded->host.Watch(message);
  return std::string(
      loaded->host.ForHost("Content-Length: 29\r\n\r\n{\"a\":\"/srv/ci/x\",\"b\":\"/root\"}"));
}

TEST(ReplayHostTest, AHostThatNamesTheRecordedDirectoriesGetsThem) {
  EXPECT_EQ(ForHost("{\"params\":\"/home/ada/tea/x\"}"),
            "Content-Length: 39\r\n\r\n{\"a\":\"/home/ada/tea/x\",\"b\":\"/home/ada\"}");
  EXPECT_EQ(ForHost("{\"params\":\"/home/ada/x\"}"),
            "Content-Length: 33\r\n\r\n{\"a\":\"/srv/ci/x\",\"b\":\"/home/ada\"}");
}

TEST(ReplayHostTest, AHostThatNamesTodaysOrNoneGetsTodays) {
  const std::string today = ForHost("{}");
  EXPECT_EQ(today, "Content-Length: 29\r\n\r\n{\"a\":\"/srv/ci/x\",\"b\":\"/root\"}");
  EXPECT_EQ(ForHost("{\"params\":[\"/home/ada/tea/x\",\"/srv/ci\"]}"), today);
}

TEST(ReplayHostTest, ALiveFrameIsWrittenWithTheRecordedValues) {
  const auto loaded = LoadTape(TapeOf(R"(
    spawn in /home/ada/tea
    -> {"id":1,"method":"initialize","params":{"processId":4711}}
    end
  )"),
                               Host().In("/srv", "", 77));
  EXPECT_EQ(loaded->host.Restore("{\"m\":\"/srv/x\",\"pid\":77,\"n\":77}\n", 0),
            "{\"m\":\"/home/ada/tea/x\",\"pid\":4711,\"n\":77}\n");
}

TEST(ReplayHostTest, ADiffersThatShowsOurPidIsTheSameInEachRun) {
  ReplayReport report;
  report.differences.push_back({.expected = "77", .got = "[77,177,\"77.\"]"});
  const auto loaded = LoadTape(TapeOf(R"(
    -> {"id":1,"method":"initialize","params":{"processId":4711}}
  )"),
                               Host().In("", "", 77));
  loaded->host.Report(&report);
  EXPECT_EQ(report.differences[0].expected, "<pid>");
  EXPECT_EQ(report.differences[0].got, "[<pid>,177,\"<pid>.\"]");
}

}  // namespace
}  // namespace midwire::replay
