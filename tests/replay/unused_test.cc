// Declarations that name nothing.
#include "replay/script/unused.h"

#include <gmock/gmock.h>

#include "replay/script/declared.h"

namespace midwire::replay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Unused Seeking(const std::string& place) {
  Unused unused;
  unused.Add("--ignore", *ParseScopedPlace(place));
  return unused;
}

TEST(UnusedTest, AValueIsEnoughWhateverItIs) {
  Unused unused = Seeking("/result/*/pid");
  unused.OnMessage({"a", {}}, R"({"id":1,"result":{}})");
  EXPECT_THAT(unused.Lines(), ElementsAre("--ignore: no message has \"/result/*/pid\" (check the "
                                          "method and the pointer)"));
  unused.OnMessage({"a", {}}, R"({"id":1,"result":[{"pid":null}]})");
  EXPECT_THAT(unused.Lines(), IsEmpty());
}

TEST(UnusedTest, OfTheMethodAndOfTheScope) {
  Unused unused = Seeking("a[/params/n=1]:/result");
  unused.OnMessage({"b", {}}, R"({"result":1})");
  unused.OnMessage({"a", {}}, R"({"result":1})");
  EXPECT_FALSE(unused.empty());
  unused.OnMessage({"a", {"a[/params/n=1]"}}, R"({"result":1})");
  EXPECT_TRUE(unused.empty());
}

TEST(UnusedTest, AMethodIsUsedByAnyMessageOfIt) {
  Unused unused;
  unused.Add("--volatile", *wire::ParseMethodScope("notes/*"));
  unused.OnMessage({"tools/call", {}}, "no JSON");
  EXPECT_THAT(unused.Lines(),
              ElementsAre("--volatile: no message is of \"notes/*\" (check the method)"));
  unused.OnMessage({"notes/new", {}}, "no JSON");
  EXPECT_TRUE(unused.empty());
}

TEST(UnusedTest, ALongTraceIsNotReadToItsEnd) {
  Unused unused = Seeking("/no/such");
  const std::string body = "\"" + std::string(40u << 20, 'a') + "\"";
  unused.OnMessage({"a", {}}, body);
  EXPECT_FALSE(unused.empty());
  unused.OnMessage({"a", {}}, body);
  EXPECT_TRUE(unused.empty());
}

}  // namespace
}  // namespace midwire::replay
