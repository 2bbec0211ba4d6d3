#include "tools/fuzzing/load_seeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class LoadSeedsTest : public CommandTest {
 protected:
  // A session whose plugin sends a list of tools that is no list.
  std::string Broken() {
    return Save("broken.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}}
{"from":"plugin","message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"p","version":"1"}}}}
{"from":"host","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}
{"from":"host","message":{"jsonrpc":"2.0","id":2,"method":"tools/list"}}
{"from":"plugin","message":{"jsonrpc":"2.0","id":2,"result":{"tools":7}}}
)");
  }
};

TEST_F(LoadSeedsTest, WhatTheTraceBreaksOfADetectedDialectIsExempt) {
  const auto loaded = LoadSeeds({Broken()}, "", wire::Direction::kHostToPlugin);
  ASSERT_TRUE(loaded) << loaded.error().Text();
  EXPECT_THAT((*loaded)->exempt, ElementsAre("result tools/list"));
  EXPECT_THAT((*loaded)->dialect_text, HasSubstr("dialect mcp"));
  ASSERT_NE((*loaded)->dialect, nullptr);
  EXPECT_EQ((*loaded)->dialect->Find("tools/list")->result, nullptr);
  EXPECT_NE((*loaded)->dialect->Find("tools/call")->result, nullptr);
}

TEST_F(LoadSeedsTest, OfANamedDialectNothingIsExempt) {
  const auto loaded = LoadSeeds({Broken()}, "mcp", wire::Direction::kHostToPlugin);
  ASSERT_TRUE(loaded) << loaded.error().Text();
  EXPECT_TRUE((*loaded)->exempt.empty());
  EXPECT_NE((*loaded)->dialect->Find("tools/list")->result, nullptr);
}

}  // namespace
}  // namespace midwire::tools
