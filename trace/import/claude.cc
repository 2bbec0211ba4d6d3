// mcp-server-NAME.log of Claude Desktop: lines with a time, `Message from client: {...}` and
// `Message from server: {...}`. Lines without a time are what the server wrote to stderr.
#include <string>

#include "trace/import/entries.h"
#include "trace/import/readers.h"

namespace midwire::trace::import {
namespace {

constexpr std::string_view kFromClient = "Message from client: ",
                           kFromServer = "Message from server: ";

bool IsClaudeMessage(std::string_view line) {
  return HasDate(line) &&
         (line.find(kFromClient) != line.npos || line.find(kFromServer) != line.npos);
}

}  // namespace

bool IsClaude(std::string_view start) { return AnyLine(start, IsClaudeMessage); }

void ReadClaude(std::string_view log, Conversation* to) {
  Lines lines(log);
  std::string_view line;
  while (lines.Next(&line)) {
    if (!HasDate(line) && !line.empty()) {
      to->Bytes(Stream::kStderr, std::string(line) + "\n");
      continue;
    }
    if (!IsClaudeMessage(line)) {
      to->LeaveOut();
      continue;
    }
    const size_t client = line.find(kFromClient), server = line.find(kFromServer);
    const bool from_client = client < server;
    const size_t at = from_client ? client + kFromClient.size() : server + kFromServer.size();
    const std::string_view json = JsonAtStart(line.substr(at));
    if (json.empty()) {
      to->Unread(lines.number(), "the message is not a complete JSON text");
    } else {
      to->Message(from_client ? wire::Direction::kHostToPlugin : wire::Direction::kPluginToHost,
                  json, TimeAtStart(line, to));
    }
  }
}

}  // namespace midwire::trace::import
