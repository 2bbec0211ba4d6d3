// Messages that vary from run to run, as declared: shapes, unordered arrays, floating methods,
// texts in chunks. How values are compared is in compare_test.cc and shape_test.cc.
#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

TEST(VaryingTest, AShapeAcceptsItsValuesOnly) {
  for (const auto& [value, report] :
       {std::pair("1763882387", "same"), std::pair("7", "differs 2 a /result: 1763882386 | 7")}) {
    ExpectReplays(Host().Shaped("a:/result=timestamp"), R"(
      -> {"id":1,"method":"a"}
      <- {"id":1,"result":1763882386}
    )",
                  std::string("-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":") + value +
                      "}\ncloses\n" + report + "\n");
  }
}

TEST(VaryingTest, AnUnorderedArrayIsASet) {
  ExpectReplays(Host().Unordered("a:/result"), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":[1,2,3]}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":[3,1,2]}
    closes
    same
  )");
}

constexpr char kLogs[] = R"(
  -> {"id":1,"method":"a"}
  <- {"method":"log","params":"x"}
  <- {"method":"log","params":"y"}
  <- {"id":1,"result":1}
  -> {"id":2,"method":"b"}
  <- {"id":2,"result":2}
)";

TEST(VaryingTest, AFloatingMessageMayComeAnywhere) {
  ExpectReplays(Host().Floating("log"), kLogs, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"method":"log","params":"y"}
    <- {"id":2,"result":2}
    <- {"method":"log","params":"x"}
    closes
    same
  )");
}

TEST(VaryingTest, AFloatingMessageMustComeAsOftenAsRecorded) {
  ExpectReplays(Host().Floating("log"), kLogs, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":"z"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    wait 1s
    closes
    differs 2 log /params: "x" | "z"
    missing 3 log: {"method":"log","params":"y"} | -
  )");
  ExpectReplays(Host().Floating("log"), kLogs, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":"y"}
    <- {"method":"log","params":"x"}
    <- {"method":"log","params":"x"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    closes
    extra - log: - | {"method":"log","params":"x"} closest 2
  )");
}

constexpr char kOutput[] = R"(
  -> {"id":1,"method":"run"}
  <- {"method":"out","params":{"to":1,"text":"one "}}
  <- {"method":"out","params":{"to":2,"text":"err"}}
  <- {"method":"out","params":{"to":1,"text":"two three"}}
  <- {"id":1,"result":1}
)";

TEST(VaryingTest, AChunkedTextMayBeCutAnywhere) {
  ExpectReplays(Host().Chunked("out:/params/text"), kOutput, R"(
    -> {"id":1,"method":"run"}
    <- {"method":"out","params":{"to":2,"text":"e"}}
    <- {"method":"out","params":{"to":1,"text":"one t"}}
    <- {"method":"out","params":{"to":1,"text":""}}
    <- {"method":"out","params":{"to":2,"text":"rr"}}
    <- {"method":"out","params":{"to":1,"text":"wo "}}
    <- {"method":"out","params":{"to":1,"text":"three"}}
    <- {"id":1,"result":1}
    closes
    same
  )");
}

TEST(VaryingTest, AChunkedTextThatDiffersIsReportedOnce) {
  ExpectReplays(Host().Chunked("out:/params/text"), kOutput, R"(
    -> {"id":1,"method":"run"}
    <- {"method":"out","params":{"to":1,"text":"one t"}}
    <- {"method":"out","params":{"to":1,"text":"en"}}
    <- {"method":"out","params":{"to":1,"text":" three"}}
    <- {"method":"out","params":{"to":2,"text":"err"}}
    <- {"id":1,"result":1}
    closes
    differs 4 out /params/text: "wo three" | "en"
  )");
}

TEST(VaryingTest, AChunkedTextThatEndsEarlyOrGoesOn) {
  ExpectReplays(Host().Chunked("out:/params/text"), kOutput, R"(
    -> {"id":1,"method":"run"}
    <- {"method":"out","params":{"to":1,"text":"on"}}
    <- {"method":"out","params":{"to":2,"text":"err!"}}
    <- {"id":1,"result":1}
    wait 1s
    closes
    missing 2 out: {"method":"out","params":{"to":1,"text":"one "}} | -
    differs 3 out /params/text: - | "!"
  )");
}

TEST(VaryingTest, APieceOfAnotherTextIsExtra) {
  ExpectReplays(Host().Chunked("out:/params/text"), kOutput, R"(
    -> {"id":1,"method":"run"}
    <- {"method":"out","params":{"to":1,"text":"one two three"}}
    <- {"method":"out","params":{"to":2,"text":"err"}}
    <- {"method":"out","params":{"to":3,"text":"x"}}
    <- {"id":1,"result":1}
    closes
    extra - out /params/to: 2 | 3 closest 2
  )");
}

}  // namespace
}  // namespace midwire::replay
