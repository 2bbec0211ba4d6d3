// clangd --log=verbose: `V[12:37:30.010] <<< {...}` is a message that clangd received, `>>>` one
// that it sent. With --pretty a message takes several lines.
#include "trace/import/entries.h"
#include "trace/import/readers.h"

namespace midwire::trace::import {
namespace {

constexpr size_t kClangdHead = std::string_view("V[12:37:30.010] ").size();

bool BeginsClangdEntry(std::string_view line) {
  return line.size() >= kClangdHead && std::string_view("DEIV").find(line[0]) != line.npos &&
         line[1] == '[' && line[4] == ':' && line[7] == ':' && line[10] == '.' &&
         line.substr(14, 2) == "] ";
}

bool IsClangdMessage(std::string_view line) {
  if (!BeginsClangdEntry(line)) return false;
  line.remove_prefix(kClangdHead);
  return line.starts_with("<<< ") || line.starts_with(">>> ");
}

}  // namespace

bool IsClangd(std::string_view start) { return AnyLine(start, IsClangdMessage); }

void ReadClangd(std::string_view log, Conversation* to) {
  Entries entries(log, BeginsClangdEntry);
  DayClock clock;
  Entry entry;
  while (entries.Next(&entry)) {
    if (!IsClangdMessage(entry.first)) {
      to->LeaveOut();
      continue;
    }
    const bool received = entry.first.substr(kClangdHead).starts_with("<<<");
    const std::string_view json = JsonAtStart(entry.text.substr(kClangdHead + 4));
    const Time time = clock.At(entry.first.substr(2));
    if (!time) to->Undated();
    if (json.empty()) {
      to->Unread(entry.line, "the message is not a complete JSON text");
    } else {
      to->Message(received ? wire::Direction::kHostToPlugin : wire::Direction::kPluginToHost, json,
                  time);
    }
  }
}

}  // namespace midwire::trace::import
