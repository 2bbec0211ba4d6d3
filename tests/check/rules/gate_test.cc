// The rule type gate.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kGate = R"({"type":"gate","methods":["host/network/fetch"],"code":-32001,
  "grant":"plugin/init:/result/manifest/capabilities/network",
  "known":"plugin/init:/result/manifest","value":"/params/url","asking":"should"})";

std::vector<std::string> Fetch(const std::string& init, const std::string& answer,
                               const std::string& url = "https://api.example.com/x") {
  return {Ask('>', 1, "plugin/init"), Answer('<', 1, init),
          Ask('<', 1, "host/network/fetch", "{\"url\":\"" + url + "\"}"), answer};
}
std::string Manifest(const std::string& network) {
  return R"({"manifest":{"capabilities":{"network":)" + network + "}}}";
}

TEST(GateRule, GrantedIsFine) {
  EXPECT_EQ(FoundBy(kGate, Fetch(Manifest("true"), Answer('>', 1))), "");
}
TEST(GateRule, DeniedWithTheCodeIsAFindingOfTheCallerOnly) {
  EXPECT_EQ(FoundBy(kGate, Fetch(Manifest("false"), Refuse('>', 1, -32001))),
            "#3 p2h /method: a grant at plugin/init:/result/manifest/capabilities/network | "
            "host/network/fetch (should)\n");
}
TEST(GateRule, DeniedButAnsweredIsAFindingOfTheHostToo) {
  EXPECT_EQ(FoundBy(kGate, Fetch(Manifest("false"), Answer('>', 1))),
            "#3 p2h /method: a grant at plugin/init:/result/manifest/capabilities/network | "
            "host/network/fetch (should)\n"
            "#4 h2p /result: error -32001 to host/network/fetch | a result\n");
}
TEST(GateRule, DeniedWithAnotherCode) {
  const std::string found = FoundBy(kGate, Fetch(Manifest("[]"), Refuse('>', 1, -32603)));
  EXPECT_NE(found.find("#4 h2p /error/code: error -32001 to host/network/fetch | -32603\n"),
            found.npos)
      << found;
}
TEST(GateRule, AManifestWithoutTheFlagGrantsNothing) {
  EXPECT_NE(FoundBy(kGate, Fetch(R"({"manifest":{}})", Answer('>', 1))), "");
}
TEST(GateRule, WithoutAManifestItIsUnknown) {
  EXPECT_EQ(FoundBy(kGate, Fetch(R"({"name":"p","version":"1"})", Answer('>', 1))), "");
  EXPECT_EQ(FoundBy(kGate, {Ask('<', 1, "host/network/fetch"), Answer('>', 1)}), "");
  EXPECT_EQ(FoundBy(kGate, {Ask('>', 1, "plugin/init"), Refuse('<', 1, -32003),
                            Ask('<', 1, "host/network/fetch"), Answer('>', 1)}),
            "");
}
TEST(GateRule, AListNamesHosts) {
  const std::string list = Manifest(R"(["api.example.com","other.org"])");
  for (const char* url : {"https://api.example.com", "HTTPS://API.Example.COM:443/a?b@evil.org",
                          "http://user:pw@api.example.com/", "other.org", "https://other.org#x",
                          "https://a@b@other.org"}) {
    EXPECT_EQ(FoundBy(kGate, Fetch(list, Answer('>', 1), url)), "") << url;
  }
  for (const char* url :
       {"https://evil.org/", "https://api.example.com@evil.org/",
        "https://api.example.com.evil.org", R"(https://evil.org\\@api.example.com/)",
        "https://[::1]:80/", "", "https://"}) {
    EXPECT_NE(FoundBy(kGate, Fetch(list, Answer('>', 1), url)), "") << url;
  }
}
TEST(GateRule, WhatIsNotGrantedIsForgottenWithTheSession) {
  std::vector<std::string> lines = Fetch(Manifest("false"), Refuse('>', 1, -32001));
  lines.push_back("---");
  lines.push_back(Ask('<', 1, "host/network/fetch"));
  lines.push_back(Answer('>', 1));
  EXPECT_EQ(FoundBy(kGate, lines),
            FoundBy(kGate, Fetch(Manifest("false"), Refuse('>', 1, -32001))));
}
TEST(GateRule, ADeclarationInEachRequest) {
  const std::string rule = R"({"type":"gate","methods":["use"],"grant":"/params/can/x"})";
  const std::string with = Notify('>', "do", R"({"can":{"x":{}}})");
  const std::string without = Notify('>', "do", R"({"can":{}})");
  const std::string use = Notify('<', "use");
  EXPECT_EQ(FoundBy(rule, {with, use, with, use, Notify('>', "do"), use}), "");
  const std::string second = "#2 p2h /method: a grant at /params/can/x | use\n";
  EXPECT_EQ(FoundBy(rule, {without, use, with, use, with, use}), second);
  EXPECT_EQ(FoundBy(rule, {without, use, "---", use}), second);
  EXPECT_EQ(FoundBy(rule, {without, use, "---", without, use}),
            second + "#4 p2h /method: a grant at /params/can/x | use\n");
}
TEST(GateRule, OffIsOff) {
  EXPECT_EQ(FoundBy(R"({"type":"gate","methods":"m","grant":"i:/result/a/b","severity":"off"})",
                    {Ask('>', 1, "i"), Answer('<', 1, R"({"a":{}})"), Notify('<', "m")}),
            "");
}

const std::string kNeeds = R"({"type":"gate","methods":["file.analyze"],
  "grant":"plugin.init:/result/capabilities","contains":"analyze"})";

TEST(GateRule, ACapabilityMustBeInTheList) {
  const auto with = [](const std::string& result) {
    return FoundBy(kNeeds, {Ask('>', 1, "plugin.init"), Answer('<', 1, result),
                            Ask('>', 2, "file.analyze"), Answer('<', 2)});
  };
  EXPECT_EQ(with(R"({"capabilities":["rules","analyze"]})"), "");
  EXPECT_EQ(with(R"({"capabilities":{"analyze":{}}})"), "");
  const std::string wrong =
      "#3 h2p /method: analyze at plugin.init:/result/capabilities | file.analyze\n";
  EXPECT_EQ(with(R"({"capabilities":["rules"]})"), wrong);
  EXPECT_EQ(with(R"({"capabilities":[]})"), wrong);
  EXPECT_EQ(with(R"({"capabilities":{"analyze":false}})"), wrong);
  EXPECT_EQ(with("{}"), wrong);
}
TEST(GateRule, AGrantMayBeInARequest) {
  const std::string rule = R"({"type":"gate","methods":["sampling/*"],
    "grant":"initialize:/params/capabilities/sampling"})";
  const std::string ask = Ask('<', 1, "sampling/createMessage");
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "initialize", R"({"capabilities":{"sampling":{}}})"), ask}),
            "");
  EXPECT_NE(FoundBy(rule, {Ask('>', 1, "initialize", R"({"capabilities":{}})"), ask}), "");
}
TEST(GateRule, OfABatchEachRequestHasItsOwnAnswer) {
  const std::string rule = R"({"type":"gate","methods":["m"],"grant":"i:/result/a/b","code":-1,
    "asking":"off"})";
  EXPECT_EQ(
      FoundBy(rule, {Ask('>', 1, "i"), Answer('<', 1, R"({"a":{}})"),
                     R"(> [{"id":1,"method":"m"},{"id":2,"method":"k"},{"id":3,"method":"m"}])",
                     Answer('<', 2), Answer('<', 3), Refuse('<', 1, -1)}),
      "#5 p2h /result: error -1 to m | a result\n");
}

TEST(GateRule, NothingGrantsWhatWasRemoved) {
  const std::string rule = R"({"type":"gate","methods":["old"],"known":"hello:/params/version"})";
  const std::string old = Notify('>', "old");
  EXPECT_EQ(FoundBy(rule, {old, Notify('>', "hello", R"({"version":"2"})"), old}),
            "#3 h2p /method:  | old\n");
  EXPECT_NE(ErrorOf(R"({"type":"gate","methods":["old"]})").find("/grant"), std::string::npos);
}

}  // namespace
}  // namespace midwire::trace
