// VS Code's LSP trace as text ("trace.server": "verbose"): what vscode-languageclient writes to the
// output channel. A message is rebuilt from its heading, which has method and id, and from the JSON
// below it.
#include <algorithm>
#include <iterator>
#include <string>

#include "trace/import/entries.h"
#include "trace/import/readers.h"
#include "wire/json/parts.h"
#include "wire/json/quote.h"
#include "wire/json/valid.h"

namespace midwire::trace::import {
namespace {

enum class Traced : uint8_t { kRequest, kNotification, kAnswer };
struct Heading {
  std::string_view text;
  Traced kind;
  wire::Direction from;
};
constexpr wire::Direction kFromHost = wire::Direction::kHostToPlugin,
                          kFromPlugin = wire::Direction::kPluginToHost;
constexpr Heading kHeadings[] = {
    {"Sending request '", Traced::kRequest, kFromHost},
    {"Sending notification '", Traced::kNotification, kFromHost},
    {"Sending response '", Traced::kAnswer, kFromHost},
    {"Received request '", Traced::kRequest, kFromPlugin},
    {"Received notification '", Traced::kNotification, kFromPlugin},
    {"Received response '", Traced::kAnswer, kFromPlugin},
};

// "[Trace - 11:36:30 PM] ", and other words for the level, such as "Info ".
bool BeginsVsCodeEntry(std::string_view line) {
  constexpr size_t kLongestLevel = 12;
  const size_t dash = line.find("- ");
  return line.starts_with('[') && dash < kLongestLevel && line.find("] ") != line.npos &&
         std::all_of(line.begin() + 1, line.begin() + static_cast<ptrdiff_t>(dash), [](char c) {
           return c == ' ' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

// What follows the time.
std::string_view HeadingText(std::string_view line) { return line.substr(line.find("] ") + 2); }

const Heading* HeadingOf(std::string_view line) {
  if (!BeginsVsCodeEntry(line)) return nullptr;
  const auto found =
      std::find_if(std::begin(kHeadings), std::end(kHeadings),
                   [&](const Heading& h) { return HeadingText(line).starts_with(h.text); });
  return found == std::end(kHeadings) ? nullptr : found;
}

// The JSON behind `label` at the start of a line of the entry; "" if there is none.
std::string_view JsonBelow(const Entry& entry, std::string_view label) {
  Lines lines(entry.text);
  std::string_view line;
  while (lines.Next(&line)) {
    if (!line.starts_with(label)) continue;
    const std::string_view value = wire::Trimmed(line.substr(label.size()));
    if (!value.starts_with('{') && !value.starts_with('[')) {
      return wire::IsLooseJson(value) ? value : std::string_view();
    }
    return JsonAtStart(entry.text.substr(lines.begin() + label.size()));
  }
  return {};
}

// `method - (id)' ...`: the id as JSON, and *text becomes the method.
std::string TakeId(std::string_view* text) {
  const size_t open = text->rfind(" - (");
  const size_t close = text->rfind(')');
  if (open == text->npos || close == text->npos || close < open + 4) return "";
  const std::string_view id = text->substr(open + 4, close - open - 4);
  *text = text->substr(0, open);
  const bool number =
      !id.empty() && id.find_first_not_of("-0123456789") == id.npos && wire::IsJson(id);
  return number ? std::string(id) : wire::JsonString(id);
}

// " Request failed: MESSAGE (CODE)." behind the heading of an answer.
std::string ErrorIn(std::string_view after, std::string_view data) {
  constexpr std::string_view kFailed = "Request failed: ";
  const size_t at = after.find(kFailed);
  const size_t open = after.rfind(" ("), close = after.rfind(").");
  if (at == after.npos || open == after.npos || close == after.npos || close < open ||
      open < at + kFailed.size()) {
    return "";
  }
  const std::string_view code = after.substr(open + 2, close - open - 2);
  const std::string_view message = after.substr(at + kFailed.size(), open - at - kFailed.size());
  std::string json = "{\"code\":" + (wire::IsJson(code) ? std::string(code) : "0") +
                     ",\"message\":" + wire::JsonString(message);
  if (!data.empty()) json += ",\"data\":" + std::string(data);
  return json + "}";
}

// The result or the error of an answer; "" if the entry has neither.
std::string Outcome(const Entry& entry, std::string_view after) {
  const std::string error = ErrorIn(after, JsonBelow(entry, "Error data: "));
  if (!error.empty()) return ",\"error\":" + error;
  const std::string_view result = JsonBelow(entry, "Result: ");
  if (!result.empty()) return ",\"result\":" + std::string(result);
  if (entry.text.find("\nNo result returned.") != entry.text.npos) return ",\"result\":null";
  return "";
}

void ReadTraced(const Entry& entry, const Heading& heading, Time time, Conversation* to) {
  std::string_view name = HeadingText(entry.first).substr(heading.text.size());
  size_t quote = name.rfind("'.");
  if (heading.kind == Traced::kAnswer) quote = name.find(")'") + 1;
  if (quote == name.npos || quote == 0) {
    return to->Unread(entry.line, "no method in quotes");
  }
  const std::string_view after = name.substr(quote);
  name = name.substr(0, quote);
  std::string json = "{\"jsonrpc\":\"2.0\"";
  if (heading.kind != Traced::kNotification) {
    const std::string id = TakeId(&name);
    if (id.empty()) return to->Unread(entry.line, "no id behind the method");
    json += ",\"id\":" + id;
  }
  if (heading.kind == Traced::kAnswer) {
    const std::string outcome = Outcome(entry, after);
    if (outcome.empty()) to->Bare();
    json += outcome.empty() ? ",\"result\":null" : outcome;
  } else {
    json += ",\"method\":" + wire::JsonString(name);
    const std::string_view params = JsonBelow(entry, "Params: ");
    const bool none = entry.text.find("\nNo parameters provided.") != entry.text.npos;
    if (params.empty() && entry.text.find("\nParams: ") != entry.text.npos) {
      return to->Unread(entry.line, "the params are not a complete JSON text");
    }
    if (params.empty() && !none) to->Bare();
    if (!params.empty()) json += ",\"params\":" + std::string(params);
  }
  to->Message(heading.from, json + "}", time);
}

}  // namespace

bool IsVsCodeText(std::string_view start) {
  return AnyLine(start, [](std::string_view line) { return HeadingOf(line) != nullptr; });
}

void ReadVsCodeText(std::string_view log, Conversation* to) {
  Entries entries(log, BeginsVsCodeEntry);
  DayClock clock;
  Entry entry;
  while (entries.Next(&entry)) {
    const Heading* heading = HeadingOf(entry.first);
    if (heading == nullptr) {
      to->LeaveOut();
      continue;
    }
    const Time time = clock.At(entry.first.substr(entry.first.find("- ") + 2));
    ReadTraced(entry, *heading, time, to);
  }
}

}  // namespace midwire::trace::import
