// varies WHAT [CHANGE]: answers each line with what changes from run to run, for `replay --learn`.
// WHAT, of these words joined by `,`:
//   time, uuid, text   members of each result
//   clock              the same, with times as programs print them: a second later in each run, and
//                      VARIES_CLOCK seconds later in all
//   set                an array in another order
//   float              two notifications in another order
//   count              none to two notifications
//   chunks             one text in notifications, cut at random
//   tools              answers of three tools: rand and say vary, add does not
//   crash, hang        every second run
// Runs differ by a counter in the file VARIES_RUN, so that each run is another. CHANGE: a word in
// the result that is the same in every run.
#include <time.h>

#include <fstream>
#include <vector>

#include "peer.h"

namespace {

unsigned NextRun() {
  const char* path = getenv("VARIES_RUN");
  if (path == nullptr) peer::Misused("no VARIES_RUN");
  unsigned run = 0;
  std::ifstream(path) >> run;
  std::ofstream(path) << run + 1;
  return run;
}

std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

// In UTC.
std::string Printed(const char* format, time_t at) {
  char text[100];
  struct tm fields;
  return {text, strftime(text, sizeof text, format, gmtime_r(&at, &fields))};
}

// Members of a result.
std::string Clocks(unsigned run) {
  const char* later = getenv("VARIES_CLOCK");
  const time_t at = 1795694043 + static_cast<time_t>(run) + (later == nullptr ? 0 : atoi(later));
  return ",\"log\":" + Quoted(Printed("[%d/%b/%Y:%H:%M:%S +0000] GET / 200", at)) +
         ",\"day\":" + Quoted(Printed("%Y-%m-%d, at %I:%M:%S %p: ready", at)) +
         ",\"file\":" + Quoted(Printed("/tmp/run-%Y%m%d-%H%M%S.log", at)) +
         ",\"date\":" + Quoted(Printed("%a %b %e %H:%M:%S %Y", at));
}

std::string Note(const std::string& method, const std::string& params) {
  return "{\"method\":" + Quoted(method) + ",\"params\":" + params + "}\n";
}

// The text that a tool answers: a number, the sum, or one of a few phrases.
std::string Answer(const std::string& request, unsigned run, const std::string& change) {
  const char* const sayings[] = {"It rains.", "no 7", "/tmp/x is gone!"};
  if (request.find("\"rand\"") != request.npos) return std::to_string(100 + run);
  if (request.find("\"say\"") != request.npos) return sayings[run % 3];
  return change.empty() ? "3" : change;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = "," + std::string(peer::Word(argc, argv, 1)) + ",";
  const std::string change(peer::Word(argc, argv, 2));
  const auto does = [&](const char* word) {
    return what.find("," + std::string(word) + ",") != what.npos;
  };
  const unsigned run = NextRun();
  if (does("crash") && run % 2 == 1) abort();
  if (does("hang") && run % 2 == 1) pause();
  const std::string digits = std::to_string(100 + run);
  peer::Lines lines;
  int line = 0;
  for (std::string request; !(request = lines.Next()).empty();) {
    ++line;
    std::string result = "{\"line\":" + std::to_string(line) +
                         ",\"word\":" + Quoted(change.empty() || does("tools") ? "same" : change);
    if (does("time")) result += ",\"at\":" + std::to_string(1763882000 + run);
    if (does("clock")) result += Clocks(run);
    if (does("uuid") && line == 1) {  // sent once, so no renaming accepts it
      result += ",\"uuid\":" + Quoted("00000000-0000-4000-8000-000000000" + digits);
    }
    if (does("text")) result += ",\"text\":" + Quoted("took " + digits + " ms");
    if (does("set")) {
      const std::vector<std::string> names = {"\"a\"", "\"b\"", "\"c\""};
      result += ",\"set\":[" + names[run % 3] + "," + names[(run + 1) % 3] + "," +
                names[(run + 2) % 3] + "]";
    }
    if (does("tools")) {
      result +=
          ",\"content\":[{\"type\":\"text\",\"text\":" + Quoted(Answer(request, run, change)) +
          "}]";
    }
    const std::string answer = "{\"id\":" + std::to_string(line) + ",\"result\":" + result + "}}\n";
    const std::string first = Note("log", "\"first\""), second = Note("log", "\"second\"");
    std::string before;
    if (does("float")) before = run % 2 == 0 ? first + second : second + first;
    for (unsigned i = 0; does("count") && i < run % 3; ++i) before += Note("tick", "1");
    if (does("chunks")) {
      const std::string text = "one two three four";
      for (size_t at = 0; at < text.size();) {
        const size_t size = 1 + (run * 7 + at * 3) % 6;
        before += Note("out", "{\"text\":" + Quoted(text.substr(at, size)) + "}");
        at += size;
      }
    }
    if (!peer::Say(before + answer)) return 1;
  }
}
