// Reverse calls of one request that were recorded one after the answer to the other: no other order
// is the same, however it comes.
#include <algorithm>

#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

constexpr const char* kCalls[] = {R"({"id":11,"method":"read"})", R"({"id":12,"method":"write"})",
                                  R"({"id":13,"method":"exec"})"};

constexpr const char* kInTurn = R"(
    -> {"id":1,"method":"a"}
    <- {"id":11,"method":"read"}
    -> {"id":11,"result":"R"}
    <- {"id":12,"method":"write"}
    -> {"id":12,"result":"W"}
    <- {"id":13,"method":"exec"}
    -> {"id":13,"result":"E"}
    <- {"id":1,"result":1}
)";

// The report of a plugin that makes the calls in this order; `together` of them before it waits for
// an answer.
std::string ReportOf(const std::vector<int>& order, size_t together) {
  LiveRun run(TapeOf(kInTurn), Host());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i < together) run.Happens("busy");
    run.Happens(std::string("<- ") + kCalls[order[i]]);
    if (i + 1 >= together) run.Happens("idle");
    run.Happens("wait 300ms");
  }
  run.Happens(R"(<- {"id":1,"result":1})");
  return run.End();
}

TEST(ReplayReverseOrderTest, OnlyTheRecordedOrderInTurnIsTheSame) {
  std::vector<int> order = {0, 1, 2};
  do {
    for (size_t together : {1, 2, 3}) {
      const bool as_recorded = std::is_sorted(order.begin(), order.end()) && together == 1;
      const std::string report = ReportOf(order, together);
      EXPECT_EQ(report == "same\n", as_recorded)
          << testing::PrintToString(order) << " " << together << " together: " << report;
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace midwire::replay
