// Messages of a known shape in a session: what differs from the message before counts. They have
// "jsonrpc": a message of which a rule has a violation, even one that is off, is checked in full.
#include <gtest/gtest.h>

#include <string>

#include "tests/check/plain.h"

namespace midwire::trace {
namespace {

constexpr char kLevels[] = R"("methods": {
  "a": {"from": "host", "kind": "notification", "params": {"type": "object", "properties": {
        "free": {"type": "string"}, "whole": {"type": "integer", "maximum": 9},
        "kind": {"enum": ["x", "y"]}, "short": {"type": "string", "maxLength": 3},
        "set": {"type": "array", "uniqueItems": true}}}}})";

// Each message has the shape of the first.
TEST(CheckKnownShapeTest, ValuesThatASchemaComparesAreRead) {
  const auto found = [](const std::string& params) {
    const std::string first = R"(-> {"jsonrpc":"2.0","method":"a","params":)"
                              R"({"free":"","whole":1,"kind":"x","short":"a","set":[1,2]}})";
    return Found(kLevels, first + "\n" + first + "\n" + first +
                              "\n-> {\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":" + params +
                              "}\n" + first);
  };
  EXPECT_EQ(found(R"({"free":"other","whole":1,"kind":"x","short":"a","set":[1,2]})"), "");
  EXPECT_NE(found(R"({"free":"","whole":10,"kind":"x","short":"a","set":[1,2]})"), "");
  EXPECT_NE(found(R"({"free":"","whole":1,"kind":"z","short":"a","set":[1,2]})"), "");
  EXPECT_NE(found(R"({"free":"","whole":1,"kind":"x","short":"long","set":[1,2]})"), "");
  EXPECT_NE(found(R"({"free":"","whole":1,"kind":"x","short":"a","set":[2,2]})"), "");
  EXPECT_NE(found(R"({"free":"","whole":1.5,"kind":"x","short":"a","set":[1,2]})"), "");
}

constexpr char kGated[] = R"("methods": {
  "open": {"from": "host", "kind": "notification"}, "use": {"from": "plugin", "kind": "notification"}},
  "rules": [{"id": "g", "type": "gate", "clause": "1", "text": "t", "methods": ["use"],
             "grant": "open:/params/can/use"}])";

// The message is the same each time; what was granted before it is not.
TEST(CheckKnownShapeTest, WhatIsGrantedInBetweenCounts) {
  EXPECT_EQ(Found(kGated, R"(
    -> {"jsonrpc":"2.0","method":"open","params":{"can":{"use":true}}}
    <- {"jsonrpc":"2.0","method":"use"}
    <- {"jsonrpc":"2.0","method":"use"}
    -> {"jsonrpc":"2.0","method":"open","params":{"can":{"use":false}}}
    <- {"jsonrpc":"2.0","method":"use"}
    -> {"jsonrpc":"2.0","method":"open","params":{"can":{"use":true}}}
    <- {"jsonrpc":"2.0","method":"use"}
  )"),
            "must g 5 use /method: expected a grant at open:/params/can/use, got use\n");
}

}  // namespace
}  // namespace midwire::trace
