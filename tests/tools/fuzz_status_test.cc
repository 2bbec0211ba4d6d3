// What midwire fuzz prints of its events.
#include <gtest/gtest.h>

#include "tools/fuzzing/status.h"

namespace midwire::tools {
namespace {

// On stdout. stderr has the transient lines.
std::string Printed(const std::string& counts) {
  testing::internal::CaptureStdout();
  FuzzStatus(/*json=*/false)
      .OnLine(R"({"event":"finding","oracle":"hang","text":"t","cassette":"c",)" + counts + "}");
  return testing::internal::GetCapturedStdout();
}

TEST(FuzzStatusTest, OneOfAThingIsOne) {
  EXPECT_EQ(Printed(R"("confirmed":3,"tries":3,"messages":1,"bytes":1)"),
            "hang: t\n    c (1 message, 1 byte)\n");
  EXPECT_EQ(Printed(R"("confirmed":1,"tries":3,"messages":2,"bytes":0)"),
            "hang: t\n    c (flaky, 1 of 3; 2 messages, 0 bytes)\n");
}

TEST(FuzzStatusTest, AFindingThatIsNotFullyReducedIsMarked) {
  EXPECT_EQ(Printed(R"("confirmed":3,"tries":3,"messages":2,"bytes":9,"finished":false)"),
            "hang: t\n    c (2 messages, 9 bytes; not fully reduced)\n");
  EXPECT_EQ(Printed(R"("confirmed":3,"tries":3,"messages":2,"bytes":9,"finished":true)"),
            "hang: t\n    c (2 messages, 9 bytes)\n");
}

TEST(FuzzStatusTest, AFindingOfOneLongRunOccurredOnce) {
  EXPECT_EQ(Printed(R"("confirmed":0,"tries":0,"messages":48309,"bytes":9)"),
            "hang: t\n    c (flaky, occurred once; 48309 messages, 9 bytes)\n");
}

}  // namespace
}  // namespace midwire::tools
