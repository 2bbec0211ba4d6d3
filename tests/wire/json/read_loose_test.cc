// A text read in one go: what is JSON, as a cursor finds it.
#include "wire/json/read_loose.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/json/valid.h"

namespace midwire::wire {
namespace {

// The same token by token.
bool IsLooseByCursor(std::string_view text) {
  JsonCursor<JsonSyntax::kLoose> cursor(text);
  for (;;) {
    const JsonToken token = cursor.Next();
    if (token == JsonToken::kEnd || token == JsonToken::kBroken) return token == JsonToken::kEnd;
  }
}

TEST(ReadLooseTest, EachByteReplacedInsertedAndRemoved) {
  const std::string sample =
      R"( {"a":[1,-2.5e3,true,null,{}],"a longer name than a block":"x\u00e4\n","":{"b" : []}} )";
  ASSERT_TRUE(IsLooseJson(sample));
  for (size_t at = 0; at < sample.size(); ++at) {
    for (const char c : std::string("\"\\{}[]:, \n\x01u0-.etn\xff", 18)) {
      std::string replaced = sample, inserted = sample, removed = sample;
      replaced[at] = c;
      inserted.insert(at, 1, c);
      removed.erase(at, 1);
      for (const std::string& text : {replaced, inserted, removed}) {
        ASSERT_EQ(IsLooseJson(text), IsLooseByCursor(text)) << text;
      }
    }
  }
}

TEST(ReadLooseTest, EachBeginningOfAText) {
  const std::string sample = R"([{"name":"a text of more than sixteen bytes","n":[0]},"\"",[[]]])";
  for (size_t size = 0; size < sample.size(); ++size) {
    EXPECT_FALSE(IsLooseJson(sample.substr(0, size))) << size;
  }
  EXPECT_TRUE(IsLooseJson(sample));
}

TEST(ReadLooseTest, AsDeepAsACursorReads) {
  for (const size_t depth : {kMaxLooseDepth, kMaxLooseDepth + 1}) {
    const std::string text = std::string(depth, '[') + std::string(depth, ']');
    EXPECT_EQ(IsLooseJson(text), depth == kMaxLooseDepth);
  }
}

}  // namespace
}  // namespace midwire::wire
