#include "view/text/call_footer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "view/text/append.h"

namespace midwire::view {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kNow = 1'767'323'045 * kSecond;

FooterCall Call(std::string method, int64_t age_ns, std::string label = "", std::string id = "7") {
  FooterCall call;
  call.since_ns = kNow - age_ns;
  call.method = std::move(method);
  call.label = std::move(label);
  call.id = std::move(id);
  return call;
}

std::string Footer(const FooterFacts& facts, size_t width = 80, size_t rows = 24,
                   bool color = false) {
  std::string text;
  for (const std::string& line : FooterLines(facts, kNow, rows, {color, width})) {
    text += line + '\n';
  }
  return text;
}

FooterFacts Open(std::vector<FooterCall> calls) {
  FooterFacts facts;
  facts.open = calls.size();
  facts.calls = std::move(calls);
  return facts;
}

TEST(CallFooterTest, NothingIsOpen) {
  EXPECT_EQ(Footer({}), "no open call  -> 0/s, 0 B/s  <- 0/s, 0 B/s\n");
}

TEST(CallFooterTest, RatesOfBothDirections) {
  FooterFacts facts;
  facts.rates = {{{0.25, 340}, {1234.6, 3.25 * 1024 * 1024}}};
  EXPECT_EQ(Footer(facts), "no open call  -> 0.3/s, 340 B/s  <- 1,234/s, 3.3 MiB/s\n");
}

TEST(CallFooterTest, EachOpenCallHasItsAge) {
  FooterFacts facts = Open({Call("tools/call", 12'340'000'000, "fetch"), Call("ping", 45'600'000)});
  facts.calls[1].direction = wire::Direction::kPluginToHost;
  EXPECT_EQ(Footer(facts),
            "2 open calls  -> 0/s, 0 B/s  <- 0/s, 0 B/s\n"
            "->  12.3s  tools/call  fetch  id 7\n"
            "<- 45.6ms  ping  id 7\n");
}

TEST(CallFooterTest, AClockThatIsBehindTheRecorders) {
  EXPECT_EQ(Footer(Open({Call("ping", -kSecond)})),
            "1 open call  -> 0/s, 0 B/s  <- 0/s, 0 B/s\n->    0ns  ping  id 7\n");
}

TEST(CallFooterTest, OfManyCallsTheOldest) {
  FooterFacts facts = Open(std::vector<FooterCall>(9, Call("ping", kSecond)));
  facts.open = 1200;
  const std::string call = "->  1.00s  ping  id 7\n";
  EXPECT_EQ(Footer(facts), "1200 open calls  -> 0/s, 0 B/s  <- 0/s, 0 B/s  the oldest:\n" + call +
                               call + call + call + call);
  EXPECT_EQ(Footer(facts, 80, 12),
            "1200 open calls  -> 0/s, 0 B/s  <- 0/s, 0 B/s  the oldest:\n" + call + call);
}

TEST(CallFooterTest, ALowTerminalHasOnlyTheSummary) {
  EXPECT_EQ(Footer(Open({Call("ping", kSecond)}), 80, 6),
            "1 open call  -> 0/s, 0 B/s  <- 0/s, 0 B/s\n");
  EXPECT_EQ(Footer(Open({Call("ping", kSecond)}), 80, 5), "");
}

TEST(CallFooterTest, ANarrowTerminalCutsAndDoesWithoutTheId) {
  EXPECT_EQ(Footer(Open({Call("textDocument/completion", kSecond)}), 32),
            "1 open call  -> 0/s, 0 B/s  <-\u2026\n"
            "->  1.00s  textDocument/\u2026  id 7\n");
  EXPECT_EQ(Footer(Open({Call("textDocument/completion", kSecond)}), 20),
            "1 open call  -> 0/\u2026\n"
            "->  1.00s  textDoc\u2026\n");
  EXPECT_EQ(Footer(Open({Call("ping", kSecond)}), 19), "");
}

TEST(CallFooterTest, NoLineReachesTheLastColumn) {
  const std::string wide = "\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57";
  for (size_t width = 20; width < 70; ++width) {
    const FooterFacts facts = Open({Call(wide + wide + wide, kSecond, wide, wide)});
    const std::vector<std::string> lines = FooterLines(facts, kNow, 24, {.width = width});
    EXPECT_FALSE(lines.empty()) << width;
    for (const std::string& line : lines) EXPECT_LT(ColumnsOf(line), width) << line;
  }
}

TEST(CallFooterTest, TextOfAPeerIsEscaped) {
  const std::string hostile = "a\x1b[2J\nb\r";
  const std::string text = Footer(Open({Call(hostile, kSecond, hostile, hostile)}), 120);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
  EXPECT_EQ(text.find_first_of("\x1b\r"), text.npos) << text;
}

TEST(CallFooterTest, PaintIsAroundALine) {
  EXPECT_EQ(Footer(Open({Call("ping", kSecond)}), 80, 24, true),
            "\x1b[2m1 open call  -> 0/s, 0 B/s  <- 0/s, 0 B/s\x1b[0m\n"
            "\x1b[33m->  1.00s  ping  id 7\x1b[0m\n");
}

}  // namespace
}  // namespace midwire::view
