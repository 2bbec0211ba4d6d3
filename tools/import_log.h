// Reads a log of another program. import, and convert if its input is a log, write it as a cassette
// or a tape, and never overwrite. Commands that only read take a log as it is; others ask whether a
// file is one, to name import in their error.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trace/import/conversation.h"
#include "trace/reader.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

struct ImportOptions {
  std::vector<std::string> logs;  // one, or two: the bytes of both directions
  std::string out;
  std::string to;                                 // as in RewriteOptions
  std::string from;                               // the name of a format; "": by content
  std::string host, plugin;                       // regular expressions for what precedes a message
  std::string direction_at, message_at, time_at;  // JSON pointers
  std::string host_word;  // what is at direction_at of the host's messages; "": by the usual words
};

// The exit code of the command. Reports what the log lacks on stderr.
int ImportOrReport(const ImportOptions& options);

// Whether a regular file is a log that import reads; "": it is not, else the title of its format.
std::string LogTitle(const std::string& path);
// A log whose format is found by its content, as a trace.
struct OpenedLog {
  std::unique_ptr<trace::import::Conversation> conversation;
  std::unique_ptr<trace::TraceReader> reader;  // of the conversation
  std::string note;                            // what it is, and what it lacks
  std::string lost;                            // messages that could not be read; "": none
};
Result<OpenedLog> OpenLog(const std::string& path);
// Whether that is what to do after a trace could not be opened.
bool IsLog(const Error& error, const std::string& path);
// The error of a command that reads traces: names import if `path` is a log.
Error WithImport(Error error, const std::string& path);

// Prints the formats.
int ListLogFormats();

}  // namespace midwire::tools
