// What show passes over without rendering it: the output has to be that of showing everything.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <random>
#include <string>
#include <vector>

#include "tests/tools/command.h"
#include "tests/tools/tape.h"
#include "tools/load_dialect.h"
#include "tools/read_trace.h"
#include "tools/showing/viewer.h"

namespace midwire::tools {
namespace {

// A session by chance: few ids, so that they occur again; all that a trace can have.
class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed), batches_(seed % 3 == 0) {}

  uint64_t Below(uint64_t most) { return random_() % most; }

  std::string Tape(size_t steps) {
    tools::Tape tape = tools::Tape::Of({"notes"});
    for (size_t i = 0; i < steps; ++i) Step(&tape);
    if (Below(3) > 0) tape.Exit(static_cast<int>(Below(2)));
    return tape.bytes();
  }

 private:
  std::string Id() { return Below(3) == 0 ? "\"" + Digit() + "\"" : Digit(); }
  std::string Digit() { return std::to_string(Below(6)); }
  std::string Call() {
    return R"({"jsonrpc":"2.0","id":)" + Id() + R"(,"method":"tools/call","params":{"name":"t)" +
           Digit() + R"("}})";
  }
  std::string Answer() {
    return R"({"jsonrpc":"2.0","id":)" + Id() + R"(,"result":{"isError":)" +
           (Below(2) == 0 ? "true" : "false") + "}}";
  }
  std::string Cancel() {
    return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + Id() +
           "}}";
  }
  void Say(tools::Tape* tape, const std::string& text) {
    if (Below(2) == 0) {
      tape->Host(text);
    } else {
      tape->Plugin(text);
    }
  }
  void Step(tools::Tape* tape) {
    tape->Us(static_cast<int64_t>(Below(900'000)));
    switch (Below(16)) {
      case 0:
        return Say(tape, "no message\n");
      case 1:
        tape->Stderr(Below(2) == 0 ? "half a line " : "its end\n");
        return;
      case 2:
        return Say(tape, Cancel() + "\n");
      case 3:
        return Say(tape, batches_ ? "[" + Call() + "," + Answer() + "]\n" : Answer() + "\n");
      case 4: {
        const std::string call = Call();
        tape->Host(call.substr(0, 30)).Plugin(Answer() + "\n").Us(7);
        tape->Host(call.substr(30) + "\n");
        return;
      }
      case 5:
        if (Below(12) == 0) tape->Exit(0).File(tools::Tape::Of({"again"}).bytes());
        return;
      case 6:
        tape->Event(trace::NoteEvent{"a note"});
        return;
      case 7:
        return Say(tape, R"({"jsonrpc":"2.0","id":)" + Id() + R"(,"method":"ping"})" + "\n");
      default:
        return Say(tape, (Below(2) == 0 ? Call() : Answer()) + "\n");
    }
  }

  std::mt19937 random_;
  const bool batches_;
};

class PassingTest : public testing::Test {
 protected:
  struct Shown {
    std::string text;
    bool whole = false;
  };

  Shown Show(const std::string& tape, ViewOptions view, uint64_t last, bool json) const {
    view.dialect = &*dialect_;
    view.last = last;
    const std::string trace = folder_.path() + "/tape", shown = folder_.path() + "/shown";
    WriteFile(trace, tape);
    const int descriptor = open(shown.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    Output output(descriptor);
    WaitingRows rows(&output, 4u << 20, last);
    const view::PrintOptions print = {.style = {}, .body = view.body, .labels = true};
    const auto printer = json ? view::MakeJsonPrinter(print, rows.text())
                              : view::MakeTextPrinter(print, rows.text());
    Viewer viewer(view, printer.get(), &rows, &output);
    EXPECT_TRUE(ReadTrace(trace, /*follow=*/false, &viewer).ok());
    Shown result;
    result.whole = viewer.Finish();
    EXPECT_EQ(output.Finish(), 0);
    close(descriptor);
    result.text = ReadFile(shown);
    return result;
  }

  const TemporaryFolder folder_;
  const Result<wire::Dialect> dialect_ = LoadNamedDialect("mcp", /*strict=*/false);
};

// A tape by chance: whole, cut off, or with a damaged byte.
std::string TapeOf(unsigned seed) {
  Chance chance(seed);
  std::string tape = chance.Tape(20 + chance.Below(120));
  if (seed % 4 == 1) tape.resize(tape.size() - chance.Below(tape.size() / 2));
  if (seed % 4 == 2) tape[chance.Below(tape.size() - 200) + 200] ^= 0x15;
  return tape;
}

TEST_F(PassingTest, TheLastMessagesAreThoseOfTheWholeTape) {
  int passed = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const std::string tape = TapeOf(seed);
    Chance chance(seed);
    const uint64_t last = 1 + chance.Below(4);
    const bool json = chance.Below(2) == 0;
    ViewOptions view{.body = chance.Below(2) == 0, .stderr_lines = chance.Below(2) == 0};
    const Shown all = Show(tape, view, last, json);
    view.passes_below = 1 + chance.Below(tape.size());
    const Shown some = Show(tape, view, last, json);
    ASSERT_EQ(some.text, some.whole ? all.text : "") << seed;
    passed += some.whole;
  }
  EXPECT_GT(passed, 60);
}

TEST_F(PassingTest, WhatCameSinceATimeIsThatOfTheWholeTape) {
  int passed = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const std::string tape = TapeOf(seed);
    Chance chance(seed);
    const uint64_t last = chance.Below(3);
    const bool json = chance.Below(2) == 0;
    ViewOptions view{.stderr_lines = chance.Below(2) == 0, .pair = chance.Below(2) == 0};
    view.since_ns = Tape::kStart + static_cast<int64_t>(chance.Below(60)) * 1'000'000'000;
    const Shown all = Show(tape, view, last, json);
    view.passes_early = true;
    const Shown some = Show(tape, view, last, json);
    ASSERT_EQ(some.text, some.whole ? all.text : "") << seed;
    passed += some.whole;
  }
  EXPECT_GT(passed, 60);
}

// Labels need the bodies of open calls, and these are in the batch.
TEST_F(PassingTest, ABatchOfCallsHasToBeReadAsItIsShown) {
  Tape tape;
  tape.Host(R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}])"
            "\n");
  const uint64_t behind = tape.bytes().size();
  for (int i = 0; i < 9; ++i) tape.Plugin("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
  ViewOptions view;
  view.passes_below = behind + 1;
  EXPECT_FALSE(Show(tape.bytes(), view, 2, /*json=*/false).whole);
  view.passes_below = 1;
  EXPECT_TRUE(Show(tape.bytes(), view, 2, /*json=*/false).whole);
}

TEST_F(PassingTest, FewMessagesBehindTheOffset) {
  const std::string line = "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n";
  Tape tape;
  for (int i = 0; i < 14; ++i) tape.Host(line);
  ViewOptions view;
  view.passes_below = 9 * (line.size() + kMostAround) + 1;
  EXPECT_TRUE(Show(tape.bytes(), view, 2, /*json=*/false).whole);
  EXPECT_FALSE(Show(tape.bytes(), view, 3, /*json=*/false).whole);
}

}  // namespace
}  // namespace midwire::tools
