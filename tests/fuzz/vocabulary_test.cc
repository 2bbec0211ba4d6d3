#include "fuzz/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/decoder.h"
#include "wire/dialect/built_in.h"

namespace midwire::fuzz {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;
using wire::Direction;

// The vocabulary of lines that a host sends.
class Sent : public wire::FrameHandler {
 public:
  explicit Sent(std::string_view lines, Direction direction = Direction::kHostToPlugin)
      : direction_(direction) {
    wire::Decoder decoder;
    decoder.Feed(lines, this);
    decoder.Finish(this);
  }
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override {
    words.AddMessage(direction_, message, frame.body());
  }
  void OnJunk(const wire::Junk&) override {}

  Vocabulary words;

 private:
  Direction direction_;
};

Vocabulary Described(const std::string& members) {
  const auto dialect = wire::LoadDialect("{\"dialect\":\"test\"," + members + "}", "test.json",
                                         false, wire::BuiltInDialect);
  EXPECT_TRUE(dialect.ok()) << dialect.error().Text();
  Vocabulary words;
  words.AddDialect(*dialect);
  return words;
}

TEST(VocabularyTest, ARequestIsTakenApartAsItIsSpelt) {
  const std::string line =
      R"({"jsonrpc":"2.0","id":"a-1","method":"x\/y","params":{"k\u0061":[1.50,"s",true],"o":{}}})";
  const Sent sent(line + "\n");
  EXPECT_THAT(sent.words.methods(), ElementsAre(R"("x\/y")"));
  EXPECT_THAT(sent.words.ids(), ElementsAre(R"("a-1")"));
  EXPECT_THAT(sent.words.keys(), ElementsAre(R"("jsonrpc")", R"("id")", R"("method")",
                                             R"("params")", R"("k\u0061")", R"("o")"));
  EXPECT_THAT(sent.words.strings(), ElementsAre(R"("s")"));
  EXPECT_THAT(sent.words.numbers(), ElementsAre("1.50"));
  EXPECT_THAT(sent.words.trees(),
              ElementsAre(R"([1.50,"s",true])", "{}", R"({"k\u0061":[1.50,"s",true],"o":{}})"));
  EXPECT_THAT(sent.words.bodies(Direction::kHostToPlugin), ElementsAre(line));
  EXPECT_THAT(sent.words.bodies(Direction::kPluginToHost), IsEmpty());
}

TEST(VocabularyTest, AnErrorsCodeIsACodeAndNoOtherNumberIs) {
  const Sent sent(R"({"id":1,"error":{"code":-32601,"message":"m","data":{"code":7}}})");
  EXPECT_THAT(sent.words.codes(), ElementsAre("-32601"));
  EXPECT_THAT(sent.words.numbers(), ElementsAre("7"));
}

TEST(VocabularyTest, EachMessageOfABatchIsAdded) {
  const Sent sent(R"([{"id":1,"method":"a"},{"id":2,"method":"b","params":[{"method":"c"}]}])");
  EXPECT_THAT(sent.words.methods(), ElementsAre(R"("a")", R"("b")"));
  EXPECT_THAT(sent.words.ids(), ElementsAre("1", "2"));
  EXPECT_THAT(sent.words.strings(), ElementsAre(R"("c")"));
  EXPECT_THAT(sent.words.trees(), ElementsAre(R"({"method":"c"})", R"([{"method":"c"}])"));
}

TEST(VocabularyTest, ADebugAdaptersCommandIsAMethod) {
  const Sent sent(R"({"seq":3,"type":"request","command":"launch","arguments":{"command":"ls"}})");
  EXPECT_THAT(sent.words.methods(), ElementsAre(R"("launch")"));
  EXPECT_THAT(sent.words.ids(), ElementsAre("3"));
  EXPECT_THAT(sent.words.strings(), ElementsAre(R"("request")", R"("ls")"));
}

TEST(VocabularyTest, ARepeatedValueIsAddedOnce) {
  const Sent sent("{\"method\":\"a\"}\n{\"method\":\"a\"}\n");
  EXPECT_THAT(sent.words.methods(), ElementsAre(R"("a")"));
  EXPECT_EQ(sent.words.bodies(Direction::kHostToPlugin).size(), 1u);
}

TEST(VocabularyTest, TextThatIsNotJsonAddsNothing) {
  const Sent sent("{\"method\":\"a\",\"x\":tru}\n{\"method\":\n");
  EXPECT_THAT(sent.words.keys(), IsEmpty());
  EXPECT_THAT(sent.words.bodies(Direction::kHostToPlugin), IsEmpty());
}

TEST(VocabularyTest, LongValuesAreNotAdded) {
  const std::string text(kMaxWordSize, 'x');
  const Sent sent("{\"" + text + "\":\"" + text + "\",\"list\":[\"" +
                  std::string(kMaxTreeSize, 'y') + "\"]}");
  EXPECT_THAT(sent.words.keys(), ElementsAre(R"("list")"));
  EXPECT_THAT(sent.words.strings(), IsEmpty());
  EXPECT_THAT(sent.words.trees(), IsEmpty());
}

TEST(VocabularyTest, AListIsLimited) {
  std::string lines;
  for (size_t i = 0; i < kMaxWords + 5; ++i) lines += "{\"x\":" + std::to_string(i) + "}\n";
  EXPECT_EQ(Sent(lines).words.numbers().size(), kMaxWords);
}

TEST(VocabularyTest, DeepJsonIsOnePass) {
  const std::string deep(500, '[');
  const Sent sent("{\"x\":" + deep + "1" + std::string(500, ']') + "}");
  EXPECT_EQ(sent.words.trees().size(), 500u);
  EXPECT_THAT(sent.words.numbers(), ElementsAre("1"));
}

TEST(VocabularyTest, ADialectAddsItsMethodsAndSchemas) {
  const Vocabulary words = Described(R"("errors":{"codes":{"-32000":"busy"}},"methods":{
      "open":{"from":"host","kind":"request","errors":[7],
        "params":{"type":"object","properties":{
          "mode":{"enum":["r","w",3,null]},"size":{"type":"integer","minimum":1,"maximum":100}}},
        "result":{"type":"object","required":["handle"]}},
      "notes/*":{"from":"plugin","kind":"notification"}})");
  EXPECT_THAT(words.methods(), ElementsAre(R"("notes/")", R"("open")"));
  EXPECT_THAT(words.keys(), UnorderedElementsAre(R"("mode")", R"("size")", R"("handle")"));
  EXPECT_THAT(words.strings(), ElementsAre(R"("r")", R"("w")"));
  EXPECT_THAT(words.numbers(), UnorderedElementsAre("3", "1", "0", "2", "100", "99", "101"));
  EXPECT_THAT(words.codes(), ElementsAre("7", "-32000"));
}

TEST(VocabularyTest, ValuesAreKeptByTheirMembersName) {
  const Sent sent(R"({"id":1,"method":"a","params":{"x":7,"y":null,"z":["p","q"]}}
{"id":2,"method":"b","params":{"x":"seven","id":3}}
)");
  EXPECT_THAT(sent.words.recorded_values(R"("x")"), ElementsAre("7", R"("seven")"));
  EXPECT_THAT(sent.words.recorded_values(R"("z")"), ElementsAre(R"("p")", R"("q")"));
  EXPECT_THAT(sent.words.recorded_values(R"("id")"), ElementsAre("3"));
  for (const char* name : {R"("y")", R"("method")", R"("unknown")", ""}) {
    EXPECT_THAT(sent.words.recorded_values(name), IsEmpty()) << name;
  }
}

TEST(VocabularyTest, TheValuesOfANameAreLimited) {
  std::string lines;
  for (size_t i = 0; i < kMaxNamed + 5; ++i) {
    lines += "{\"method\":\"a\",\"params\":{\"x\":" + std::to_string(i) + "}}\n";
  }
  EXPECT_EQ(Sent(lines).words.recorded_values(R"("x")").size(), kMaxNamed);
}

TEST(VocabularyTest, ADialectEnumeratesValuesOfAMethod) {
  const Vocabulary words = Described(R"("methods":{
      "open":{"from":"host","kind":"request",
        "params":{"properties":{"mode":{"enum":["r","w",3,{"x":1}]},"deep":{"enum":[true]}}},
        "result":{"enum":["no"]}},
      "shut":{"from":"host","kind":"request"}})");
  EXPECT_THAT(words.choices(R"("open")"), ElementsAre(R"("r")", R"("w")", "3", "true"));
  EXPECT_THAT(words.choices(R"("shut")"), IsEmpty());
}

TEST(VocabularyTest, ALimitAtTheEndOfTheIntegersHasOneNeighbour) {
  const Vocabulary words = Described(R"("methods":{"a":{"from":"host","kind":"request","params":
      {"type":"object","properties":{"x":{"maximum":9223372036854775807,"minimum":0.5}}}}})");
  EXPECT_THAT(words.numbers(),
              UnorderedElementsAre("0.5", "9223372036854775807", "9223372036854775806"));
}

TEST(VocabularyTest, EachMethodOfEachBuiltInDialectIsAdded) {
  size_t methods = 0;
  for (const std::string_view name : wire::BuiltInDialects()) {
    const auto dialect =
        wire::LoadDialect(wire::BuiltInDialect(name), name, false, wire::BuiltInDialect);
    ASSERT_TRUE(dialect.ok()) << name;
    methods += dialect->methods.size();
    Vocabulary words;
    words.AddDialect(*dialect);
    for (const auto& [method, spec] : dialect->methods) {
      const std::string plain = method.substr(0, method.find('*'));
      if (plain.empty()) continue;
      EXPECT_THAT(words.methods(), Contains("\"" + plain + "\"")) << name;
    }
  }
  EXPECT_GT(methods, 100u);
}

TEST(VocabularyTest, ADictionaryEscapesBytesThatAreNotPrintable) {
  const Sent sent("{\"method\":\"caf\xc3\xa9\\n\"}");
  const std::string text = sent.words.Dictionary();
  EXPECT_THAT(text, HasSubstr("\n# methods\n\"\\\"caf\\xc3\\xa9\\\\n\\\"\"\n"));
  EXPECT_THAT(text, HasSubstr("\n\"\\x0d\\x0a\"\n"));
  EXPECT_THAT(text, HasSubstr("\n\"\\\"method\\\":\"\n"));
}

// As libFuzzer reads it: an empty line, a comment, or one quoted token without a bare quote in it.
TEST(VocabularyTest, ADictionaryHasOneTokenPerLineAndNoneTwice) {
  const Sent sent(R"({"id":7,"method":"a","params":{"x":7,"y":"null","z":["a\"b","\u0000"]}})");
  const std::string text = sent.words.Dictionary();
  std::vector<std::string> tokens;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    ASSERT_NE(end, text.npos);
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty() || line[0] == '#') continue;
    ASSERT_TRUE(line.size() > 2 && line.front() == '"' && line.back() == '"') << line;
    for (size_t i = 1; i + 1 < line.size(); ++i) {
      ASSERT_NE(line[i], '"') << line;
      if (line[i] == '\\') i += line[i + 1] == 'x' ? 3 : 1;
      ASSERT_LT(i, line.size() - 1) << line;
    }
    EXPECT_THAT(tokens, Not(Contains(line)));
    tokens.push_back(line);
  }
  EXPECT_THAT(tokens, Contains("\"\\\"a\\\\\\\"b\\\"\""));
}

TEST(VocabularyTest, ADictionaryHasNoTokenThatFuzzersRefuse) {
  const Sent sent("{\"x\":\"" + std::string(kMaxTokenSize, 'x') + "\"}");
  EXPECT_THAT(sent.words.Dictionary(), Not(HasSubstr("xxxx")));
}

}  // namespace
}  // namespace midwire::fuzz
