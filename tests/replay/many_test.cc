// Much of everything: what a run costs must grow with the session, not with its square. Each of
// these took minutes when every call looked through all others.
#include <gmock/gmock.h>

#include <ctime>

#include "tests/replay/conversation.h"
#include "tests/sanitized.h"

namespace midwire::replay {
namespace {

const int kMany = Many(60'000);

// Of this process, so that a busy machine makes no test fail.
class CpuTime {
 public:
  double Seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  const std::clock_t start_ = std::clock();
};

// Far more than is needed with sanitizers, far less than the square takes without.
constexpr double kEnough = 12;

std::string Handles(const char* prefix) {
  std::string list;
  for (int i = 0; i < kMany; ++i) {
    list += std::string(i == 0 ? "\"" : ",\"") + prefix + std::to_string(100'000 + i) + "\"";
  }
  return "[" + list + "]";
}

TEST(ReplayManyTest, CallsThatAreOpenAtOnce) {
  std::string calls, answers;
  for (int i = 0; i < kMany; ++i) {
    const std::string id = std::to_string(i);
    calls += R"(<- {"id":)" + id + R"(,"method":"a","params":)" + id + "}\n";
    answers += R"(-> {"id":)" + id + R"(,"result":1})" + "\n";
  }
  LiveRun run(TapeOf(calls + answers), Host());
  const CpuTime time;
  std::string bytes;
  for (const std::string& line : LinesOf(calls)) bytes += BytesOf(line);
  run.Say(bytes);
  EXPECT_EQ(run.Done(), answers + "closes\n");
  EXPECT_LT(time.Seconds(), kEnough);
}

TEST(ReplayManyTest, HandlesInOneMessage) {
  const std::string old_ones = Handles("h-8f3a"), new_ones = Handles("h-77bd");
  // A cassette: a line holds all of them.
  const std::string session = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"open"}}
{"from":"plugin","message":{"id":1,"result":{"handles":)" +
                              old_ones + R"(}}}
{"from":"host","message":{"id":2,"method":"close","params":{"handles":)" +
                              old_ones + "}}}\n";
  LiveRun run(session, Host().Ignore("/result/time"));
  const CpuTime time;
  run.Done();
  run.Say(R"({"id":1,"result":{"handles":)" + new_ones + "}}\n");
  EXPECT_EQ(run.Done(),
            R"(-> {"id":2,"method":"close","params":{"handles":)" + new_ones + "}}\ncloses\n");
  EXPECT_LT(time.Seconds(), kEnough);
}

// Compared one by one, these would be five thousand million comparisons.
TEST(ReplayManyTest, AMockServesAHundredThousandRequestsInAnotherOrderThanRecorded) {
  const int many = Many(100'000);
  std::string recorded, live;
  for (int i = 0; i < many; ++i) {
    const std::string number = std::to_string(i);
    recorded += "-> {\"id\":" + number + ",\"method\":\"a\",\"params\":{\"n\":" + number + "}}\n";
    const std::string back = std::to_string(many - 1 - i);
    live += "{\"id\":" + number + ",\"method\":\"a\",\"params\":{\"n\":" + back + "}}\n";
  }
  for (int i = 0; i < many; ++i) {
    const std::string number = std::to_string(i);
    recorded += "<- {\"id\":" + number + ",\"result\":" + number + "}\n";
  }
  LiveRun run(TapeOf(recorded), Mock());
  run.Say(live);
  const std::string last = std::to_string(many - 1);
  EXPECT_THAT(run.sent(), testing::HasSubstr("{\"id\":" + last + ",\"result\":0}\n"));
  EXPECT_THAT(run.sent(), testing::HasSubstr("{\"id\":0,\"result\":" + last + "}\n"));
  EXPECT_EQ(run.End(), "same\n");
}

}  // namespace
}  // namespace midwire::replay
