#include "fuzz/case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace/script.h"
#include "trace/event.h"

namespace midwire::fuzz {
namespace {

using wire::Direction;

// A cassette's header and its streams.
struct CassetteParts {
  std::string header, host, plugin, err;
  std::vector<trace::Event> events;
};
CassetteParts ReadCassette(const std::string& text) {
  CassetteParts read;
  auto reader = trace::OpenTrace(std::make_unique<trace::StringSource>(text));
  EXPECT_TRUE(reader);
  trace::Record record;
  while (true) {
    const auto step = (*reader)->Next(&record);
    EXPECT_TRUE(step) << step.error().Text();
    if (!step || *step != trace::Step::kRecord) {
      EXPECT_TRUE(step && *step == trace::Step::kWait) << "more follows that is not read: " << text;
      break;
    }
    const std::string bytes = std::string(record.head) + std::string(record.body);
    if (record.stream == trace::Stream::kHostToPlugin) read.host += bytes;
    if (record.stream == trace::Stream::kPluginToHost) read.plugin += bytes;
    if (record.stream == trace::Stream::kStderr) read.err += bytes;
    if (record.stream != trace::Stream::kEvents) continue;
    const auto event = trace::ParseEvent(bytes);
    EXPECT_TRUE(event) << bytes;
    if (!event) continue;
    if (std::holds_alternative<trace::HeaderEvent>(*event)) read.header = bytes;
    read.events.push_back(*event);
  }
  return read;
}

FindingRecord Full() {
  return {.oracle = Oracle::kLostAtEof,
          .key = "lost-at-eof open \"x\" \xC3\xA4",
          .text = "not\nanswered",
          .ancestry = "rpc.drop-params",
          .dialect = "mcp",
          .pace = Pace::kSplit,
          .eof = true,
          .probes_sync = true,
          .hits = 2,
          .tries = 3,
          .seed = 12345,
          .probe = R"("method":"ping")",
          .probe_by_text = true,
          .timeout_ms = 250,
          .start_ms = 30,
          .of_host = true,
          .plugin_name = "notes"};
}

TEST(CaseTest, ARecordSurvivesItsCassette) {
  const FindingRecord full = Full();
  const CassetteParts read = ReadCassette(WriteFinding(&full, {}, {"plugin"}));
  const auto parsed = ParseFindingHeader(read.header);
  ASSERT_TRUE(parsed) << parsed.error().Text();
  ASSERT_TRUE(*parsed);
  const FindingRecord& again = **parsed;
  EXPECT_EQ(again.oracle, full.oracle);
  EXPECT_EQ(again.key, full.key);
  EXPECT_EQ(again.text, full.text);
  EXPECT_EQ(again.ancestry, full.ancestry);
  EXPECT_EQ(again.dialect, full.dialect);
  EXPECT_EQ(again.pace, full.pace);
  EXPECT_EQ(again.eof, full.eof);
  EXPECT_EQ(again.probes_sync, full.probes_sync);
  EXPECT_EQ(again.hits, full.hits);
  EXPECT_EQ(again.tries, full.tries);
  EXPECT_EQ(again.seed, full.seed);
  EXPECT_EQ(again.probe, full.probe);
  EXPECT_EQ(again.probe_by_text, full.probe_by_text);
  EXPECT_EQ(again.timeout_ms, full.timeout_ms);
  EXPECT_EQ(again.start_ms, full.start_ms);
  EXPECT_EQ(again.of_host, full.of_host);
  EXPECT_EQ(again.plugin_name, full.plugin_name);
}

TEST(CaseTest, TheHeaderHasTheSeverity) {
  FindingRecord record = Full();
  record.oracle = Oracle::kPollution;
  record.kind = FaultKind::kStyle;
  const std::string header = ReadCassette(WriteFinding(&record, {}, {})).header;
  EXPECT_THAT(header, testing::HasSubstr(R"("severity":"note","kind":"style")"));
  const auto parsed = ParseFindingHeader(header);
  ASSERT_TRUE(parsed && *parsed);
  EXPECT_EQ(KindOf(**parsed), FaultKind::kStyle);
}

TEST(CaseTest, AnOldHeaderHasTheSeverityOfItsOracle) {
  const auto parsed =
      ParseFindingHeader(R"({"finding":{"oracle":"utf8","key":"utf8 x","pace":"split"}})");
  ASSERT_TRUE(parsed && *parsed);
  EXPECT_EQ(KindOf(**parsed), FaultKind::kProtocol);
}

TEST(CaseTest, PropertiesOfTheSeedsSurviveTheCassette) {
  Seeds seeds(Direction::kHostToPlugin);
  seeds.framing = wire::Framing::kContentLength;
  seeds.usual_flags = wire::kNoVersion;
  seeds.methods = {"open", "ping", "never/said"};
  seeds.ends = {"quit"};
  seeds.eof_codes = {0, 2};
  FindingRecord record = Full();
  record.eof = true;
  record.max_growth = 1u << 20;
  DescribeSeeds(seeds, &record);
  Transcript transcript;
  transcript.chunks = {{Direction::kHostToPlugin, R"({"method":"open"} {"method":"ping"})"}};
  const auto parsed =
      ParseFindingHeader(ReadCassette(WriteFinding(&record, transcript, {})).header);
  ASSERT_TRUE(parsed && *parsed);
  EXPECT_EQ((*parsed)->max_growth, 1u << 20);
  Seeds again(Direction::kHostToPlugin);
  again.methods = {"a mutant's own"};
  UseSeeds(**parsed, &again);
  EXPECT_EQ(again.framing, seeds.framing);
  EXPECT_EQ(again.usual_flags, wire::kNoVersion);
  EXPECT_EQ(again.methods, (std::set<std::string, std::less<>>{"open", "ping"}));
  EXPECT_EQ(again.ends, seeds.ends);
  EXPECT_EQ(again.eof_codes, seeds.eof_codes);
}

TEST(CaseTest, ARecordWithoutThemChangesNothing) {
  Seeds seeds(Direction::kHostToPlugin);
  seeds.framing = wire::Framing::kLine;
  seeds.methods = {"open"};
  UseSeeds({}, &seeds);
  EXPECT_EQ(seeds.framing, wire::Framing::kLine);
  EXPECT_TRUE(seeds.methods.contains("open"));
}

TEST(CaseTest, ASeedIsAnyNumberOf64Bits) {
  FindingRecord record = Full();
  record.seed = 0x7FFF'FFFF'FFFF'FFFF;
  const auto parsed = ParseFindingHeader(ReadCassette(WriteFinding(&record, {}, {})).header);
  ASSERT_TRUE(parsed && *parsed);
  EXPECT_EQ((*parsed)->seed, record.seed);
}

TEST(CaseTest, TheCassetteHasAllBytesOfBothParties) {
  Transcript transcript;
  transcript.chunks = {{Direction::kHostToPlugin, "{\"id\":1,\"method\":\"open\"}\n"},
                       {Direction::kPluginToHost, "{\"id\":1,\"result\":\"\xff\"}\n"},
                       {Direction::kHostToPlugin, std::string("junk \x00\xfe\n", 8)},
                       {Direction::kHostToPlugin, std::string(300'000, 'x') + "\n"}};
  transcript.err = "panic: no\n";
  transcript.exit.signal = 11;
  const FindingRecord full = Full();
  const CassetteParts read = ReadCassette(WriteFinding(&full, transcript, {"plugin", "--flag"}));
  EXPECT_EQ(read.host,
            transcript.chunks[0].bytes + transcript.chunks[2].bytes + transcript.chunks[3].bytes);
  EXPECT_EQ(read.plugin, transcript.chunks[1].bytes);
  EXPECT_EQ(read.err, transcript.err);
  bool exited = false;
  for (const trace::Event& event : read.events) {
    const auto* exit = std::get_if<ExitStatus>(&event);
    exited = exited || (exit != nullptr && exit->signal == 11);
  }
  EXPECT_TRUE(exited);
}

TEST(CaseTest, WithoutARecordItIsAPlainCassette) {
  const CassetteParts read = ReadCassette(WriteFinding(nullptr, {}, {"plugin"}));
  EXPECT_FALSE(read.events.empty());
  const auto parsed = ParseFindingHeader(read.header.empty() ? "{}" : read.header);
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(*parsed);
}

TEST(CaseTest, AHeaderWithoutAFindingHasNone) {
  for (const char* header : {"{}", "{\"event\":\"header\"}", "not JSON", "[]"}) {
    const auto parsed = ParseFindingHeader(header);
    ASSERT_TRUE(parsed) << header;
    EXPECT_FALSE(*parsed) << header;
  }
}

TEST(CaseTest, AnInvalidRecordIsReportedWithItsPlace) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"finding":7})", "/finding"},
      {R"({"finding":{"oracle":"magic","key":"k","pace":"split"}})", "/finding/oracle"},
      {R"({"finding":{"oracle":"signal","pace":"split"}})", "/finding/key"},
      {R"({"finding":{"oracle":"signal","key":"k","pace":"fast"}})", "/finding/pace"},
      {R"({"finding":{"oracle":"signal","key":"k"}})", "/finding/pace"},
      {R"({"finding":{"oracle":"signal","key":"k","pace":"split","plugin_name":"../x"}})",
       "/finding/plugin_name"}};
  for (const auto& [header, where] : wrong) {
    const auto parsed = ParseFindingHeader(header);
    ASSERT_FALSE(parsed) << header;
    EXPECT_EQ(parsed.error().where, where) << header;
  }
}

TEST(PaceTest, AHashSelectsThePaceAndMostArePipelined) {
  int counts[3] = {};
  for (int i = 0; i < 1600; ++i) {
    const std::string bytes = "input " + std::to_string(i);
    EXPECT_EQ(PaceOf(bytes), PaceOf(bytes));
    ++counts[static_cast<int>(PaceOf(bytes))];
  }
  EXPECT_GT(counts[0], 100);
  EXPECT_GT(counts[1], 1000);
  EXPECT_GT(counts[2], 10);
}

TEST(PaceTest, NamesAreReadBack) {
  for (const Pace pace : {Pace::kLockstep, Pace::kPipelined, Pace::kSplit}) {
    Pace again = Pace::kLockstep;
    EXPECT_TRUE(ParsePace(Name(pace), &again));
    EXPECT_EQ(again, pace);
  }
  Pace pace;
  EXPECT_FALSE(ParsePace("", &pace));
}

TEST(CaseTest, WhatIsLikeAFindingIsAddedToItsHeader) {
  const FindingRecord record = {.oracle = Oracle::kMissing, .key = "missing a,\"like_count\":"};
  const std::string text = WriteFinding(&record, {}, {"plugin"});
  const auto once = WithLike(text, {"missing b"});
  ASSERT_TRUE(once);
  const auto twice = WithLike(*once, {"missing b", "missing \"c"});
  ASSERT_TRUE(twice);
  const auto read = ParseFindingHeader(twice->substr(0, twice->find('\n')));
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->key, record.key);
  EXPECT_EQ((*read)->like, (std::vector<std::string>{"missing b", "missing \"c"}));
  EXPECT_EQ((*read)->like_count, 2u);
  EXPECT_EQ(WithLike(*twice, {}), text) << "the rest is as it was";
  EXPECT_FALSE(WithLike("{}\n", {"missing b"}));
}

TEST(CaseTest, OfVeryManyLikeItOnlyTheFirstAreListed) {
  const FindingRecord record = {.oracle = Oracle::kMissing, .key = "missing a"};
  const std::vector<std::string> keys(1000, std::string(100, 'x'));
  const auto text = WithLike(WriteFinding(&record, {}, {"plugin"}), keys);
  ASSERT_TRUE(text);
  EXPECT_LT(text->find('\n'), 64u * 1024);
  EXPECT_EQ((*ParseFindingHeader(text->substr(0, text->find('\n'))))->like_count, 1000u);
}

}  // namespace
}  // namespace midwire::fuzz
