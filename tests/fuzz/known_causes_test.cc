#include "fuzz/known_causes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace midwire::fuzz {
namespace {

constexpr char kCause[] = "fault assert in Open";

Input LinesOf(const std::vector<std::string>& bodies) {
  Input input;
  for (const std::string& body : bodies) {
    input.parts.push_back(Framed(body, wire::Framing::kLine));
  }
  return input;
}

std::string Open(const std::string& params) {
  return R"({"id":1,"method":"open","params":)" + params + "}";
}

// Has seen recorded sessions and some of their mutants, none of which shows the cause.
class KnownCausesTest : public testing::Test {
 protected:
  KnownCausesTest() {
    for (int i = 0; i < 20; ++i) {
      const std::string n = std::to_string(i);
      Clean({Open(R"({"path":"/)" + n + R"(","mode":"r"})"),
             R"({"id":2,"method":"read","params":{"handle":)" + n + "}}"});
    }
    Clean({R"({"id":2,"method":"read","params":{}})", R"({"id":2,"method":"read"})"});
    Clean({R"({"id":3,"method":"close"})", Open(R"({"path":"","mode":7})")});
  }

  void Clean(const std::vector<std::string>& bodies) { known_.OnClean(LinesOf(bodies)); }
  void Reduced(const std::vector<std::string>& bodies) {
    known_.OnReduced(kCause, LinesOf(bodies), bodies.size() - 1);
  }
  bool Finds(const std::string& body) { return known_.Find(LinesOf({body})).has_value(); }
  std::string Text() const { return known_.TextOf(kCause); }

  static KnownCauses Made() {
    UsualMembers usual;
    usual.Add(LinesOf({Open(R"({"path":"/a","mode":"r"})")}));
    return {usual, LinesOf({R"({"id":0,"method":"initialize"})"})};
  }
  KnownCauses known_ = Made();
};

TEST_F(KnownCausesTest, NothingIsKnownAtFirst) {
  EXPECT_TRUE(known_.empty());
  EXPECT_FALSE(Finds(Open("{}")));
}

TEST_F(KnownCausesTest, AMissingMemberIsLearnedFromAReducedInput) {
  Reduced({R"({"id":1,"method":"open","params":{"mode":"r"}})"});
  EXPECT_EQ(Text(), "open: /params/path is missing");
  EXPECT_TRUE(Finds(Open("{}")));
  EXPECT_TRUE(Finds(R"({"id":"x","method":"open"})"));
  EXPECT_FALSE(Finds(Open(R"({"path":"/b"})")));
  EXPECT_FALSE(Finds(R"({"id":2,"method":"read","params":{}})"));
}

TEST_F(KnownCausesTest, ATypeIsABetterGuessThanAValue) {
  Reduced({Open(R"({"path":0,"mode":"r"})")});
  EXPECT_EQ(Text(), "open: /params/path has an unusual type");
}

TEST_F(KnownCausesTest, WhatIsNotInAllInputsThatShowedItDoesNotMatter) {
  known_.OnReduced(kCause, LinesOf({Open("{}")}), 0,
                   {LinesOf({Open(R"({"mode":"r"})")}), LinesOf({Open(R"({"mode":"w","x":1})")})});
  EXPECT_EQ(Text(), "open: /params/path is missing");
}

TEST_F(KnownCausesTest, ATypeThatWasNotRecordedIsOneTrait) {
  known_.OnReduced(kCause, LinesOf({Open(R"({"path":0,"mode":"r"})")}), 0,
                   {LinesOf({Open(R"({"path":[],"mode":"r"})")})});
  EXPECT_EQ(Text(), "open: /params/path has an unusual type");
}

TEST_F(KnownCausesTest, ACleanInputWithTheTraitMakesItSpecial) {
  Reduced({Open(R"({"path":-5,"mode":"r"})")});
  Clean({Open(R"({"path":5})")});
  EXPECT_EQ(Text(), "open: /params/path is negative");
  Clean({Open(R"({"path":-6})")});
  EXPECT_FALSE(Finds(Open(R"({"path":-7})"))) << Text();
}

TEST_F(KnownCausesTest, ACleanInputAmongManyOthersIsNoProof) {
  std::vector<Input> shown;
  for (int i = 0; i < 8; ++i) {
    shown.push_back(LinesOf({Open("{\"mode\":" + std::to_string(i) + "}")}));
  }
  known_.OnReduced(kCause, LinesOf({Open(R"({"mode":"r"})")}), 0, shown);
  Clean({R"({"method":"open"})"});
  EXPECT_EQ(Text(), "open: /params/path is missing");
}

TEST_F(KnownCausesTest, TwoTraitsThatAreCleanAloneAreLearnedTogether) {
  Clean({Open(R"({"path":1,"mode":"r"})"), Open(R"({"path":0,"mode":"r"})")});
  Reduced({Open(R"({"path":0,"mode":0})")});
  Clean({Open(R"({"path":"/a","mode":0})")});
  EXPECT_TRUE(Finds(Open(R"({"path":3,"mode":4})"))) << Text();
  EXPECT_FALSE(Finds(Open(R"({"path":3,"mode":"r"})"))) << Text();
}

TEST_F(KnownCausesTest, WhatWasSentBeforeCanBeTheTrait) {
  Reduced({R"({"id":3,"method":"close"})", R"({"id":2,"method":"read","params":{"handle":3}})"});
  EXPECT_EQ(Text(), "read: after close");
  EXPECT_FALSE(Finds(R"({"id":2,"method":"read","params":{"handle":3}})"));
}

TEST_F(KnownCausesTest, AnOpeningIsNoTrait) {
  Reduced({R"({"id":0,"method":"initialize"})", Open(R"({"path":"/3","mode":"r"})")});
  EXPECT_EQ(Text(), "");
  EXPECT_TRUE(known_.empty());
}

TEST_F(KnownCausesTest, ACauseThatCleanInputsHaveTooHasNoFilter) {
  Reduced({R"({"id":2,"method":"read","params":{"handle":3}})"});
  EXPECT_EQ(Text(), "");
}

TEST_F(KnownCausesTest, SeveralInputsWillDoWithoutAReducedOne) {
  for (int i = 0; i < 3; ++i) {
    known_.OnShown(kCause, LinesOf({R"({"id":9,"method":"read"})", Open("{}")}));
  }
  EXPECT_EQ(Text(), "");
  known_.OnShown(kCause, LinesOf({Open(R"({"mode":"r"})")}));
  EXPECT_EQ(Text(), "open: /params/path is missing");
}

TEST_F(KnownCausesTest, ASecondWayToTheCauseGetsItsOwnFilter) {
  Reduced({Open(R"({"mode":"r"})")});
  for (int i = 0; i < 4; ++i) {
    known_.OnShown(kCause, LinesOf({R"({"id":2,"method":"read","params":{"handle":"x"}})"}));
  }
  EXPECT_EQ(Text(), "open: /params/path is missing | read: /params/handle is a string");
}

TEST_F(KnownCausesTest, AHeaderIsLearned) {
  for (int i = 0; i < 20; ++i) {
    known_.OnClean(ParseInput("Content-Length: " + std::to_string(i + 1) + "\n\n{}"));
  }
  known_.OnReduced(kCause, ParseInput("Content-Length: -1\r\n\r\n{}"), 0);
  EXPECT_TRUE(known_.Find(ParseInput("Content-Length: -77\r\n\r\n{\"a\":1}"))) << Text();
  EXPECT_FALSE(known_.Find(ParseInput("Content-Length: 2\r\n\r\n{}"))) << Text();
}

TEST_F(KnownCausesTest, FewMutantsWithTheTraitAreSent) {
  Reduced({Open(R"({"mode":"r"})")});
  size_t sent = 0;
  for (uint64_t seed = 0; seed < 64 * kKnownOneIn; ++seed) {
    sent += !known_.Skips(LinesOf({Open("{}")}), seed);
  }
  EXPECT_GE(sent, 32u);
  EXPECT_LE(sent, 128u);
  EXPECT_FALSE(known_.Skips(LinesOf({Open(R"({"path":"/a"})")}), 1));
}

TEST_F(KnownCausesTest, OnlyTheMessagesWithTheTraitAreLeftOut) {
  Reduced({Open(R"({"mode":"r"})")});
  const std::string read = R"({"id":2,"method":"read"})";
  Input input = LinesOf({Open("{}"), read, Open(R"({"mode":"w"})")});
  known_.LeaveOut(&input);
  EXPECT_EQ(input.Bytes(), read + "\n");
}

TEST_F(KnownCausesTest, WithFewCleanInputsNothingIsLearned) {
  KnownCauses known = Made();
  known.OnClean(LinesOf({Open(R"({"path":"/a"})")}));
  known.OnReduced(kCause, LinesOf({Open("{}")}), 0);
  EXPECT_TRUE(known.empty());
}

}  // namespace
}  // namespace midwire::fuzz
