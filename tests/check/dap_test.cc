// What checks know of the Debug Adapter Protocol. The test language is that of conversation.h.
#include <gtest/gtest.h>

#include "tests/check/plain.h"
#include "tests/trace/conversation.h"

namespace midwire::trace {
namespace {

TEST(DapCheck, EventsHaveParams) {
  const std::string members = R"("jsonrpc":"off","methods":{"stopped":{"from":"plugin",
    "kind":"notification","params_required":true,
    "params":{"type":"object","required":["reason"]}}})";
  EXPECT_EQ(
      Found(members, R"(<= {"seq":1,"type":"event","event":"stopped","body":{"reason":"x"}})"), "");
  EXPECT_TRUE(Found(members, R"(<= {"seq":1,"type":"event","event":"stopped","body":{}})")
                  .starts_with("must params 1 stopped /body"));
  EXPECT_TRUE(Found(members, R"(<= {"seq":1,"type":"event","event":"stopped"})")
                  .starts_with("must params 1 stopped /body"));
}
TEST(DapCheck, ARequestWithoutSeqSaysSo) {
  EXPECT_EQ(TextsOf(R"("jsonrpc":"off","unknown_methods":"off","ids":{"types":["integer"]})",
                    "=> {\"type\":\"request\",\"command\":\"next\"}\n"),
            "a request without seq\n");
}
TEST(DapCheck, TextsForNumbersAndTruth) {
  const std::string members = R"("jsonrpc":"off","unknown_methods":"off")";
  EXPECT_EQ(Found(members, R"(
    => {"seq":4,"type":"request","command":"next"}
    <= {"seq":5,"type":"response","request_seq":"4","success":"false","command":"next"}
    <= {"seq":"6","type":"event","event":"stopped"}
  )"),
            "must dap.shape 2 next /success: expected true or false, got \"false\"\n"
            "must id.kept 2 next /request_seq: expected 4, got \"4\"\n"
            "must dap.shape 3 stopped /seq: expected an integer, got \"6\"\n");
}
TEST(DapCheck, WithoutSeqItIsStillDap) {
  const std::string members = R"("jsonrpc":"off","unknown_methods":"off")";
  EXPECT_EQ(Found(members, R"(
    => {"seq":1,"type":"request","command":"next"}
    <= {"type":"response","request_seq":1,"success":true,"command":"next"}
    <= {"type":"event","event":"stopped"}
  )"),
            "must dap.shape 2 next /seq: expected an integer\n"
            "must dap.shape 3 stopped /seq: expected an integer\n");
}
TEST(DapCheck, NumbersThatDoNotGrowAreReportedOnceAParty) {
  const std::string members = R"("jsonrpc":"off","unknown_methods":"off")";
  EXPECT_EQ(Found(members, R"(
    => {"seq":1,"type":"request","command":"next"}
    <= {"seq":0,"type":"response","request_seq":1,"success":true,"command":"next"}
    <= {"seq":0,"type":"event","event":"stopped"}
    => {"seq":3,"type":"request","command":"next"}
    => {"seq":3,"type":"request","command":"pause"}
    <= {"seq":0,"type":"response","request_seq":3,"success":true,"command":"next"}
    <= {"seq":0,"type":"response","request_seq":3,"success":true,"command":"pause"}
  )"),
            "should dap.seq 2 next /seq: expected above 0, got 0\n"
            "should id.open 5 pause /seq: got 3\n");
}
TEST(DapCheck, ARepeatedNumberOfAnAnsweredRequest) {
  const std::string members = R"("jsonrpc":"off","unknown_methods":"off")";
  EXPECT_EQ(Found(members, R"(
    => {"seq":3,"type":"request","command":"next"}
    <= {"seq":1,"type":"response","request_seq":3,"success":true,"command":"next"}
    => {"seq":3,"type":"request","command":"pause"}
    <= {"seq":2,"type":"response","request_seq":3,"success":true,"command":"pause"}
  )"),
            "should dap.seq 3 pause /seq: expected above 3, got 3\n");
}
TEST(DapCheck, ATypeInCapitals) {
  const std::string members = R"("jsonrpc":"off","unknown_methods":"off")";
  EXPECT_EQ(Found(members, R"(=> {"seq":1,"type":"Request","command":"next"})"),
            "must message 1 /type: expected \"request\", \"response\" or \"event\", got "
            "\"Request\"\n");
}
TEST(DapCheck, OrderNamesTheCommand) {
  const std::string members = R"("jsonrpc":"off","unknown_methods":"off","rules":[{"id":"x",
    "type":"order","before":["initialized"],"after":["setBreakpoints"]}])";
  EXPECT_EQ(Found(members, R"(
    => {"seq":1,"type":"request","command":"setBreakpoints"}
    <= {"seq":1,"type":"response","request_seq":1,"success":true,"command":"setBreakpoints"}
  )"),
            "must x 1 setBreakpoints /command: expected initialized first, got setBreakpoints\n");
}

}  // namespace
}  // namespace midwire::trace
