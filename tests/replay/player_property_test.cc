// Properties over random sessions: a session against itself is the same in both roles, however its
// bytes are cut and as often as it runs; one changed message is always reported; bytes without
// sense never break a player.
#include <random>

#include "tests/replay/conversation.h"
#include "tests/sanitized.h"

namespace midwire::replay {
namespace {

// One message of a random session.
struct Line {
  bool host = false;
  std::string body;
  bool call = false;  // a request or an answer: not a notification
};

// Requests in both directions with ids that collide, answers out of order, notifications.
std::vector<Line> RandomLines(unsigned seed) {
  std::mt19937 random(seed);
  const auto under = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<Line> lines;
  std::vector<std::pair<bool, std::string>> open;  // whether of the host, and its id
  int made = 0;
  const auto answer = [&] {
    const size_t at = under(static_cast<unsigned>(open.size()));
    const auto [host, id] = open[at];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    const std::string value = std::to_string(++made);
    lines.push_back({!host,
                     "{\"id\":" + id +
                         (under(5) == 0 ? ",\"error\":{\"code\":" + value + "}}"
                                        : ",\"result\":{\"n\":" + value + "}}"),
                     true});
  };
  for (unsigned i = 0, count = 3 + under(30); i < count; ++i) {
    const bool host = under(2) == 0;
    const std::string method(1, static_cast<char>('a' + under(4)));
    switch (under(4)) {
      case 0:
        lines.push_back(
            {host, "{\"method\":\"n" + method + "\",\"params\":[" + std::to_string(++made) + "]}"});
        break;
      case 1: {
        const std::string id =
            under(2) == 0 ? std::to_string(under(3)) : "\"s" + std::to_string(under(3)) + "\"";
        lines.push_back({host,
                         "{\"id\":" + id + ",\"method\":\"" + method +
                             "\",\"params\":{\"v\":" + std::to_string(++made) + "}}",
                         true});
        open.emplace_back(host, id);
        break;
      }
      default:
        if (!open.empty()) answer();
    }
  }
  while (!open.empty()) answer();
  return lines;
}

std::string Recorded(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) text += (line.host ? "-> " : "<- ") + line.body + "\n";
  return text;
}

// The peer says its lines in the recorded order, each as soon as all of ours before it are there.
std::string AgainstItself(const std::vector<Line>& lines, const Role& role, std::string* sent,
                          size_t changed = SIZE_MAX, std::string with = "") {
  LiveRun run(TapeOf(Recorded(lines)), role);
  const bool ours = role.options.ours == Direction::kHostToPlugin;
  size_t from = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].host == ours) {
      const size_t end = run.sent().find('\n', from);
      if (end == std::string::npos) run.Pass(1'000'000'000);
      from = std::min(run.sent().find('\n', from), run.sent().size() - 1) + 1;
    } else {
      const std::string& body = i == changed ? with : lines[i].body;
      if (!body.empty()) run.Say(body + "\n");
    }
  }
  const std::string report = run.End();
  *sent = run.sent();
  return report;
}

TEST(ReplayPropertyTest, ASessionAgainstItselfIsTheSame) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::vector<Line> lines = RandomLines(seed);
    for (const Role& role : {Host(), Mock(), Host().Ordered(Order::kStrict)}) {
      std::string sent;
      ASSERT_EQ(AgainstItself(lines, role, &sent), "same\n") << seed << "\n" << Recorded(lines);
      std::string whole;
      const bool ours = role.options.ours == Direction::kHostToPlugin;
      for (const Line& line : lines) whole += line.host == ours ? line.body + "\n" : "";
      EXPECT_EQ(sent.size(), whole.size()) << seed << "\n" << Recorded(lines) << sent;
    }
  }
}

TEST(ReplayPropertyTest, OneChangedMessageIsAlwaysReported) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::vector<Line> lines = RandomLines(seed);
    std::mt19937 random(seed);
    for (const Role& role : {Host(), Mock()}) {
      const bool ours = role.options.ours == Direction::kHostToPlugin;
      std::vector<size_t> peers;
      for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].host != ours) peers.push_back(i);
      }
      if (peers.empty()) continue;
      const size_t at = peers[random() % peers.size()];
      std::string with = lines[at].body;
      switch (random() % 4) {
        case 0:  // lost
          with.clear();
          break;
        case 1:  // twice
          with += "\n" + with;
          break;
        case 2:  // one member more
          with.insert(with.size() - 1, ",\"more\":null");
          break;
        case 3: {  // another value
          const size_t digit = with.find_last_of("0123456789");
          with[digit] = with[digit] == '9' ? '8' : static_cast<char>(with[digit] + 1);
          break;
        }
      }
      std::string sent;
      EXPECT_NE(AgainstItself(lines, role, &sent, at, with).find("same\n"), 0u)
          << seed << " " << lines[at].body << " -> " << with << "\n"
          << Recorded(lines);
    }
  }
}

TEST(ReplayPropertyTest, AHundredRunsAndAnyChunkingSendAndReportTheSame) {
  for (int seed = 0; seed < Many(20); ++seed) {
    const std::vector<Line> lines = RandomLines(seed);
    std::string first_sent, sent;
    // A run with differences, which has more in its report.
    std::string with;
    size_t at = 0;
    while (at + 1 < lines.size() && lines[at].host) ++at;
    with = "{\"hello\":1}\n{\"id\":99,\"method\":\"x\"}\njunk";
    const std::string first = AgainstItself(lines, Host(), &first_sent, at, with);
    for (int i = 0; i < 100; ++i) {
      Role role = Host().Chunks(i % 10 == 0 ? SIZE_MAX : static_cast<size_t>(i));
      ASSERT_EQ(AgainstItself(lines, role, &sent, at, with), first) << seed << " chunk " << i;
      ASSERT_EQ(sent, first_sent) << seed << " chunk " << i;
    }
  }
}

TEST(ReplayPropertyTest, BytesWithoutSenseNeverBreakIt) {
  const std::string pieces[] = {"{",
                                "}",
                                "[",
                                "]",
                                "\"id\":1",
                                "\"id\":\"s1\"",
                                ",",
                                "\n",
                                "\"method\":\"a\"",
                                "\"result\":",
                                "{\"id\":1,\"result\":1}\n",
                                "{\"id\":1,\"method\":\"a\"}\n",
                                "[{\"id\":0,\"method\":\"b\"},7]\n",
                                "Content-Length: 5\r\n\r\n",
                                "\xFF",
                                std::string(1, '\0'),
                                "null",
                                "{\"seq\":1,\"type\":\"request\",\"command\":\"a\"}\n",
                                "{\"id\":{},\"method\":[]}\n",
                                "{\"id\":1e999,\"method\":\"a\"}\n"};
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    Role role = seed % 2 == 0 ? Host() : Mock();
    role.options.order = static_cast<Order>(seed % 3);
    role.options.on_extra = static_cast<OnExtra>(seed / 3 % 3);
    role.options.exhausted = static_cast<OnExhausted>(seed / 2 % 2);
    role.options.process = seed % 5 != 0;
    LiveRun run(TapeOf(Recorded(RandomLines(seed))), role);
    for (int i = 0; i < 200 && !run.player().finished(); ++i) {
      std::string bytes;
      if (random() % 3 == 0) {
        for (unsigned n = random() % 40; n > 0; --n) bytes += static_cast<char>(random() % 256);
      } else {
        for (unsigned n = random() % 8; n > 0; --n) bytes += pieces[random() % std::size(pieces)];
      }
      run.Say(bytes);
      run.Pass(random() % 100'000'000);
    }
    run.End();
    EXPECT_TRUE(run.player().finished());
  }
}

// A trace, too, may be anything.
TEST(ReplayPropertyTest, TracesWithoutMannersArePlayedToAnEnd) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    const std::string tape = trace::Tape(trace::RandomSession(seed));
    for (const Role& role : {Host(), Mock()}) {
      LiveRun run(tape, role);
      run.Say("{\"id\":1,\"result\":1}\n{\"id\":1,\"method\":\"a\"}\nx\n");
      run.End();
      EXPECT_TRUE(run.player().finished()) << seed;
    }
  }
}

}  // namespace
}  // namespace midwire::replay
