#include "fuzz/finding.h"

#include <gtest/gtest.h>

#include <set>

namespace midwire::fuzz {
namespace {

// Names of the oracles that are on, joined by blanks.
std::string On(std::string_view text) {
  const auto set = ParseOracles(text);
  if (!set) return "refused: " + set.error().where;
  std::string names;
  for (const OracleSpec& spec : Oracles()) {
    if (!(*set)[static_cast<int>(spec.oracle)]) continue;
    names += (names.empty() ? "" : " ") + std::string(spec.name);
  }
  return names;
}

TEST(OracleTest, EachHasARowAndAUniqueName) {
  std::set<std::string> names;
  for (int i = 0; i < kOracles; ++i) {
    const OracleSpec& spec = Oracles()[static_cast<size_t>(i)];
    EXPECT_EQ(static_cast<int>(spec.oracle), i);
    EXPECT_EQ(Name(spec.oracle), spec.name);
    EXPECT_NE(std::string(spec.text), "");
    names.insert(spec.name);
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(kOracles));
}

TEST(OracleTest, OraclesOnWhichProtocolsDisagreeAreOff) {
  const OracleSet set = DefaultOracles();
  EXPECT_EQ(set.count(), static_cast<size_t>(kOracles) - 4);
  EXPECT_FALSE(set[static_cast<int>(Oracle::kParseError)]);
  EXPECT_FALSE(set[static_cast<int>(Oracle::kBigId)]);
  EXPECT_FALSE(set[static_cast<int>(Oracle::kExitOnJunk)]);
  EXPECT_FALSE(set[static_cast<int>(Oracle::kSleepAtEof)]);
}

TEST(OracleTest, SignsChangeWhatIsOnByDefault) {
  const auto set = ParseOracles("-utf8,+parse-error");
  ASSERT_TRUE(set);
  OracleSet expected = DefaultOracles();
  expected.reset(static_cast<int>(Oracle::kUtf8));
  expected.set(static_cast<int>(Oracle::kParseError));
  EXPECT_EQ(*set, expected);
}

TEST(OracleTest, PlainNamesSelectOnlyThese) {
  EXPECT_EQ(On("signal"), "signal");
  EXPECT_EQ(On("signal,hang"), "signal hang");
}

TEST(OracleTest, AllAndNoneCanBeChanged) {
  EXPECT_EQ(On("none"), "");
  EXPECT_EQ(On("none,+double"), "double");
  EXPECT_EQ(ParseOracles("all")->count(), static_cast<size_t>(kOracles));
  EXPECT_EQ(ParseOracles("all,-exit")->count(), static_cast<size_t>(kOracles) - 1);
  EXPECT_EQ(*ParseOracles(""), DefaultOracles());
}

TEST(OracleTest, AnUnknownNameIsReported) {
  EXPECT_EQ(On("signal,hnag"), R"(refused: "hnag" in "signal,hnag")");
  EXPECT_EQ(On("+"), R"(refused: "+")");
  EXPECT_EQ(On("signal,,hang"), R"(refused: "" in "signal,,hang")");
  EXPECT_EQ(On("signal,"), R"(refused: "" in "signal,")");
  EXPECT_EQ(On("-utf8,all"), R"(refused: "all" in "-utf8,all")");
}

TEST(OracleTest, NamesWithAndWithoutASignAreNotMixed) {
  EXPECT_EQ(On("-panic,double"), R"(refused: "double" in "-panic,double")");
  EXPECT_EQ(On("signal,-hang"), R"(refused: "-hang" in "signal,-hang")");
  EXPECT_EQ(On("none,signal"), R"(refused: "signal" in "none,signal")");
  EXPECT_NE(ParseOracles("-panic,double").error().remedy.find("+NAME"), std::string::npos);
}

TEST(FaultKindTest, TheWorseKindIsNeverMilder) {
  for (int kind = 1; kind < kFaultKinds; ++kind) {
    EXPECT_LE(SeverityOf(static_cast<FaultKind>(kind)),
              SeverityOf(static_cast<FaultKind>(kind - 1)))
        << Name(static_cast<FaultKind>(kind));
  }
}

TEST(FaultKindTest, ASignalOfWrongMemoryIsAMemoryError) {
  EXPECT_EQ(Name(KindOf(Finding{.oracle = Oracle::kSignal, .key = "signal SIGSEGV after open"})),
            "memory error");
  EXPECT_EQ(Name(KindOf(Finding{.oracle = Oracle::kSignal, .key = "signal SIGABRT after open"})),
            "crash");
  EXPECT_EQ(Name(KindOf(Finding{.oracle = Oracle::kSanitizer, .key = "sanitizer x"})),
            "memory error");
}

TEST(FaultKindTest, AFindingMayHaveAnotherKindThanItsOracle) {
  Finding finding = {.oracle = Oracle::kPollution, .key = "pollution x"};
  EXPECT_EQ(SeverityOf(KindOf(finding)), Severity::kWarning);
  finding.kind = FaultKind::kStyle;
  EXPECT_EQ(SeverityOf(KindOf(finding)), Severity::kNote);
}

TEST(FaultKindTest, EachHasAName) {
  for (int i = 0; i < kFaultKinds; ++i) {
    EXPECT_EQ(ParseFaultKind(Name(static_cast<FaultKind>(i))), static_cast<FaultKind>(i));
  }
  EXPECT_EQ(ParseFaultKind(""), std::nullopt);
}

}  // namespace
}  // namespace midwire::fuzz
