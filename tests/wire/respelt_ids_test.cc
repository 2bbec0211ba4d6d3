#include "wire/respelt_ids.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/wire/id_spellings.h"
#include "wire/exchange.h"

namespace midwire::wire {
namespace {

std::string KeyOf(std::string_view token) {
  std::string space;
  return std::string(IdKey(token, &space));
}

TEST(RespeltIdsTest, SpellingsOfOneIdHaveOneKey) {
  for (const IdSpelling& each : kIdSpellings) {
    EXPECT_EQ(KeyOf(each.asked) == KeyOf(each.answered), each.same_id)
        << each.asked << " " << each.answered;
  }
}

TEST(RespeltIdsTest, UsualIdsAreTheirOwnKey) {
  for (const char* id : {"0", "1", "-7", "18446744073709551615", "\"a\"", "\"a-1\"", "null", ""}) {
    EXPECT_EQ(KeyOf(id), id);
  }
  EXPECT_EQ(KeyOf("\"abc"), "\"abc");  // the kept beginning of a long one
  EXPECT_EQ(KeyOf(std::string(50, '1')), std::string(50, '1') + "e50");
  EXPECT_EQ(KeyOf("1e41"), "1e42");
}

Message WithToken(const char* token) {
  Message message;
  message.id.type = *token == '"' ? Id::Type::kString : Id::Type::kInteger;
  message.id.token = token;
  return message;
}

TEST(RespeltIdsTest, ExchangesCloseWhatWasMeant) {
  for (const IdSpelling& each : kIdSpellings) {
    Exchanges exchanges;
    exchanges.Open(Direction::kHostToPlugin, WithToken(each.asked), 1, 0);
    const auto closed = exchanges.CloseMeant(Direction::kPluginToHost, WithToken(each.answered));
    EXPECT_EQ(closed != nullptr, each.same_id) << each.asked << " " << each.answered;
  }
}

TEST(RespeltIdsTest, TheOwnSpellingGoesFirst) {
  const std::set<std::string> open = {"\"1\"", "1", "1.0"};
  RespeltIds ids;
  for (const std::string& id : open) ids.Open(id);
  EXPECT_EQ(*ids.Find(open, "1.00"), "1");
  EXPECT_EQ(*ids.Find(open, "1"), "\"1\"");
}

TEST(RespeltIdsTest, WhatWasClosedIsNotFound) {
  std::set<std::string> open = {"1.0"};
  RespeltIds ids;
  ids.Open("1.0");
  ids.Open("1.0");
  ids.Close("1.0");
  EXPECT_NE(ids.Find(open, "1"), open.end());
  ids.Close("1.0");
  EXPECT_EQ(ids.Find(open, "1"), open.end());
}

}  // namespace
}  // namespace midwire::wire
