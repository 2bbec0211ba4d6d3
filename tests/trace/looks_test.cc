#include "trace/looks.h"

#include <gtest/gtest.h>

namespace midwire::trace {
namespace {

TEST(LooksTest, MadeByAProgram) {
  for (const char* text :
       {"thr_8f3a", "cb-17", "h-81", "7f1c5a9e-3f57-4a3f-9a0a-0c1ed0a4b7d2", "host-4711-ask",
        "deadbeef01", "urn:uuid:7f1c5a9e", "0x7ffee4", "a1b2", "x:1:2", "user@host1"}) {
    EXPECT_TRUE(LooksMade(text)) << text;
  }
}

TEST(LooksTest, NotMadeByAProgram) {
  for (const char* text :
       {"", "a1", "abc", "hello", "1234", "1.2.3", "v1.2.3", "2026-11-21T10:00:00Z", "2025-06-18",
        "10:45:00.123", "see 17 more", "/tmp/x1", "file:///a1", "caf\xC3\xA9 1", "a\x01z9"}) {
    EXPECT_FALSE(LooksMade(text)) << text;
  }
}

TEST(LooksTest, TokensThatHardlyOccurInProse) {
  for (const char* token : {"7f1c5a9e-3f57-4a3f-9a0a-0c1ed0a4b7d2", "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                            "a1b2-c3d4", "x9-00aa11"}) {
    EXPECT_TRUE(IsRandomToken(token)) << token;
  }
  for (const char* token :
       {"a1b2c3", "section-12a", "2026-11-21T10:00:00Z", "1.2.3-4.5.6", "a b1c2d3"}) {
    EXPECT_FALSE(IsRandomToken(token)) << token;
  }
}

TEST(LooksTest, MembersThatNameAnIdentity) {
  for (const char* member :
       {"id",        "ID",         "ids",        "threadId",   "threadIds", "THREAD_ID",
        "thread-id", "object_id",  "handle",     "fileHandle", "token",     "progressToken",
        "cursor",    "nextCursor", "session",    "sessionID",  "pid",       "uuid",
        "ref",       "result",     "callbackId", "2id"}) {
    EXPECT_TRUE(NamesIdentity(member)) << member;
  }
}

TEST(LooksTest, MembersThatDoNot) {
  for (const char* member : {"", "s", "valid", "grid", "paid", "key", "name", "identity", "count",
                             "width", "prefer", "VALID", "results_count", "tokenize"}) {
    EXPECT_FALSE(NamesIdentity(member)) << member;
  }
}

}  // namespace
}  // namespace midwire::trace
