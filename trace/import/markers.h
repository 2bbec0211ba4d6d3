// Logs whose shape the caller describes: lines with a direction in front of JSON, and JSON with
// members for direction and message. Called by `midwire import --host RE --plugin RE` and
// `--direction POINTER --message POINTER`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "trace/import/conversation.h"

namespace midwire::trace::import {

// Whether a line's prefix, what comes before the JSON in it, is that of this direction's messages.
struct Prefixes {
  std::function<bool(std::string_view prefix)> host, plugin;
};
// A message may go on below its line, until the next line with a direction.
void ReadPrefixed(std::string_view log, const Prefixes& prefixes, Conversation* to);

// JSON pointers into a record. Words such as c2s, client, send, out, stdin mean the host.
struct RecordMembers {
  std::string direction, message, time;
};
void ReadRecords(std::string_view log, const RecordMembers& members, Conversation* to);

}  // namespace midwire::trace::import
