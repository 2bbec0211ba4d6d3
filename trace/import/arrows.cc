// Lines with a direction in front of JSON: adapters and servers that print what they send and
// receive, Visual Studio's log of debug adapters, and others.
#include <algorithm>
#include <span>
#include <string>

#include "trace/import/entries.h"
#include "trace/import/markers.h"
#include "trace/import/readers.h"
#include "wire/json/ascii.h"

namespace midwire::trace::import {
namespace {

// Prefixes of known programs, in lower case. "-->" alone is the host's, because most logs are the
// host's; programs for which it is the other way round need --host and --plugin.
constexpr std::string_view kHostMarks[] = {"client >>",      "from client",      "client -> server",
                                           "client->server", "client to server", "stdin:",
                                           "to server",      "host -> plugin",   "-->",
                                           "\u2192"};
constexpr std::string_view kPluginMarks[] = {
    "server >>",      "from server",      "server -> client",
    "server->client", "server to client", "stdout:",
    "to client",      "plugin -> host",   "<--",
    "\u2190"};

// Longer prefixes are text that happens to have an arrow.
constexpr size_t kMaxPrefix = 200;

bool HasMark(std::string_view prefix, std::span<const std::string_view> marks) {
  if (prefix.size() > kMaxPrefix) return false;
  const std::string lower = wire::ToLower(prefix);
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return lower.find(mark) != lower.npos; });
}

std::string_view PrefixOf(std::string_view line) {
  return line.substr(0, std::min(line.find('{'), line.size()));
}

// `text` begins behind a message: the rest of its line is no line.
void LeaveOutLines(std::string_view text, Conversation* to) {
  Lines lines(text);
  std::string_view line;
  for (bool rest = true; lines.Next(&line); rest = false) {
    if (!rest && line.find_first_not_of(" \t\r") != line.npos) to->LeaveOut();
  }
}

bool IsArrow(std::string_view line) {
  const std::string_view prefix = PrefixOf(line);
  if (prefix.empty() || prefix.size() == line.size()) return false;
  const std::string_view json = line.substr(prefix.size());
  const bool message = json.find("\"jsonrpc\"") != json.npos || json.find("\"seq\"") != json.npos;
  return message && HasMark(prefix, kHostMarks) != HasMark(prefix, kPluginMarks);
}

}  // namespace

void ReadPrefixed(std::string_view log, const Prefixes& prefixes, Conversation* to) {
  Lines lines(log);
  std::string_view line, prefix;
  struct {
    size_t line = 0, begin = 0, end = 0;  // line 0: none
    bool host = false;
    Time time;
  } open;
  const auto close = [&] {
    if (open.line == 0) return;
    const std::string_view json = JsonAtStart(log.substr(open.begin, open.end - open.begin));
    const auto from = open.host ? wire::Direction::kHostToPlugin : wire::Direction::kPluginToHost;
    if (json.empty()) {
      to->Unread(open.line, "the message is not a complete JSON text");
    } else {
      to->Message(from, json, open.time);
      LeaveOutLines(log.substr(0, open.end).substr(json.data() + json.size() - log.data()), to);
    }
    open = {};
  };
  while (lines.Next(&line)) {
    prefix = PrefixOf(line);
    const bool host = prefixes.host(prefix), plugin = !host && prefixes.plugin(prefix);
    if (host || plugin) {
      close();
      open = {lines.number(), lines.begin() + prefix.size(), lines.end(), host,
              TimeAtStart(line, to)};
    } else if (open.line != 0) {
      open.end = lines.end();  // of the message, or a line of another kind behind it
    } else {
      to->LeaveOut();
    }
  }
  close();
}

bool HasArrows(std::string_view start) { return AnyLine(start, IsArrow); }

void ReadArrows(std::string_view log, Conversation* to) {
  const auto host = [](std::string_view p) {
    return HasMark(p, kHostMarks) && !HasMark(p, kPluginMarks);
  };
  const auto plugin = [](std::string_view p) {
    return HasMark(p, kPluginMarks) && !HasMark(p, kHostMarks);
  };
  ReadPrefixed(log, {host, plugin}, to);
}

}  // namespace midwire::trace::import
