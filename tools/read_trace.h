// Reads one trace, tape or cassette, from its first record to its last for a command that looks at
// it: show, stats. Knows the newest tape, damage, following a file that grows and rotation; knows
// nothing of messages.
#pragma once

#include <cstdint>
#include <string>

#include "trace/reader.h"
#include "trace/record.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

class TraceListener {
 public:
  virtual ~TraceListener() = default;
  virtual void OnRecord(const trace::Record& record) = 0;
  virtual void OnSection() {}  // what follows is another session
  virtual void OnDamage(const trace::Damage& damage) { (void)damage; }
  virtual void OnPause() {}                    // all there is for now has been read
  virtual bool stop() const { return false; }  // asked after each record
};

// How the reading ended, for the notes below the output.
struct ReadOutcome {
  uint64_t damaged_bytes = 0;
  uint64_t first_damage_offset = 0;
  std::string first_damage_reason;
  uint64_t torn_bytes = 0;
  bool spawned = false;  // a spawn event was seen: this is a recording, not a hand-made cassette
  bool ended = false;    // an end event was seen
  bool stopped = false;  // the listener wanted no more, or Ctrl-C while following
  std::string next;      // file in which a rotated recording goes on
  std::string failure;   // reading failed on the way: what, where, what to do
};

// The trace that a command without TRACE means: the newest tape in the default folder. Says on
// stderr which one it is.
Result<std::string> NewestTrace();

// "-" is standard input. follow: at the end of what is there, waits for more until an end event or
// Ctrl-C, and goes on in the next file of a rotated recording. An error: it could not be opened.
Result<ReadOutcome> ReadTrace(const std::string& path, bool follow, TraceListener* listener);

// Tells on stderr about damage, a torn tail, a session cut off. Returns kFine or kDataLost.
// `trace`: which one it was, where there are several.
int ReportOutcome(const ReadOutcome& ending, const std::string& trace = "");

// One line on stderr, escaped.
void ReportError(const Error& error);
void ReportNote(const std::string& text);

}  // namespace midwire::tools
