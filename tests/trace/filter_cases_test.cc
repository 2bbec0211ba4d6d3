// Runs tests/golden/filter-cases.json, which tests/browser/filter_test.mjs runs as well: the page
// of `midwire report` has the same filter language. MIDWIRE_REWRITE_GOLDEN=1 rewrites the messages
// of its errors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/files.h"
#include "tests/paths.h"
#include "trace/filter.h"
#include "wire/json/quote.h"
#include "wire/json/value.h"

namespace midwire::trace {
namespace {

const std::string kPath = SourceFolder() + "/tests/golden/filter-cases.json";

class FilterCasesTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<wire::Json> read = wire::ParseJson(ReadFile(kPath));
    ASSERT_TRUE(read) << read.error().Text();
    cases = *read;
  }

  // The line that a case describes.
  void Read(const wire::Json& json) {
    line = {};
    const auto number = [&](std::string_view name) {
      const wire::Json* found = json.Find(name);
      return found == nullptr ? std::nullopt : found->Integer();
    };
    const auto text = [&](std::string_view name) -> std::optional<std::string_view> {
      const wire::Json* found = json.Find(name);
      return found == nullptr ? std::nullopt : std::optional<std::string_view>(found->text);
    };
    line.kind = json.String("kind");
    if (const auto dir = text("dir")) line.direction = static_cast<wire::Direction>(*dir == "p2h");
    line.method = text("method");
    line.label = text("label");
    const auto yes = [&](std::string_view name) {
      const wire::Json* found = json.Find(name);
      return found != nullptr && found->boolean;
    };
    line.failed = yes("failed");
    line.unanswered = yes("unanswered");
    line.open_ns = number("open");
    line.error = text("error");
    line.text = json.String("text");
    line.number = number("number");
    line.size = number("size");
    line.latency_ns = number("latency");
    line.at_ns = number("at");
    line.error_code = number("code");
    if (const auto token = text("id")) {
      const bool string = token->starts_with('"');
      const bool fraction = token->find('.') != token->npos;
      id.type = *token == "null" ? wire::Id::Type::kNull
                : string         ? wire::Id::Type::kString
                : fraction       ? wire::Id::Type::kFraction
                                 : wire::Id::Type::kInteger;
      id.token = *token;
      line.id = &id;
    }
  }

  wire::Json cases;
  Line line;
  wire::Id id;
};

TEST_F(FilterCasesTest, EachLineMatchesOrNot) {
  const wire::Json* all = cases.Find("cases");
  ASSERT_NE(all, nullptr);
  ASSERT_GT(all->items.size(), 80u);
  for (const wire::Json& row : all->items) {
    ASSERT_EQ(row.items.size(), 3u);
    const Result<Filter> filter = Filter::Compile(row.items[0].text);
    ASSERT_TRUE(filter) << filter.error().Text();
    Read(row.items[1]);
    EXPECT_EQ(filter->Matches(line), row.items[2].boolean) << row.items[0].text;
  }
}

TEST_F(FilterCasesTest, EachWrongFilterIsRefusedWithItsMessage) {
  const wire::Json* all = cases.Find("errors");
  ASSERT_NE(all, nullptr);
  ASSERT_GT(all->items.size(), 20u);
  const bool rewrite = std::getenv("MIDWIRE_REWRITE_GOLDEN") != nullptr;
  std::string rewritten;
  for (const wire::Json& row : all->items) {
    ASSERT_EQ(row.items.size(), 2u);
    const Result<Filter> filter = Filter::Compile(row.items[0].text);
    const std::string refusal = filter ? "accepted" : filter.error().Text();
    if (!rewrite) {
      EXPECT_EQ(refusal, row.items[1].text);
    }
    rewritten += rewritten.empty() ? "    [" : ",\n    [";
    wire::AppendJsonString(row.items[0].text, &rewritten);
    rewritten += ", ";
    wire::AppendJsonString(refusal, &rewritten);
    rewritten += ']';
  }
  if (!rewrite) return;
  std::string file = ReadFile(kPath);
  const std::string start = "  \"errors\": [\n";
  const size_t at = file.find(start);
  ASSERT_NE(at, file.npos);
  std::ofstream(kPath) << file.substr(0, at) << start << rewritten << "\n  ]\n}\n";
}

}  // namespace
}  // namespace midwire::trace
