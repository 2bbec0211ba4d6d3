#include "trace/payload.h"

#include <gtest/gtest.h>

#include "wire/json/base64.h"

namespace midwire::trace {
namespace {

std::string Bytes(std::initializer_list<int> values) {
  return std::string(values.begin(), values.end());
}

std::optional<std::string> Quoted(std::string_view bytes) {
  std::string text = "\"";
  wire::AppendBase64(bytes, &text);
  return TopOfPayload(text + '"');
}

TEST(Payload, JsonIsTakenAsItIs) {
  EXPECT_EQ(Quoted("{\"chunk_index\": 3, \"data\": [1]}"), "{\"chunk_index\": 3, \"data\": [1]}");
}

TEST(Payload, MembersOfAMap) {
  const std::string map = Bytes({0x84}) + "\xa7version" + Bytes({3}) +
                          "\xa5"
                          "final" +
                          "\xc3" +
                          "\xa4"
                          "none" +
                          "\xc0" +
                          "\xa4"
                          "name" +
                          "\xa2"
                          "ab";
  EXPECT_EQ(Quoted(map), R"({"version":3,"final":true,"none":null,"name":"ab"})");
}

TEST(Payload, IntegersOfEachSize) {
  const auto of = [](std::string value) { return TopOfMessagePack("\x81\xa1n" + value); };
  EXPECT_EQ(of(Bytes({0xff})), R"({"n":-1})");
  EXPECT_EQ(of(Bytes({0xcc, 0xff})), R"({"n":255})");
  EXPECT_EQ(of(Bytes({0xcd, 1, 0})), R"({"n":256})");
  EXPECT_EQ(of(Bytes({0xce, 0xff, 0xff, 0xff, 0xff})), R"({"n":4294967295})");
  EXPECT_EQ(of(Bytes({0xcf, 255, 255, 255, 255, 255, 255, 255, 255})),
            R"({"n":18446744073709551615})");
  EXPECT_EQ(of(Bytes({0xd0, 0x80})), R"({"n":-128})");
  EXPECT_EQ(of(Bytes({0xd1, 0x80, 0})), R"({"n":-32768})");
  EXPECT_EQ(of(Bytes({0xd2, 0xff, 0xff, 0xff, 0xfe})), R"({"n":-2})");
  EXPECT_EQ(of(Bytes({0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0})), R"({"n":-9223372036854775808})");
}

TEST(Payload, WhatLiesDeeperIsSkipped) {
  // {"data": {"calls": [1, [2.5]], "raw": bin}, "chunk_index": 7}
  const std::string data = Bytes({0x82}) +
                           "\xa5"
                           "calls" +
                           Bytes({0x92, 1, 0x91, 0xca, 0, 0, 0, 0}) + "\xa3raw" +
                           Bytes({0xc4, 2, 0x80, 0x81});
  EXPECT_EQ(TopOfMessagePack(Bytes({0x82}) +
                             "\xa4"
                             "data" +
                             data +
                             "\xab"
                             "chunk_index" +
                             Bytes({7})),
            R"({"chunk_index":7})");
}

TEST(Payload, LongFormsOfMapAndString) {
  EXPECT_EQ(TopOfMessagePack(Bytes({0xde, 0, 1, 0xd9, 1}) + "n" + Bytes({0xda, 0, 1}) + "s"),
            R"({"n":"s"})");
  EXPECT_EQ(TopOfMessagePack(Bytes({0xdf, 0, 0, 0, 1, 0xa1}) + "n" + Bytes({0xdb, 0, 0, 0, 0})),
            R"({"n":""})");
}

TEST(Payload, WhatIsCutOffIsNothing) {
  const std::string map = Bytes({0x82}) +
                          "\xa1"
                          "a" +
                          Bytes({0xcd, 1, 0}) +
                          "\xa1"
                          "b" +
                          Bytes({2});
  for (size_t size = 0; size < map.size(); ++size) {
    EXPECT_EQ(TopOfMessagePack(map.substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(TopOfMessagePack(map), R"({"a":256,"b":2})");
}

TEST(Payload, AClaimedCountLeadsNowhere) {
  EXPECT_EQ(TopOfMessagePack(Bytes({0x81, 0xa1, 'a', 0xdd, 0xff, 0xff, 0xff, 0xff, 1})),
            std::nullopt);
  EXPECT_EQ(TopOfMessagePack(Bytes({0xdf, 0xff, 0xff, 0xff, 0xff})), std::nullopt);
}

TEST(Payload, OtherBytesAreNothing) {
  EXPECT_EQ(TopOfPayload("\"not base64\""), std::nullopt);
  EXPECT_EQ(TopOfPayload("7"), std::nullopt);
  EXPECT_EQ(Quoted("plain text"), std::nullopt);
  EXPECT_EQ(Quoted(Bytes({0x93, 1, 2, 3})), std::nullopt);
}

}  // namespace
}  // namespace midwire::trace
