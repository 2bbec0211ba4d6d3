// Logs whose shape the caller describes: lines with a direction in front of JSON, and JSON with
// members for direction and message. Called by `midwire import --host RE --plugin RE` and
// `--direction POINTER --message POINTER`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/import/conversation.h"

namespace midwire::trace::import {

// Whether a line's prefix, what comes before the JSON in it, is that of this direction's messages.
struct Prefixes {
  std::function<bool(std::string_view prefix)> host, plugin;
};
// A message may go on below its line, until the next line with a direction.
void ReadPrefixed(std::string_view log, const Prefixes& prefixes, Conversation* to);

// JSON pointers into a record, and the word that the host's messages have there, in any case. "":
// one of the usual words, such as c2s, client, send, out, stdin of the host.
struct RecordMembers {
  std::string direction, message, time, host_word = {};
};
// Which party a word of the direction member was taken for.
struct WordParty {
  std::string word;
  bool host;
};
struct RecordWords {
  std::vector<WordParty> words;  // that messages have, in the order of the log, at most kMostWords
  // The words are those of a log of the plugin ("in" is what the host sent), as the party that
  // sends the first `initialize` is the host.
  bool swapped = false;
};
inline constexpr size_t kMostWords = 8;  // a log has two
RecordWords ReadRecords(std::string_view log, const RecordMembers& members, Conversation* to);

}  // namespace midwire::trace::import
