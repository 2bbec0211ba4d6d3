// VS Code's LSP trace as text ("trace.server": "verbose"): what vscode-languageclient writes to the
// output channel. A message is rebuilt from its heading, which has method and id, and from the JSON
// below it. A log channel (LogOutputChannel) begins each entry with a date and a level:
//   [Trace - 9:18:04 PM] Sending request 'm - (1)'.                           a plain channel
//   2026-03-27 21:18:04.090 [trace] Sending request 'm - (1)'.                a log channel
//   2026-03-27 21:18:04.090 [info] [Trace - 9:18:04 PM] Sending request 'm'.  before version 10:
//   2026-03-27 21:18:04.090 [info] Params: {                    heading and JSON are two entries
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "trace/import/entries.h"
#include "trace/import/readers.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/quote.h"
#include "wire/json/valid.h"

namespace midwire::trace::import {
namespace {

enum class Traced : uint8_t { kRequest, kNotification, kAnswer, kUnasked };
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
    {"Received response ", Traced::kUnasked, kFromPlugin},  // an answer to no request
};
constexpr std::string_view kParams = "Params: ", kResult = "Result: ", kErrorData = "Error data: ",
                           kNoParams = "No parameters provided.", kNoResult = "No result returned.",
                           kPromiseless = " without active response promise.";

// "[Trace - 11:36:30 PM] ", and other words for the level, such as "Info ".
bool BeginsVsCodeEntry(std::string_view line) {
  constexpr size_t kLongestLevel = 12;
  const size_t dash = line.find("- ");
  return line.starts_with('[') && dash < kLongestLevel && line.find("] ") != line.npos &&
         std::all_of(line.begin() + 1, line.begin() + static_cast<ptrdiff_t>(dash),
                     [](char c) { return c == ' ' || wire::IsLetter(c); });
}

// The size of what a log channel puts before an entry; 0: nothing. Its words for levels are short.
size_t LogPrefix(std::string_view line) {
  constexpr size_t kLongestPrefix = 40;
  if (!HasDate(line)) return 0;
  const size_t open = line.find(" ["), close = line.find("] ");
  return open < close && close < kLongestPrefix ? close + 2 : 0;
}

// Whether it is the JSON of a message, or says that there is none.
bool IsBelow(std::string_view text) {
  constexpr std::string_view kBelow[] = {kParams, kResult, kErrorData, kNoParams, kNoResult};
  return std::any_of(std::begin(kBelow), std::end(kBelow),
                     [&](std::string_view label) { return text.starts_with(label); });
}

bool BeginsLogEntry(std::string_view line) {
  const size_t prefix = LogPrefix(line);
  return prefix != 0 && !IsBelow(line.substr(prefix));
}

// What follows the time, or both times.
std::string_view HeadingText(std::string_view line) {
  line.remove_prefix(LogPrefix(line));
  return BeginsVsCodeEntry(line) ? line.substr(line.find("] ") + 2) : line;
}

const Heading* HeadingOf(std::string_view line) {
  if (LogPrefix(line) == 0 && !BeginsVsCodeEntry(line)) return nullptr;
  const std::string_view text = HeadingText(line);
  const auto found = std::find_if(std::begin(kHeadings), std::end(kHeadings),
                                  [&](const Heading& h) { return text.starts_with(h.text); });
  const bool heading = found != std::end(kHeadings) &&
                       (found->kind != Traced::kUnasked || text.find(kPromiseless) != text.npos);
  return heading ? found : nullptr;
}

// Where the text behind `label` at the start of a line of the entry is; npos: no line has it.
size_t Below(const Entry& entry, std::string_view label) {
  Lines lines(entry.text);
  std::string_view line;
  while (lines.Next(&line)) {
    const size_t prefix = LogPrefix(line);
    if (line.substr(prefix).starts_with(label)) return lines.begin() + prefix + label.size();
  }
  return entry.text.npos;
}

// The JSON there; "" if there is none.
std::string_view JsonBelow(const Entry& entry, std::string_view label) {
  const size_t at = Below(entry, label);
  if (at == entry.text.npos) return {};
  const std::string_view text = entry.text.substr(at);
  const std::string_view value = wire::Trimmed(text.substr(0, text.find('\n')));
  if (value.starts_with('{') || value.starts_with('[')) return JsonAtStart(text);
  return wire::IsLooseJson(value) ? value : std::string_view();
}

// The heading of an answer, which an error's message of several lines makes longer.
std::string_view WholeHeading(const Entry& entry) {
  if (entry.first.ends_with(").")) return HeadingText(entry.first);
  Lines lines(entry.text);
  std::string_view line;
  size_t end = 0;
  while (lines.Next(&line) && !IsBelow(line.substr(LogPrefix(line)))) end = lines.end();
  return HeadingText(entry.text.substr(0, end));
}

// "... in 12ms." or "... took 12ms" behind the heading of an answer: how long it took.
std::optional<int64_t> TookNs(std::string_view heading) {
  constexpr int64_t kNsPerMs = 1'000'000, kMostMs = 86'400'000;
  for (const std::string_view word : {")' in ", " took "}) {
    const size_t at = heading.find(word);
    if (at == heading.npos) continue;
    const std::string_view text = heading.substr(at + word.size());
    int64_t ms = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), ms);
    const bool unit = text.substr(static_cast<size_t>(parsed.ptr - text.data())).starts_with("ms");
    if (parsed.ec == std::errc() && unit && ms >= 0 && ms <= kMostMs) return ms * kNsPerMs;
  }
  return std::nullopt;
}

// The times of a log that has whole seconds only. An answer comes as long after its request as its
// heading says, and no entry comes before the one above it.
class SecondsClock {
 public:
  // `asked` of a request, `answered` of an answer: what only these two have in common.
  Time At(Time logged, const std::string& asked, const std::string& answered,
          std::optional<int64_t> took) {
    constexpr int64_t kSecond = 1'000'000'000;
    if (!logged || *logged % kSecond != 0) return logged;
    int64_t time = *logged;
    const auto request = answered.empty() ? asked_.end() : asked_.find(answered);
    if (request != asked_.end()) {
      if (took) time = request->second + *took;
      asked_.erase(request);
    }
    time = std::max(time, latest_.value_or(time));
    latest_ = time;
    if (!asked.empty() && asked_.size() < kMostOpen) asked_[asked] = time;
    return time;
  }

 private:
  static constexpr size_t kMostOpen = 100'000;  // requests without an answer, in a hostile log
  std::map<std::string, int64_t> asked_;
  Time latest_;
};

// Digits are taken for a number.
std::string IdToken(std::string_view id) {
  const bool number =
      !id.empty() && id.find_first_not_of("-0123456789") == id.npos && wire::IsJson(id);
  return number ? std::string(id) : wire::JsonString(id);
}

// `method - (id)' ...`: the id as JSON, and *text becomes the method.
std::string TakeId(std::string_view* text) {
  const size_t open = text->rfind(" - (");
  const size_t close = text->rfind(')');
  if (open == text->npos || close == text->npos || close < open + 4) return "";
  const std::string_view id = text->substr(open + 4, close - open - 4);
  *text = text->substr(0, open);
  return IdToken(id);
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

// The result or the error of an answer; "" if the entry has neither. An error that the host sends
// has only its data in the trace.
std::string Outcome(const Entry& entry) {
  const std::string_view data = JsonBelow(entry, kErrorData);
  const std::string error = ErrorIn(WholeHeading(entry), data);
  if (!error.empty()) return ",\"error\":" + error;
  if (!data.empty()) return R"(,"error":{"code":0,"message":"","data":)" + std::string(data) + "}";
  const std::string_view result = JsonBelow(entry, kResult);
  if (!result.empty()) return ",\"result\":" + std::string(result);
  return Below(entry, kNoResult) != entry.text.npos ? ",\"result\":null" : "";
}

void AddTracedAnswer(const Entry& entry, const std::string& id, wire::Direction from, Time time,
                     Conversation* to) {
  if (id.empty()) return to->Unread(entry.line, "no id behind the method");
  std::string outcome = Outcome(entry);
  if (outcome.empty()) {
    to->Bare();
    outcome = ",\"result\":null";
  }
  to->Message(from, R"({"jsonrpc":"2.0","id":)" + id + outcome + "}", time);
}

// `verbose`: the log has params. Nothing is printed below a request that has none.
void ReadTraced(const Entry& entry, const Heading& heading, bool verbose, Time time,
                Conversation* to) {
  std::string_view name = HeadingText(entry.first).substr(heading.text.size());
  if (heading.kind == Traced::kUnasked) {
    const std::string id = IdToken(name.substr(0, name.find(kPromiseless)));
    return AddTracedAnswer(entry, id, heading.from, time, to);
  }
  size_t quote = name.rfind("'.");
  if (heading.kind == Traced::kAnswer) quote = name.find(")'") + 1;
  if (quote == name.npos || quote == 0) {
    return to->Unread(entry.line, "no method in quotes");
  }
  name = name.substr(0, quote);
  if (heading.kind == Traced::kAnswer) {
    const std::string id = TakeId(&name);
    return AddTracedAnswer(entry, id, heading.from, time, to);
  }
  std::string json = R"({"jsonrpc":"2.0")";
  if (heading.kind == Traced::kRequest) {
    const std::string id = TakeId(&name);
    if (id.empty()) return to->Unread(entry.line, "no id behind the method");
    json += ",\"id\":" + id;
  }
  json += ",\"method\":" + wire::JsonString(name);
  const std::string_view params = JsonBelow(entry, kParams);
  if (params.empty() && Below(entry, kParams) != entry.text.npos) {
    return to->Unread(entry.line, "the params are not a complete JSON text");
  }
  const bool none =
      (verbose && heading.kind == Traced::kRequest) || Below(entry, kNoParams) != entry.text.npos;
  if (params.empty() && !none) to->Bare();
  if (!params.empty()) json += ",\"params\":" + std::string(params);
  to->Message(heading.from, json + "}", time);
}

// "h m - (1)" of a request of the host and of its answer; "": a message of another kind.
std::string CallIn(const Entry& entry, const Heading& heading) {
  if (heading.kind != Traced::kRequest && heading.kind != Traced::kAnswer) return "";
  const bool host = (heading.from == kFromHost) == (heading.kind == Traced::kRequest);
  const std::string_view text = HeadingText(entry.first).substr(heading.text.size());
  return (host ? "h " : "p ") + std::string(text.substr(0, text.find(")'")));
}

void ReadVsCode(std::string_view log, Entries::Begins begins, Conversation* to) {
  Entries entries(log, begins);
  const bool verbose =
      AnyLine(log, [](std::string_view line) { return IsBelow(line.substr(LogPrefix(line))); });
  DayClock clock;
  SecondsClock seconds;
  Entry entry;
  while (entries.Next(&entry)) {
    const Heading* heading = HeadingOf(entry.first);
    if (heading == nullptr) {
      to->LeaveOut();
      continue;
    }
    Time time = HasDate(entry.first) ? TimeAtStart(entry.first, to)
                                     : clock.At(entry.first.substr(entry.first.find("- ") + 2));
    const std::string call = CallIn(entry, *heading);
    const bool asks = heading->kind == Traced::kRequest;
    time = seconds.At(time, asks ? call : "", asks ? "" : call, TookNs(HeadingText(entry.first)));
    ReadTraced(entry, *heading, verbose, time, to);
  }
}

}  // namespace

bool IsVsCodeLog(std::string_view start) {
  return AnyLine(start, [](std::string_view line) {
    return LogPrefix(line) != 0 && HeadingOf(line) != nullptr;
  });
}

void ReadVsCodeLog(std::string_view log, Conversation* to) { ReadVsCode(log, BeginsLogEntry, to); }

bool IsVsCodeText(std::string_view start) {
  return AnyLine(start, [](std::string_view line) { return HeadingOf(line) != nullptr; });
}

void ReadVsCodeText(std::string_view log, Conversation* to) {
  ReadVsCode(log, BeginsVsCodeEntry, to);
}

}  // namespace midwire::trace::import
