// The rule type chunks.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kChunks = R"({"type":"chunks","methods":["publish"],"topic":"/params/topic",
  "batch":"/params/ns","index":"/params/index","final":"/params/final"})";

std::string Chunk(int index, bool last, int ns = 7, const std::string& topic = "usage") {
  return Notify('<', "publish",
                "{\"topic\":\"" + topic + "\",\"ns\":" + std::to_string(ns) + ",\"index\":" +
                    std::to_string(index) + ",\"final\":" + (last ? "true" : "false") + "}");
}

TEST(ChunksRule, InOrder) {
  EXPECT_EQ(FoundBy(kChunks, {Chunk(0, true), Chunk(0, false), Chunk(1, false), Chunk(2, true),
                              Chunk(0, true, 8)}),
            "");
}
TEST(ChunksRule, TopicsHaveTheirOwn) {
  EXPECT_EQ(FoundBy(kChunks, {Chunk(0, false), Chunk(0, false, 9, "b"), Chunk(1, true),
                              Chunk(1, true, 9, "b")}),
            "");
}
TEST(ChunksRule, ZeroBeginsAgain) {
  EXPECT_EQ(
      FoundBy(kChunks, {Chunk(0, false), Chunk(1, false), Chunk(0, false, 8), Chunk(1, true, 8)}),
      "");
}
TEST(ChunksRule, NoFirstChunk) {
  EXPECT_EQ(FoundBy(kChunks, {Chunk(1, false), Chunk(2, true)}),
            "#1 p2h /params/index: 0, as no stream is open | 1\n");
}
TEST(ChunksRule, AGapAndARepeat) {
  EXPECT_EQ(FoundBy(kChunks, {Chunk(0, false), Chunk(2, false), Chunk(2, false), Chunk(3, true)}),
            "#2 p2h /params/index: 1 or 0 | 2\n#3 p2h /params/index: 3 or 0 | 2\n");
}
TEST(ChunksRule, AfterTheLast) {
  EXPECT_EQ(FoundBy(kChunks, {Chunk(0, true), Chunk(1, true)}),
            "#2 p2h /params/index: 0, as no stream is open | 1\n");
}
TEST(ChunksRule, AnotherBatch) {
  EXPECT_EQ(FoundBy(kChunks, {Chunk(0, false), Chunk(1, true, 8)}),
            "#2 p2h /params/ns: the value of the chunk before | 8\n");
}
TEST(ChunksRule, WhatIsNotChunkedIsIgnored) {
  EXPECT_EQ(FoundBy(kChunks, {Notify('<', "publish", R"({"topic":"t"})"),
                              Notify('<', "publish", R"({"index":"1"})"), Notify('<', "other")}),
            "");
}
TEST(ChunksRule, OddNumbers) {
  EXPECT_EQ(FoundBy(kChunks, {Notify('<', "publish", R"({"index":-1})"),
                              Notify('<', "publish", R"({"index":9223372036854775807})"),
                              Notify('<', "publish", R"({"index":1e400})"),
                              Notify('<', "publish", R"({"index":0.0})"),
                              Notify('<', "publish", R"({"index":1.5})")}),
            "#1 p2h /params/index: 0, as no stream is open | -1\n"
            "#2 p2h /params/index: 1 or 0 | 9223372036854775807\n"
            "#3 p2h /params/index: 1 or 0 | 1e400\n"
            "#5 p2h /params/index: 1 or 0 | 1.5\n");
}
TEST(ChunksRule, ARecordingThatBeginsInTheMiddle) {
  EXPECT_EQ(FoundBy(kChunks, {"part 2", Chunk(5, false), Chunk(6, true)}), "");
  EXPECT_EQ(FoundBy(kChunks, {Chunk(0, false), "gap", Chunk(6, true)}), "");
}

}  // namespace
}  // namespace midwire::trace
