// Each shape finds its true examples and none of its false ones. The examples are made of parts, so
// that scanners of source code do not take them for secrets.
#include "trace/redact/shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/trace/redact/drawn.h"
#include "trace/redact/patterns.h"
#include "trace/redact/randomness.h"
#include "wire/json/base64.h"

namespace midwire::trace::redact {
namespace {

std::string Base64(std::string_view bytes) {
  std::string text;
  wire::AppendBase64(bytes, &text);
  return text;
}

struct Examples {
  const char* shape;
  std::vector<std::pair<std::string, std::string>> secrets;  // a text and the secret in it
  std::vector<std::string> others;
};

std::string Pem(const std::string& kind, const std::string& body) {
  return "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
}
std::pair<std::string, std::string> In(const std::string& before, const std::string& secret,
                                       const std::string& after = "") {
  return {before + secret + after, secret};
}

std::vector<Examples> AllExamples() {
  const std::string body = Key(64) + "\n" + Key(64) + "\n" + Key(20) + "==";
  const std::string jwt = "eyJ" + Key(17) + ".eyJ" + Key(40) + "." + Key(43);
  return {
      {"private-key",
       {{Pem("PRIVATE KEY", body), body},
        {Pem("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\n\n" + body),
         "Proc-Type: 4,ENCRYPTED\n\n" + body},
        {Pem("OPENSSH PRIVATE KEY", body), body},
        {Pem("EC PRIVATE KEY", "MHcCAQEE"), "MHcCAQEE"},
        {Pem("PGP PRIVATE KEY BLOCK", body), body},
        {"-----BEGIN EC PRIVATE KEY-----\n" + body + " \"cut off", body}},
       {Pem("PUBLIC KEY", body), Pem("CERTIFICATE", body), Pem("PRIVATE KEY", "..."),
        "from -----BEGIN PRIVATE KEY----- up to -----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----", "grep -- '-----BEGIN RSA PRIVATE KEY-----' file"}},
      {"age-key", {In("", "AGE-SECRET-KEY-1" + Upper(58))}, {"AGE-SECRET-KEY-1" + Upper(20)}},
      {"jwt",
       {In("t=", jwt, ";"), In("", "eyJ" + Key(17) + ".eyJ" + Key(40) + ".")},
       {"eyJ" + Key(17), "eyJ" + Key(17) + "." + Key(40), "survey.eyJ.eyJ"}},
      {"jwe",
       {In("", "eyJ" + Key(30) + "." + Key(20) + "." + Key(16) + "." + Key(30) + "." + Key(22))},
       {"eyJ" + Key(30) + "." + Key(20) + "." + Key(16)}},
      {"aws-access-key",
       {In("id ", "AKIA" + Upper(16)), In("\"", "ASIA" + Upper(16), "\"")},
       {"AKIA" + Upper(15), "XAKIA" + Upper(16), "AKIA" + Upper(20), "akia" + Upper(16)}},
      {"google-api-key",
       {In("key=", "AIza" + Key(35)), In("", "AIza" + Key(35), "&x")},
       {"AIza" + Key(20), "AIza" + Key(50), "bAIza" + Key(35)}},
      {"google-oauth",
       {In("", "ya29." + Key(60)), In("", "GOCSPX-" + Key(28))},
       {"ya29.short", "GOCSPX-", "aya29." + Key(60)}},
      {"azure-storage-key",
       {In("AccountName=a;AccountKey=", Key(86) + "==", ";")},
       {"AccountKey=none", "AccountKey={key}"}},
      {"azure-sas",
       {In("https://a/b?sv=2024&sig=", Key(43) + "%3D", "&se=1"), In(";sig=", Key(43) + "=")},
       {"?sig=abc", "signature=" + Key(44)}},
      {"azure-client-secret", {In("", "abc8Q~" + Key(34))}, {"abc8Q~short", "8Q~" + Key(34)}},
      {"digitalocean", {In("", "dop_v1_" + Hex(64))}, {"dop_v1_" + Hex(20), "dox_v1_" + Hex(64)}},
      {"databricks", {In("", "dapi" + Hex(32))}, {"dapi" + Hex(10), "dapi" + std::string(32, 'a')}},
      {"vault", {In("", "hvs." + Key(24))}, {"hvs.example", "hvs." + Letters(30)}},
      {"github",
       {In("https://x:", "ghp_" + Key(36), "@github.com"), In("", "gho_" + Key(36)),
        In("", "ghs_" + Key(36)), In("", "github_pat_" + Key(22) + "_" + Key(59))},
       {"ghp_" + Key(20), "ghx_" + Key(36), "github_pat_short", "_ghp_" + Key(36)}},
      {"gitlab", {In("", "glpat-" + Key(20))}, {"glpat-short1", "glpat-your-token-goes-in-here"}},
      {"atlassian", {In("", "ATATT3" + Key(180))}, {"ATATT3" + Key(10), "ATBBshort"}},
      {"npm",
       {In("//r/:_authToken=", "npm_" + Key(36))},
       {"npm_config_registry", "npm_" + Key(40)}},
      {"pypi", {In("", "pypi-AgEI" + Key(150))}, {"pypi-server", "pypi-" + Letters(60)}},
      {"rubygems", {In("", "rubygems_" + Hex(48))}, {"rubygems_" + Hex(20)}},
      {"docker", {In("", "dckr_pat_" + Key(27))}, {"dckr_pat_short"}},
      {"anthropic",
       {In("", "sk-ant-api03-" + Key(93) + "AA")},
       {"sk-ant-short1", "sk-ant-your-key-goes-in-this-place"}},
      {"openrouter", {In("", "sk-or-v1-" + Hex(64))}, {"sk-or-short"}},
      {"openai",
       {In("Bearer ", "sk-" + Key(48)), In("", "sk-proj-" + Key(60) + "_" + Key(60) + "-x1")},
       {"sk-short1", "sk-learn-contrib-random-forests", "task-" + Key(30), "desk-lamp-model-12"}},
      {"hugging-face", {In("", "hf_" + Letters(34))}, {"hf_hub_download", "hf_" + Letters(10)}},
      {"groq", {In("", "gsk_" + Key(52))}, {"gsk_" + Key(10), "gsk_" + Letters(52)}},
      {"xai", {In("", "xai-" + Key(80))}, {"xai-" + Key(10)}},
      {"perplexity", {In("", "pplx-" + Key(48))}, {"pplx-7b-online"}},
      {"replicate", {In("", "r8_" + Key(37))}, {"r8_" + Key(10), "r8_" + Key(60)}},
      {"slack",
       {In("", "xoxb-123456789012-1234567890123-" + Key(24)), In("", "xoxp-" + Key(40))},
       {"xoxb-your-token", "xoxz-" + Key(40)}},
      {"slack-webhook",
       {In("https://hooks.slack.com/services/", "T0123/B0123/" + Key(24))},
       {"https://hooks.slack.com/services/", "https://hooks.slack.com/services/T/B/x"}},
      {"stripe",
       {In("", "sk_live_" + Key(24)), In("", "rk_test_" + Key(24)), In("", "whsec_" + Key(32))},
       {"sk_live_", "pk_live_" + Key(24), "task_live_" + Key(24)}},
      {"sendgrid", {In("", "SG." + Key(22) + "." + Key(43))}, {"SG.example.com", "MSG.a.b"}},
      {"mailgun", {In("", "key-" + Hex(32))}, {"key-value", "monkey-" + Hex(32)}},
      {"twilio", {In("", "SK" + Hex(32))}, {"SK" + Hex(20), "TASK" + Hex(32)}},
      {"shopify", {In("", "shpat_" + Hex(32))}, {"shpat_" + Hex(10)}},
      {"square", {In("", "sq0atp-" + Key(22))}, {"sq0atp-short"}},
      {"linear", {In("", "lin_api_" + Key(40))}, {"lin_api_key"}},
      {"notion",
       {In("", "ntn_" + Key(46)), In("t ", "secret_" + Key(43), ",")},
       {"ntn_" + Key(10), "secret_" + Key(20), "secret_" + Letters(43), "pi_1_secret_" + Key(43),
        "secret_santa_of_the_year_and_of_all_others_12"}},
      {"discord",
       {In("Bot ", "M" + Key(25) + "." + Key(6) + "." + Key(38))},
       {"M" + Key(10) + ".a.b", "a.M" + Key(30) + ".c"}},
      {"discord-webhook",
       {In("https://discord.com/api/webhooks/123/", Key(68))},
       {"https://discord.com/api/webhooks/123/short"}},
      {"heroku",
       {In("heroku token: ", "0e9b0a3c-8a1f-4c52-9c5e-1f2a3b4c5d6e"), In("", "HRKU-" + Key(36))},
       {"release 0e9b0a3c-8a1f-4c52-9c5e-1f2a3b4c5d6e", "HRKU-short"}},
      {"supabase",
       {In("", "sbp_" + Hex(40)), In("", "sb_secret_" + Key(31))},
       {"sb_publishable_a"}},
      {"telegram",
       {In("/bot", "123456789:AA" + Key(33), "/getMe")},
       {"123456789:AA" + Key(10), "12:34:56:AA" + Key(33) + "x"}},
      {"postman", {In("", "PMAK-" + Hex(24) + "-" + Hex(34))}, {"PMAK-" + Hex(24)}},
      {"bearer",
       {In("Authorization: Bearer ", Key(32)), In("bearer  ", Key(20) + "/+~" + "==")},
       {"Bearer realm=\"a\"", "the bearer of this letter", "Bearer authentication_scheme"}},
      {"basic",
       {In("Authorization: Basic ", Base64("ada:hunter2"))},
       {"Basic authentication", "basic functionality", "Basic " + Base64("no colon here")}},
      {"url-password",
       {In("postgres://ada:", "hunter2", "@localhost/db"), In("https://:", "abcdef", "@host")},
       {"https://ada@host/", "http://host:8080/a@b", "redis://u:${PASS}@host",
        "https://u:****@host"}},
      // More of these are in score_test.cc.
      {"cookie", {In("Cookie: ", "a=b; c=d", "\r\n")}, {"Cookie: accepted"}},
      {"authorization",
       {In("Authorization: Bearer ", "abc", "\r\n")},
       {"authorization: required", "Authorization: Bearer <token>"}},
      {"pin", {In("pin: ", "1234"), In("\"card_pin\":\"", "0042", "\"")}, {"pin: 13", "spin=1234"}},
      {"named",
       {In("api_key=", Key(20)), In("{\"clientSecret\": \"", Hex(32), "\"}"),
        In("--token ", Hex(40)), In("GITHUB_TOKEN: '", Key(40), "'"), In("password: ", "hunter2"),
        In("the password is '", "swordfish9", "'")},
       {"token=my-secret-name-version-2024", "api_key=/home/ada/keys/file1.txt",
        "token: https://example.com/a1b2c3d4e5f6", "tokenizer=" + Key(20),
        "the token expires after 3600 seconds", "api-key=${{SOME_KEY_12345}}",
        "password must have 8 characters", "the password is 'required'"}},
  };
}

std::vector<Patterns::Match> Find(const std::string& text) {
  static const Patterns* const patterns = [] {
    auto* all = new Patterns;
    all->AddShapes();
    return all;
  }();
  return patterns->Find(text);
}

TEST(ShapesTest, TrueExamplesAreFoundExactly) {
  for (const Examples& examples : AllExamples()) {
    for (const auto& [text, secret] : examples.secrets) {
      const auto found = Find(text);
      ASSERT_EQ(found.size(), 1u) << examples.shape << ": " << text;
      EXPECT_EQ(text.substr(found[0].at, found[0].size), secret) << text;
      EXPECT_EQ(found[0].rule, examples.shape) << text;
    }
  }
}

TEST(ShapesTest, FalseExamplesAreNot) {
  for (const Examples& examples : AllExamples()) {
    for (const std::string& text : examples.others) {
      for (const auto& match : Find(text)) {
        EXPECT_NE(match.rule, examples.shape) << text;
      }
    }
  }
}

TEST(ShapesTest, EachHasExamples) {
  std::set<std::string_view> shapes, with;
  for (const Shape& shape : Shapes()) shapes.insert(shape.name);
  for (const Examples& examples : AllExamples()) {
    EXPECT_FALSE(examples.secrets.empty() || examples.others.empty()) << examples.shape;
    with.insert(examples.shape);
  }
  EXPECT_EQ(shapes, with);
}

TEST(ShapesTest, SeveralInOneText) {
  const std::string text = "a ghp_" + Key(36) + " b glpat-" + Key(20) + " c";
  ASSERT_EQ(Find(text).size(), 2u);
  EXPECT_EQ(Find(text)[1].rule, "gitlab");
}

TEST(RandomnessTest, WordsAndKeys) {
  for (const size_t size : {16, 20, 32, 40, 64}) {
    EXPECT_TRUE(IsRandomWord(Key(size))) << Key(size);
    EXPECT_TRUE(IsRandomWord(Hex(size))) << Hex(size);
  }
  for (const char* word :
       {"textDocument2Completion", "my-secret-name-version-2024", "/usr/lib/x86_64/libfoo1.so",
        "short1", "example-access-token", "aaaaaaaaaaaaaaaaaaa1", "$HOME/abc123def456ghi"}) {
    EXPECT_FALSE(IsRandomWord(word)) << word;
  }
  EXPECT_TRUE(IsRandomKey(Key(40)));
  EXPECT_FALSE(IsRandomKey(Hex(40))) << "a digest";
}

TEST(ShapesTest, NamesAndNumbersAreTooShort) {
  for (const char* text : {"", "method", "textDocument", "1234567890", "tools/call"}) {
    EXPECT_FALSE(MayHaveShape(text)) << text;
  }
  for (const std::string& text : {std::string("pwd=q1"), "xoxb-" + std::string("0123456789")}) {
    EXPECT_TRUE(MayHaveShape(text)) << text;
    EXPECT_EQ(Find(text).size(), 1u) << text;
  }
}

TEST(PatternsTest, ExpressionsOfAUser) {
  Patterns patterns;
  ASSERT_TRUE(patterns.AddExpression("customer-([0-9]+)"));
  ASSERT_TRUE(patterns.AddExpression("h\\p{L}nter2"));
  const std::string text = "customer-17, h\xc3\xbcnter2, \xff customer-";
  const auto found = patterns.Find(text);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(text.substr(found[0].at, found[0].size), "17");
  EXPECT_EQ(text.substr(found[1].at, found[1].size), "h\xc3\xbcnter2");
}

TEST(PatternsTest, ShapesBesideExpressionsThatCameEarlierAndLater) {
  Patterns patterns;
  ASSERT_TRUE(patterns.AddExpression("first-[0-9]+"));
  patterns.AddShapes();
  ASSERT_TRUE(patterns.AddExpression("last-[0-9]+"));
  std::vector<std::string_view> rules;
  for (const auto& match :
       patterns.Find("password=\"a b\" first-1 postgres://ada:hunter2@h last-2")) {
    rules.push_back(match.rule);
  }
  EXPECT_EQ(rules, (std::vector<std::string_view>{"named", "first-[0-9]+", "url-password",
                                                  "last-[0-9]+"}));
}

TEST(PatternsTest, WrongExpressionsAreRefused) {
  Patterns patterns;
  for (const char* wrong : {"", "(", "a*", "(a)(b)", "(?=a)", "\\1"}) {
    EXPECT_FALSE(patterns.AddExpression(wrong)) << wrong;
  }
  EXPECT_FALSE(patterns.AddExpression(std::string(5000, 'a')));
}

}  // namespace
}  // namespace midwire::trace::redact
