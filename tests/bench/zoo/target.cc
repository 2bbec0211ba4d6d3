// The same peer as a target in this process, for libFuzzer and AFL++: an input is what a host sends
// in one session. $ZOO_BUG and $ZOO_FRAMING select the peer. In addition to crashes it makes the
// checks that a C++ test would: frames, JSON, a result or an error, ids that were requested, an
// answer to every valid request. Each failed check is an abort().
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "peer.h"

namespace {

zoo::Bugs bugs;
bool lines = true;

void Check(bool good, const char* what) {
  if (good) return;
  fprintf(stderr, "target: %s\n", what);
  abort();
}

// The framed bodies; *clean: there is nothing else.
std::vector<std::string_view> Bodies(std::string_view bytes, bool* clean) {
  std::vector<std::string_view> bodies;
  *clean = true;
  while (!bytes.empty()) {
    if (lines) {
      const size_t end = bytes.find('\n');
      if (end == bytes.npos) break;
      bodies.push_back(bytes.substr(0, end));
      bytes.remove_prefix(end + 1);
      continue;
    }
    constexpr std::string_view kName = "Content-Length: ";
    const size_t end = bytes.find("\r\n\r\n");
    if (!bytes.starts_with(kName) || end == bytes.npos || end > 30) break;
    const size_t length = strtoull(bytes.data() + kName.size(), nullptr, 10);
    if (bytes.find_first_not_of("0123456789", kName.size()) != end) break;
    if (length > bytes.size() - end - 4) break;
    bodies.push_back(bytes.substr(end + 4, length));
    bytes.remove_prefix(end + 4 + length);
  }
  *clean = bytes.empty();
  return bodies;
}

struct Asked {
  std::map<std::string, int> ids;
  bool sound = true;  // all messages were valid, so every request must be answered
};

Asked AskedIn(std::string_view input) {
  Asked asked;
  for (const std::string_view body : Bodies(input, &asked.sound)) {
    const auto json = zoo::ParseJson(body);
    if (!json || !json->is(zoo::Json::Type::kObject)) {
      asked.sound = false;
      continue;
    }
    const zoo::Json* id = json->Find("id");
    const zoo::Json* method = json->Find("method");
    if (method == nullptr || !method->is(zoo::Json::Type::kString) || method->text == "exit") {
      asked.sound = false;
    }
    if (id == nullptr || method == nullptr) continue;
    if (!id->is(zoo::Json::Type::kNumber) && !id->is(zoo::Json::Type::kString)) asked.sound = false;
    if (++asked.ids[Write(*id)] > 1) asked.sound = false;
    // It waits for the host's answer.
    if (method->text == "confirm") asked.sound = false;
  }
  return asked;
}

void CheckAnswer(const zoo::Json& answer, Asked* asked) {
  if (answer.Find("method") != nullptr) return;
  const zoo::Json* id = answer.Find("id");
  const bool result = answer.Find("result") != nullptr, error = answer.Find("error") != nullptr;
  Check(id != nullptr && result != error, "an answer has a result or an error");
  if (id->is(zoo::Json::Type::kNull)) {
    Check(!asked->sound, "an answer without an id, and nothing was wrong");
    return;
  }
  const auto found = asked->ids.find(Write(*id));
  if (found == asked->ids.end()) return Check(!asked->sound, "an answer to nothing");
  Check(--found->second >= 0 || !asked->sound, "answered twice");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = getenv("ZOO_BUG");
  const char* framing = getenv("ZOO_FRAMING");
  lines = framing == nullptr || strcmp(framing, "line") == 0;
  const auto parsed = zoo::ParseBugs(name != nullptr ? name : "none");
  Check(parsed.has_value(), "$ZOO_BUG is none of the bugs");
  bugs = *parsed;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  Asked asked = AskedIn(input);
  std::string out;
  zoo::Peer peer(bugs, lines, [&](std::string_view bytes) { out += bytes; });
  peer.Feed(input);
  peer.Idle();
  bool clean = true;
  for (const std::string_view body : Bodies(out, &clean)) {
    const auto json = zoo::ParseJson(body, {.max_depth = 1000});
    Check(json.has_value(), "what it says is no JSON");
    if (json->is(zoo::Json::Type::kArray)) {
      asked.sound = false;
      for (const zoo::Json& answer : json->items) CheckAnswer(answer, &asked);
    } else {
      CheckAnswer(*json, &asked);
    }
  }
  Check(clean, "what it says does not frame");
  for (const auto& [id, count] : asked.ids) {
    Check(!asked.sound || count <= 0, "a request without an answer");
  }
  return 0;
}
