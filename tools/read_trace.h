// Reads one trace, tape or cassette, from its first record to its last. Called by the commands that
// read traces, such as show or stats. Handles the newest tape, damage, a file that grows, and
// rotation. Does not decode messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/reader.h"
#include "trace/record.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

class TraceListener {
 public:
  virtual ~TraceListener() = default;
  virtual void OnRecord(const trace::Record& record) = 0;
  virtual void OnSection() {}  // another session follows
  // After OnSection: it is in a file of its own, which numbers its messages from 1.
  virtual void OnNextTrace() {}
  virtual void OnDamage(const trace::Damage& damage) { (void)damage; }
  virtual void OnPause() {}                    // everything available has been read
  virtual bool stop() const { return false; }  // called after each record
};

// How the reading ended, for the notes below the output.
struct ReadOutcome {
  uint64_t damaged_bytes = 0;
  trace::Damage first_damage;  // if there are damaged bytes
  uint64_t torn_bytes = 0;
  bool spawned = false;  // there is a spawn event: a recording, not a hand-made cassette
  bool ended = false;    // there is an end event
  bool stopped = false;  // by the listener, or by Ctrl-C while following
  std::string next;      // the next file of a rotated recording
  std::string failure;   // an error while reading: what, where, what to do
  // Of a log that was read as a trace: what it is and lacks, and what of it could not be read.
  std::string log, lost;
};

// The trace of a command without TRACE: the newest tape in the default folder. Names it on stderr.
Result<std::string> NewestTrace();
// Whether there is a tape in that folder.
bool HasTrace(const std::string& folder);

// "-" is standard input. follow: at the end of the file waits for more until an end event or
// Ctrl-C. Continues in the next file of a rotated recording, and in the next session of the same
// name (NextSessionOf). restarts: waits for that session too. An error: it cannot be opened.
Result<ReadOutcome> ReadTrace(const std::string& path, bool follow, TraceListener* listener,
                              bool restarts = false);

// The same, and takes a log of another program as a trace, as `midwire import` makes one of it. A
// log is not followed.
Result<ReadOutcome> ReadTraceOrLog(const std::string& path, bool follow, TraceListener* listener,
                                   bool restarts = false);

// Reports damage, what a log lacks, a torn tail or a session without an end on stderr. Returns
// kFine or kDataLost. `trace`: its name, if there are several.
int ReportOutcome(const ReadOutcome& ending, const std::string& trace = "");

// The tapes of one name: `record -o tape.pcapng` writes tape.pcapng, and tape-2.pcapng,
// tape-3.pcapng when the host starts the plugin again (next_session.cc).

// The tape of the session after number `session` of that name, if there is one; else "".
std::string NextSessionOf(const std::string& path, int session);
// At the end of a command: one line on stderr for each of these traces that has a newer session,
// which the command does not show. A session that is among them needs none.
void ReportNextSessions(const std::vector<std::string>& traces);

// For commands that follow. Wait until the trace exists and is not empty, or Ctrl-C; say on stderr
// what they wait for. False: it was Ctrl-C.
bool AwaitTrace(const std::string& path);
// The newest tape, once there is one. An error: Ctrl-C, or there is no default folder.
Result<std::string> AwaitNewestTrace();

}  // namespace midwire::tools
