#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/tools/command.h"
#include "wire/dialect/built_in.h"

namespace midwire::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class DialectCommandTest : public CommandTest {};

TEST_F(DialectCommandTest, ListsOneALine) {
  const Ran ran = Run({"dialect", "list"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const std::string_view name : wire::BuiltInDialects()) {
    EXPECT_THAT("\n" + ran.out, HasSubstr("\n" + std::string(name) + " "));
  }
  EXPECT_EQ(ran.out, Run({"check", "--list"}).out);
}

TEST_F(DialectCommandTest, ShowsTheRevisionsThenTheFile) {
  const std::string file =
      Save("x.json", R"({"dialect":"x","title":"all","revisions":{"1":{},"2":{"title":"new"}}})");
  EXPECT_EQ(Run({"dialect", "show", file}).out,
            "1  all\n2  new (default)\n\n" + ReadFile(file) + "\n");
  EXPECT_EQ(Run({"dialect", "show", "json-rpc-2.0"}).out,
            std::string(wire::BuiltInDialect("json-rpc-2.0")));
}

TEST_F(DialectCommandTest, DetectsThatOfATrace) {
  const std::string trace = Save("t.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}}
{"from":"host","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}
{"from":"host","message":{"jsonrpc":"2.0","id":2,"method":"tools/list"}}
)");
  const Ran ran = Run({"dialect", "detect", trace});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("mcp (certain: 3 of 3 calls, framing"));
}

TEST_F(DialectCommandTest, NoSuchDialectOrTrace) {
  const Ran unknown = Run({"dialect", "show", "mpc"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("mpc"), HasSubstr("did you mean \"mcp\"")));
  EXPECT_THAT(Run({"dialect", "show", folder_}).err, HasSubstr("cannot open the dialect: "));
  EXPECT_EQ(Run({"dialect", "detect", Path("none")}).code, 2);
  EXPECT_EQ(Run({"dialect"}).code, 2);
  const Ran broken = Run(
      {"dialect", "show", Save("b.json", R"({"dialect":"b","revisions":{"1":{"since":"1"}}})")});
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.err, HasSubstr("b.json at /revisions/1/since"));
}

}  // namespace
}  // namespace midwire::tools
