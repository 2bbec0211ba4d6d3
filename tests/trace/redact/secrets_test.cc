#include "trace/redact/secrets.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/lines.h"
#include "tests/processor_time.h"
#include "tests/trace/redact/key.h"
#include "trace/redact/nested_encoding.h"
#include "trace/redact/secret_place.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::trace::redact {
namespace {

class SecretsTest : public testing::Test {
 protected:
  Secrets& Hide(std::string_view value) {
    EXPECT_TRUE(secrets_.Add(value));
    secrets_.Seal();
    return secrets_;
  }
  std::string Token(std::string_view value) const { return secrets_.TokenFor(value); }
  std::string Text(std::string text) const {
    const size_t size = text.size();
    secrets_.Rewrite(&text);
    EXPECT_EQ(text.size(), size);
    return text;
  }
  std::string Json(std::string text) const {
    const size_t size = text.size();
    secrets_.RewriteJson(&text);
    EXPECT_EQ(text.size(), size);
    EXPECT_TRUE(wire::IsLooseJson(text)) << text;
    return text;
  }

  Secrets secrets_{kKey, {"notes/count"}};
};

std::string TextAtS(std::string_view json) {
  return wire::StringValue(*wire::ValueAt(json, *wire::ParsePointer("/s")));
}

TEST(TokensTest, CharactersKeepTheirLengths) {
  const std::string value = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff/\"\n";
  const std::string kept = TokenOf(value, kKey);
  EXPECT_EQ(kept.size(), value.size());
  for (std::string_view token = kept, rest = value; !rest.empty();) {
    const size_t length = CharacterLength(rest);
    EXPECT_EQ(CharacterLength(token), length);
    token.remove_prefix(length);
    rest.remove_prefix(length);
  }
  EXPECT_TRUE(kept.ends_with("/\"\n"));
}

TEST(TokensTest, NumbersStayNumbers) {
  for (const char* number : {"7", "-10.50e+03", "0.5", "123456789012345678901234567890"}) {
    EXPECT_TRUE(IsNumber(TokenOf(number, kKey))) << number;
  }
  for (const char* text : {"", "-", "07", "1.", "1e", "0x10", "1 "}) EXPECT_FALSE(IsNumber(text));
}

TEST(TokensTest, AllOfTheSecretCounts) {
  EXPECT_NE(TokenOf("hunter2", kKey).substr(0, 6), TokenOf("hunter3", kKey).substr(0, 6));
  EXPECT_EQ(TokenOf("hunter2", kKey), TokenOf("hunter2", kKey));
  EXPECT_NE(TokenOf("hunter2", kKey), TokenOf("hunter2", TokenKey{9}));
}

TEST_F(SecretsTest, WhereverItStands) {
  Hide("hunter2");
  EXPECT_EQ(Text("a hunter2, hunter2hunter2 b"),
            "a " + Token("hunter2") + ", " + Token("hunter2") + Token("hunter2") + " b");
}

TEST_F(SecretsTest, TheLongestWins) {
  Hide("hunter2");
  Hide("hunter2andmore");
  EXPECT_EQ(Text("hunter2andmore hunter2an"),
            Token("hunter2andmore") + " " + Token("hunter2") + "an");
}

TEST_F(SecretsTest, ShortOnesAndWordsOnlyAtTheirPlaces) {
  Hide("on").Add("notes/");
  EXPECT_EQ(secrets_.only_at_places(), 2u);
  EXPECT_EQ(Text("on notes/count"), "on notes/count");
  std::string spelt = "on";
  secrets_.RewriteAll(spelt.data(), spelt.size());
  EXPECT_EQ(spelt, Token("on"));
}

TEST_F(SecretsTest, AWordOfATextOnlyAtItsPlaces) {
  ASSERT_TRUE(secrets_.Add("options", Secrets::Where::kAtPlaces));
  secrets_.Seal();
  EXPECT_EQ(Text("options"), "options");
  EXPECT_EQ(secrets_.only_at_places(), 1u);
  Hide("options");  // a member has it too
  EXPECT_EQ(Text("options"), Token("options"));
  EXPECT_EQ(secrets_.only_at_places(), 0u);
  EXPECT_EQ(secrets_.count(), 1u);
}

TEST_F(SecretsTest, OneSecretHoweverItIsSpelt) {
  const std::string value = "p\xc3\xa4ss/w\"\xf0\x9f\x98\x80rd";
  Hide(value);
  for (const char* spelt : {R"({"s":"pass p\u00e4ss/w\"\ud83d\ude00rd."})",
                            R"({"s":"pass \u0070\u00E4ss\/w\u0022\uD83D\uDE00rd."})",
                            "{\"s\":\"pass p\xc3\xa4ss/w\\\"\xf0\x9f\x98\x80rd.\"}"}) {
    EXPECT_EQ(TextAtS(Json(spelt)), "pass " + Token(value) + ".") << spelt;
  }
}

TEST_F(SecretsTest, JsonWithinJson) {
  Hide("p\xc3\xa4ssword");
  const std::string inner = TextAtS(Json(R"({"s":"{\"s\":\"p\\u00e4ssword\"}"})"));
  EXPECT_EQ(TextAtS(inner), Token("p\xc3\xa4ssword"));
}

TEST_F(SecretsTest, HalfAnEscapeIsNoBeginning) {
  Hide("nsecret");
  EXPECT_EQ(Json(R"({"s":"\nsecret"})"), R"({"s":"\nsecret"})");
}

TEST_F(SecretsTest, Base64InAnyGroupingAndAlphabet) {
  Hide("hunter2~~~???");
  const auto encoded = [](std::string_view text, bool url) {
    static constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (size_t bit = 0; bit < text.size() * 8; bit += 6) {
      unsigned sextet = 0;
      for (size_t i = bit; i < bit + 6; ++i) {
        const unsigned byte = i / 8 < text.size() ? static_cast<unsigned char>(text[i / 8]) : 0;
        sextet = sextet << 1 | (byte >> (7 - i % 8) & 1);
      }
      const char c = kPlain[sextet];
      out += url && c == '+' ? '-' : url && c == '/' ? '_' : c;
    }
    return out + std::string((4 - out.size() % 4) % 4, '=');
  };
  for (const bool url : {false, true}) {
    for (const char* before : {"", "u", "u:", "us:", "user"}) {
      const std::string clear = std::string(before) + "hunter2~~~???.";
      const std::string hidden = before + Token("hunter2~~~???") + ".";
      EXPECT_EQ(Text("Basic " + encoded(clear, url)), "Basic " + encoded(hidden, url)) << clear;
      EXPECT_EQ(Text("a/" + encoded(clear, url)), "a/" + encoded(hidden, url)) << clear;
    }
  }
}

TEST_F(SecretsTest, NumbersAsAWholeOnly) {
  Hide("123456");
  EXPECT_EQ(Json(R"({"a":123456,"b":1234567,"c":0.123456})"),
            "{\"a\":" + Token("123456") + R"(,"b":1234567,"c":0.123456})");
  EXPECT_EQ(Text("id=123456, 9123456"), "id=" + Token("123456") + ", 9123456");
}

TEST_F(SecretsTest, WhatLooksLikeJsonIsNotTornApart) {
  Hide("\",\"s\":\"");
  Hide("[1, 2, 3]");
  EXPECT_EQ(Json(R"({"a":"","s":"","b":[1, 2, 3]})"), R"({"a":"","s":"","b":[1, 2, 3]})");
}

TEST_F(SecretsTest, ManyWithTheSameBeginning) {
  for (int i = 0; i < 2000; ++i) secrets_.Add("Bearer " + std::to_string(10'000 + i));
  secrets_.Seal();
  EXPECT_EQ(Text("Bearer 10007"), Token("Bearer 10007"));
  EXPECT_EQ(Text("Bearer 99999"), "Bearer 99999");
}

TEST_F(SecretsTest, NothingRemainsOfSecretsThatOverlap) {
  Hide("abcdefgh");
  Hide("efghijkl");
  Hide("fghi");
  const std::string text = Text("-abcdefghijkl-");
  EXPECT_EQ(text, "-" + Token("abcdefgh") + Token("efghijkl").substr(4) + "-");
  EXPECT_EQ(text.find("ijkl"), text.npos);
}

TEST_F(SecretsTest, OneWithinAnotherWithinAnother) {
  for (const char* value : {"secret", "secret-1", "secret-1-2", "secret-1-3"}) Hide(value);
  EXPECT_EQ(Text("secret-1-2!"), Token("secret-1-2") + "!");
  EXPECT_EQ(Text("secret-1-4!"), Token("secret-1") + "-4!");
  EXPECT_EQ(Text("secret-2!"), Token("secret") + "-2!");
  EXPECT_EQ(Text("secret-1-"), Token("secret-1") + "-");
}

TEST_F(SecretsTest, ALongOneWholeAndInPart) {
  std::string key = "-----BEGIN ";
  for (int i = 0; key.size() < 5000; ++i) key += "k\xc3\xa4" + std::to_string(i * 7919);
  Hide(key);
  EXPECT_EQ(Token(key).size(), key.size());
  EXPECT_EQ(Text("a " + key + " b"), "a " + Token(key) + " b");
  const std::string begun = Text(key.substr(0, 1600));
  EXPECT_EQ(begun.substr(0, 1000), Token(key).substr(0, 1000));
  std::string spelt = key;
  secrets_.RewriteAll(spelt.data(), spelt.size());
  EXPECT_EQ(spelt, Token(key));
  EXPECT_EQ(secrets_.count(), 1u);
}

TEST_F(SecretsTest, ALongOneOfDigits) {
  const std::string digits(3000, '7');
  Hide("x" + digits);
  EXPECT_EQ(Text("x" + digits), Token("x" + digits));
  Hide(digits);
  EXPECT_TRUE(IsNumber(Token(digits)));
  EXPECT_NE(Token(digits), digits);
}

// Thousands of secrets that begin alike, and a text that begins like them at every byte.
TEST_F(SecretsTest, AlikeAtEveryByte) {
  for (size_t size = 6; size < 2000; ++size) secrets_.Add(std::string(size, 'a') + "b");
  Hide(std::string(1'000'000, 'a') + "c");
  const auto begin = ProcessorTime();
  const std::string text = Text(std::string(200'000, 'a'));
  EXPECT_EQ(text.find("aaaaaaa"), text.npos) << "a piece of the long one";
  Text(Repeated("aaaaaad", 30'000));
  EXPECT_LT(ProcessorTime() - begin, std::chrono::seconds(20));
}

TEST_F(SecretsTest, OneDigitHasTenTokens) {
  for (int i = 0; i < 10; ++i) Hide(std::to_string(i));
  EXPECT_EQ(secrets_.count(), 10u);
}

class SecretPlaceTest : public testing::Test {
 protected:
  std::vector<std::string> Found(std::string_view json, std::optional<std::string_view> method) {
    std::vector<std::string> found;
    WalkSecrets(
        json, method, places_, [](const wire::Path&) {},
        [&](const wire::Path&, std::string_view, const PlacedSecret* secret) {
          if (secret != nullptr && secret->sure) found.emplace_back(secret->value);
        });
    return found;
  }
  void Place(std::string_view text) { places_.places.push_back(*wire::ParseMethodPlace(text)); }

  SecretPlaces places_;
};
using Values = std::vector<std::string>;

constexpr char kLogin[] = R"({"method":"login","params":{"Pass":"a","n":[{"k":1},{"k":true}]}})";

TEST_F(SecretPlaceTest, AtAndBelowAPlaceOfItsMethod) {
  Place("login:/params/n");
  EXPECT_EQ(Found(kLogin, "login"), Values{"1"});
  EXPECT_EQ(Found(kLogin, "logout"), Values{});
  EXPECT_EQ(Found(kLogin, std::nullopt), Values{"1"}) << "unknown: it may be";
}

TEST_F(SecretPlaceTest, StarsAndDeepPlaces) {
  Place("/params/n/*/k");
  EXPECT_EQ(Found(kLogin, "x"), Values{"1"});
  places_.places.clear();
  Place("/**/k");
  EXPECT_EQ(Found(kLogin, "x"), Values{"1"});
}

TEST_F(SecretPlaceTest, SeveralDeepSteps) {
  const std::string_view text = R"({"a":{"x":{"b":{"y":{"c":1}}},"c":2},"b":{"a":{"c":3}},"c":4})";
  Place("/**/a/**/b/**/c");
  EXPECT_EQ(Found(text, "x"), Values{"1"});
  places_.places.clear();
  Place("/**/a/**/c");
  EXPECT_EQ(Found(text, "x"), (Values{"1", "2", "3"}));
  places_.places.clear();
  Place("/a/**/**/b");
  EXPECT_EQ(Found(text, "x"), Values{"1"});
}

TEST_F(SecretPlaceTest, IndicesAndWhatIsBelow) {
  Place("/p/1/*");
  EXPECT_EQ(Found(R"({"p":[[1],[2,[3]],[4]]})", "x"), (Values{"2", "3"}));
  EXPECT_EQ(Found(R"({"p":{"1":{"a":5},"2":{"a":6}}})", "x"), Values{"5"});
}

// Each value was formerly compared with its whole path.
TEST_F(SecretPlaceTest, MillionsOfValuesDeepDown) {
  places_.names = {"password", "token", "api_key"};
  Place("/**/a/**/key");
  Place("/params/*/secret");
  const std::string text =
      Repeated("{\"a\":", 500) + "[1" + Repeated(",1", 1'000'000) + "]" + std::string(500, '}');
  const auto begin = ProcessorTime();
  EXPECT_EQ(Found(text, "x"), Values{});
  EXPECT_LT(ProcessorTime() - begin, std::chrono::seconds(15));
}

TEST_F(SecretPlaceTest, NamesAnywhereInAnyCase) {
  places_.names = {"pASS"};
  EXPECT_EQ(Found(kLogin, "login"), Values{"\"a\""});
  EXPECT_EQ(Found(R"([{"params":{"\u0070ass":["b"]}}])", {}), Values{"\"b\""});
}

// A tool of MCP that takes a password.
constexpr char kTool[] =
    R"({"result":{"tools":[{"inputSchema":{"type":"object","properties":{)"
    R"("password":{"type":"string","description":"yours","default":"hunter2"},)"
    R"("note":{"description":"a note"}}}}]}})";

TEST_F(SecretPlaceTest, ASchemaIsNoSecret) {
  places_.names = {"password"};
  EXPECT_EQ(Found(kTool, "tools/list"), Values{"\"hunter2\""});
  places_.names = {"note"};
  EXPECT_EQ(Found(kTool, "tools/list"), Values{});
  places_.names.clear();
  Place("/**/password");
  EXPECT_EQ(Found(kTool, "tools/list"), Values{"\"hunter2\""});
}

TEST_F(SecretPlaceTest, APointerToASchemaIsMeant) {
  Place("/result/tools/*/inputSchema/properties/note");
  EXPECT_EQ(Found(kTool, "tools/list"), Values{"\"a note\""});
}

TEST_F(SecretPlaceTest, PropertiesThatAreData) {
  places_.names = {"password"};
  EXPECT_EQ(Found(R"({"properties":{"password":"a"}})", "x"), Values{"\"a\""});
  EXPECT_EQ(Found(R"({"properties":{"password":{"type":"plain","title":"a"}}})", "x"),
            (Values{"\"plain\"", "\"a\""}));
  EXPECT_EQ(Found(R"({"properties":{"password":{"type":"string","value":"a"}}})", "x"),
            Values{"\"a\""});
}

TEST_F(SecretPlaceTest, EachMessageOfABatch) {
  Place("login:/params/Pass");
  EXPECT_EQ(Found(std::string("[") + kLogin + "," + kLogin + "]", {}), (Values{"\"a\"", "\"a\""}));
}

TEST_F(SecretPlaceTest, WhereTheMethodIsNotKnownYet) {
  Place("login:/params/n");
  Place("other:/params/n");
  Place("/params/**/k");
  const StreamedPlaces streamed = ForAnyMethod(places_);
  EXPECT_EQ(streamed.pointers.size(), 1u);
  EXPECT_EQ(streamed.names, Values{"k"});
  Place("/params/**");
  EXPECT_EQ(ForAnyMethod(places_).pointers.back().steps, (Values{"params", "**"}));
}

}  // namespace
}  // namespace midwire::trace::redact
