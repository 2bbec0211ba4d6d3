#include "fuzz/mutate/message_spans.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

// How often of a thousand each value is picked.
std::map<std::string, int> PickedInMessage(std::string_view body, wire::JsonType type) {
  std::map<std::string, int> picked;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const auto node = PickInMessage(body, Of(type), kInside, &random);
    ++picked[node ? std::string(node->text(body)) : "none"];
  }
  return picked;
}

TEST(PickInMessageTest, MostlyAValueBelowParamsOrResult) {
  auto picked = PickedInMessage(R"({"id":1,"method":"m","params":{"at":12,"to":[34]}})",
                                wire::JsonType::kNumber);
  EXPECT_LT(picked["1"], 150);
  EXPECT_GT(picked["12"], 350);
  EXPECT_GT(picked["34"], 350);
  picked = PickedInMessage(R"({"id":1,"result":{"text":"a"}})", wire::JsonType::kString);
  EXPECT_EQ(picked["\"a\""], 1000);
}

TEST(PickInMessageTest, WhereParamsHaveNoneTheIdIsSeldomTaken) {
  auto picked =
      PickedInMessage(R"({"id":1,"method":"m","params":{"text":"a"}})", wire::JsonType::kNumber);
  EXPECT_LT(picked["1"], 350);
  EXPECT_GT(picked["none"], 650);
}

TEST(PickInMessageTest, WhereThereAreNoParamsAnyIs) {
  EXPECT_EQ(PickedInMessage(R"({"id":1,"method":"m"})", wire::JsonType::kNumber)["1"], 1000);
}

}  // namespace
}  // namespace midwire::fuzz
