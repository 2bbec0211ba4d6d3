#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

TEST(ReplayEmbeddedIdsTest, AParentRequestIdIsOurs) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":5,"method":"ask","parentRequestId":1}
    -> {"id":5,"result":0}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":6,"method":"ask","parentRequestId":2}
    -> {"id":6,"result":0}
    <- {"id":1,"result":1}
    closes
    differs 2 ask /parentRequestId: 1 | 2
  )");
}

TEST(ReplayEmbeddedIdsTest, ThePluginCancelsItsOwnCallUnderItsLiveId) {
  for (const auto& [method, name] :
       {std::pair("$/cancelRequest", "id"), std::pair("notifications/cancelled", "requestId")}) {
    const auto cancel = [&, method = method, name = name](const char* id) {
      return std::string("<- {\"method\":\"") + method + "\",\"params\":{\"" + name + "\":" + id +
             "}}\n";
    };
    const std::string recorded = "<- {\"id\":10,\"method\":\"ask\"}\n";
    const std::string live = "<- {\"id\":77,\"method\":\"ask\"}\n";
    ExpectReplays(Host(), recorded + cancel("10"), live + cancel("77") + "closes\nsame\n");
    ExpectReplays(Host().ShowText(), recorded + cancel("10"),
                  live + cancel("10") + "closes\ndiffers 2 " + method + " /params/" + name +
                      ": 10 | 10 (the id of another request than recorded)\n");
  }
}

TEST(ReplayEmbeddedIdsTest, AMocksParentIdIsLive) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":5,"method":"ask","parentRequestId":1}
    -> {"id":5,"result":0}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":41,"method":"a"}
    <- {"id":5,"method":"ask","parentRequestId":41}
    -> {"id":5,"result":0}
    <- {"id":41,"result":1}
    same
  )");
}

TEST(ReplayEmbeddedIdsTest, DeclaredInTheHeader) {
  ExpectReplays(Host(), R"(
    header {"event":"header","ids":{"sender":["job/stop:/params/job"]}}
    <- {"id":10,"method":"job/run"}
    <- {"method":"job/stop","params":{"job":10}}
    -> {"id":10,"result":"stopped"}
  )",
                R"(
    <- {"id":11,"method":"job/run"}
    -> {"id":11,"result":"stopped"}
    <- {"method":"job/stop","params":{"job":11}}
    closes
    same
  )");
}

TEST(ReplayEmbeddedIdsTest, AProgressTokenThatTheHostChoseIsRepeatedInAMock) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a","params":{"_meta":{"progressToken":1}}}
    <- {"method":"notifications/progress","params":{"progressToken":1,"progress":5}}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":7,"method":"a","params":{"_meta":{"progressToken":9}}}
    <- {"method":"notifications/progress","params":{"progressToken":9,"progress":5}}
    <- {"id":7,"result":1}
    same
    bound b1 1
  )");
}

TEST(ReplayEmbeddedIdsTest, ADapCancelOfThePlugin) {
  ExpectReplays(Mock(), R"(
    -> {"seq":1,"type":"request","command":"launch"}
    -> {"seq":2,"type":"request","command":"cancel","arguments":{"requestId":1}}
    <- {"seq":1,"type":"response","request_seq":1,"success":false,"command":"launch"}
    <- {"seq":2,"type":"response","request_seq":2,"success":true,"command":"cancel"}
  )",
                R"(
    -> {"seq":11,"type":"request","command":"launch"}
    -> {"seq":12,"type":"request","command":"cancel","arguments":{"requestId":11}}
    <- {"seq":1,"type":"response","request_seq":11,"success":false,"command":"launch"}
    <- {"seq":2,"type":"response","request_seq":12,"success":true,"command":"cancel"}
    same
  )");
}

}  // namespace
}  // namespace midwire::replay
