#include "tools/import_log.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "io/files/file_sink.h"
#include "tools/console/diagnostics.h"
#include "tools/console/paragraphs.h"
#include "tools/console/shell_word.h"
#include "tools/output.h"
#include "tools/rewrite.h"
#include "tools/terminal.h"
#include "trace/import/conversation_reader.h"
#include "trace/import/formats.h"
#include "trace/import/markers.h"
#include "trace/import/streams.h"
#include "trace/log_note.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "wire/dialect/pattern.h"
#include "wire/json/escape.h"
#include "wire/json/pointer.h"

namespace midwire::tools {
namespace {

using trace::import::Conversation;

// What was read, and how it is to be written.
struct ReadLog {
  Conversation conversation;
  std::string title, lacks;
  wire::Framing framing = wire::Framing::kLine;
};

Result<std::string> WholeLog(const std::string& path) {
  Result<std::unique_ptr<trace::Source>> source = trace::OpenSource(path);
  if (!source) return Error{"cannot open the log", path, source.error().remedy};
  Result<std::string> text = trace::ReadUpTo(trace::import::kMaxLog, source->get());
  if (text && text->size() > trace::import::kMaxLog) {
    return Error{"a log of more than 256 MiB", path, "cut out the session with grep or split"};
  }
  return text;
}

// A regular expression for what is in front of a message, with or without the blanks before the
// JSON, and whether any line matched it.
struct PrefixMatcher {
  std::function<bool(std::string_view)> matches;
  std::shared_ptr<bool> matched = std::make_shared<bool>(false);
};

Result<PrefixMatcher> Matcher(const char* option, const std::string& regex) {
  Result<std::shared_ptr<const wire::Pattern>> pattern = wire::Pattern::Compile(regex);
  if (!pattern)
    return Error{std::string(option) + ": " + pattern.error().Text(), "\"" + regex + "\"", ""};
  PrefixMatcher matcher;
  matcher.matches = [compiled = *pattern, matched = matcher.matched](std::string_view prefix) {
    const size_t end = prefix.find_last_not_of(" \t") + 1;
    const bool matches = compiled->Matches(prefix.substr(0, end)) ||
                         (end < prefix.size() && compiled->Matches(prefix));
    *matched = *matched || matches;
    return matches;
  };
  return matcher;
}

Status ReadAsPrefixed(const ImportOptions& options, std::string_view text, ReadLog* log) {
  const auto host = Matcher("--host", options.host);
  if (!host) return host.error();
  const auto plugin = Matcher("--plugin", options.plugin);
  if (!plugin) return plugin.error();
  trace::import::ReadPrefixed(text, {host->matches, plugin->matches}, &log->conversation);
  log->title = "lines that --host and --plugin select";
  log->lacks = "headers, the bytes around messages";
  std::string unmatched;
  for (const auto& [option, regex, matcher] : {std::tuple("--host", &options.host, &*host),
                                               std::tuple("--plugin", &options.plugin, &*plugin)}) {
    if (*matcher->matched) continue;
    unmatched += (unmatched.empty() ? "" : " or ") + std::string(option) + " \"" + *regex + "\"";
  }
  if (unmatched.empty()) return Ok{};
  const std::string what = "what is in front of the JSON matches " + unmatched + " in no line";
  if (log->conversation.messages() == 0) {
    return Error{"no message in the log", options.logs[0],
                 what + "; a line is: PREFIX {\"jsonrpc\": ...}"};
  }
  ReportWarning(what);
  return Ok{};
}

// `"in" is the host's, "out" is the plugin's`, and why.
std::string PartiesText(const trace::import::RecordWords& found) {
  std::string text, swapped;
  for (const auto& [word, host] : found.words) {
    const std::string quoted = "\"" + wire::Escaped(word) + "\"";
    text += (text.empty() ? "" : ", ") + quoted + (host ? " is the host's" : " is the plugin's");
    if (host && swapped.empty()) swapped = quoted;
  }
  if (found.swapped) text += ", as the log has initialize as " + swapped;
  return text + "; --host-word names the host's word";
}

Status ReadAsRecords(const ImportOptions& options, std::string_view text, ReadLog* log) {
  const std::pair<const char*, const std::string&> pointers[] = {
      {"--direction-at", options.direction_at},
      {"--message-at", options.message_at},
      {"--time-at", options.time_at}};
  for (const auto& [option, pointer] : pointers) {
    if (pointer.empty()) continue;
    const Result<wire::Pointer> parsed = wire::ParsePointer(pointer);
    if (!parsed) return Error{std::string(option) + ": " + parsed.error().Text(), "", ""};
  }
  const trace::import::RecordWords found = trace::import::ReadRecords(
      text, {options.direction_at, options.message_at, options.time_at, options.host_word},
      &log->conversation);
  if (!found.words.empty()) ReportNote(PartiesText(found));
  log->title = "JSON with the members that --direction-at and --message-at name";
  log->lacks = "headers, the bytes around messages";
  return Ok{};
}

// What the options do not say is found in the log.
Status ReadByFormat(const ImportOptions& options, std::string_view text, ReadLog* log) {
  const trace::import::Format* format =
      options.from.empty() ? trace::import::Detect(text) : trace::import::FormatNamed(options.from);
  if (format == nullptr) {
    return Error{"not a log that midwire knows", options.logs[0],
                 "midwire import --list shows the formats; --host REGEX and --plugin REGEX, or "
                 "--direction-at and --message-at, describe others"};
  }
  format->reads(text, &log->conversation);
  log->title = format->title;
  log->lacks = format->lacks;
  log->framing =
      format->framing == wire::Framing::kAuto ? trace::import::GuessFraming(text) : format->framing;
  return Ok{};
}

Status ReadBoth(const ImportOptions& options, std::string_view host, ReadLog* log) {
  const Result<std::string> plugin = WholeLog(options.logs[1]);
  if (!plugin) return plugin.error();
  const bool swapped =
      trace::import::IsPluginStream(host) && !trace::import::IsPluginStream(*plugin);
  if (swapped) {
    ReportNote("took " + options.logs[1] + " for the host's messages: " + options.logs[0] +
               " begins with an answer");
  }
  trace::import::ReadStreams(swapped ? std::string_view(*plugin) : host,
                             swapped ? host : std::string_view(*plugin), &log->conversation);
  log->title = "the bytes of both directions";
  log->lacks =
      "times, stderr, " + std::string(trace::kLogNoOrder) + " (an answer follows its request)";
  return Ok{};
}

Status ReadLogs(const ImportOptions& options, ReadLog* log) {
  const Result<std::string> text = WholeLog(options.logs[0]);
  if (!text) return text.error();
  if (text->starts_with("{\"midwire\":\"cassette\"") || text->starts_with("\n\r\r\n")) {
    return Error{"a trace already, not a log", options.logs[0],
                 "every command reads it; midwire convert changes its format"};
  }
  log->framing = trace::import::GuessFraming(*text);
  Status read = Ok{};
  if (options.logs.size() == 2) {
    read = ReadBoth(options, *text, log);
  } else if (!options.host.empty()) {
    read = ReadAsPrefixed(options, *text, log);
  } else if (!options.direction_at.empty()) {
    read = ReadAsRecords(options, *text, log);
  } else {
    read = ReadByFormat(options, *text, log);
  }
  if (!read) return read;
  if (log->conversation.messages() > 0) return Ok{};
  const std::string& unread = log->conversation.first_unread();
  return Error{"no message in the log", options.logs[0],
               unread.empty() ? "it was read as: " + log->title : unread};
}

std::string LackText(const ReadLog& log) {
  std::string lacks = log.lacks;
  if (!log.conversation.has_times() && lacks.find("times") == lacks.npos) lacks = "times, " + lacks;
  if (const uint64_t undated = log.conversation.undated(); undated > 0) {
    lacks +=
        ", readable times of " + std::to_string(undated) + (undated == 1 ? " entry" : " entries");
  }
  return trace::LogNoteText({log.title, lacks, log.conversation.bare()});
}

Status WriteLog(const ReadLog& log, const ImportOptions& options, bool* writing) {
  RewriteOptions output;
  output.out = options.out;
  // A cassette can be read in a terminal.
  output.to = options.to.empty() && options.out == "-" ? "cassette" : options.to;
  const Result<trace::Format> format = OutputFormat(output);
  if (!format) return format.error();
  Result<std::unique_ptr<io::FileSink>> sink = io::FileSink::Create(options.out);
  if (!sink) return sink.error();
  *writing = true;
  const auto writer = trace::MakeWriter(*format, log.conversation.has_times(), sink->get());
  if (Status written = log.conversation.Write(LackText(log), log.framing, writer.get()); !written) {
    return written;
  }
  return (*sink)->Close();
}

// "could not read 2 messages, the first at line 7: ..."; "" if all were read.
std::string LostText(const Conversation& read) {
  if (read.unread() == 0) return "";
  return "could not read " + std::to_string(read.unread()) +
         (read.unread() == 1 ? " message, at " : " messages, the first at ") + read.first_unread();
}

}  // namespace

int ImportOrReport(const ImportOptions& options) {
  ReadLog log;
  if (Status read = ReadLogs(options, &log); !read) return Fail(read.error());
  bool writing = false;
  if (Status written = WriteLog(log, options, &writing); !written) {
    return Fail(written.error(), writing ? kDataLost : kUsage);
  }
  const Conversation& read = log.conversation;
  std::string note =
      std::to_string(read.messages()) + (read.messages() == 1 ? " message" : " messages");
  if (read.left_out() > 0) note += ", other entries left out: " + std::to_string(read.left_out());
  ReportNote(note + "; " + LackText(log));
  const std::string lost = LostText(read);
  if (lost.empty()) return kFine;
  ReportWarning(lost);
  return kDataLost;
}

Result<OpenedLog> OpenLog(const std::string& path) {
  ImportOptions options;
  options.logs = {path};
  ReadLog log;
  if (Status read = ReadLogs(options, &log); !read) return read.error();
  OpenedLog opened;
  opened.note = LackText(log);
  opened.lost = LostText(log.conversation);
  opened.conversation = std::make_unique<Conversation>(std::move(log.conversation));
  opened.reader = std::make_unique<trace::import::ConversationReader>(opened.conversation.get(),
                                                                      opened.note, log.framing);
  return opened;
}

bool IsLog(const Error& error, const std::string& path) {
  return error.what == "not a trace" && !LogTitle(path).empty();
}

std::string LogTitle(const std::string& path) {
  constexpr size_t kStart = 1u << 20;
  // Not even opened: opening a pipe and closing it again would end its writer.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  Result<std::unique_ptr<trace::Source>> source = trace::OpenRegularFile(path);
  if (!source) return "";
  const Result<std::string> start = trace::ReadUpTo(kStart, source->get());
  const trace::import::Format* format = start ? trace::import::Detect(*start) : nullptr;
  return format == nullptr ? "" : std::string(format->title);
}

Error WithImport(Error error, const std::string& path) {
  if (error.what != "not a trace") return error;
  const std::string title = LogTitle(path);
  if (!title.empty()) {
    error.remedy =
        "it looks like " + title + ": midwire import " + AsShellWord(path) + " -o session.jsonl";
  } else if (path == "-" && error.remedy.starts_with("neither")) {
    error.remedy += "; of a log of another program: midwire import - -o session.jsonl";
  } else if (error.remedy.starts_with("neither")) {
    error.remedy +=
        ", nor a log that it knows; midwire import --list shows the formats; its --host and "
        "--plugin, or --direction-at and --message-at, describe others";
  }
  return error;
}

int ListLogFormats() {
  Output output;
  const size_t columns = StyleOf(1, "auto").width;
  for (const trace::import::Format& format : trace::import::Formats()) {
    AppendListed(format.name, 16,
                 std::string(format.title) + "; lacks " + std::string(format.lacks), columns,
                 output.text());
  }
  return output.Finish();
}

}  // namespace midwire::tools
