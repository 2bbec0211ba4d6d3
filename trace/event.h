// What happened to the plugin apart from bytes: spawn, signals, ends of streams, exit. Each is one
// JSON object on the events stream. ToJson and ParseEvent are inverse. Unknown members are ignored
// and an unknown "event" parses to NoteEvent, so that newer traces remain readable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "wire/framing.h"
#include "wire/outcome/exit_status.h"
#include "wire/outcome/result.h"

namespace midwire::trace {

// The "format" of a spawn event: what doc/trace-format.md calls the version of the tape.
inline constexpr int kTapeFormat = 1;

// {"event":"spawn","argv":[...],"cwd":"...","home":"...","pid":1,"midwire":"0.1.0","format":1,
//  "framing":{"host-to-plugin":"auto","plugin-to-host":"auto"},"part":1}
// Bytes that are not UTF-8 are written as {"base64":"..."} in place of the string.
struct SpawnEvent {
  std::vector<std::string> argv;
  bool argv_cut = false;  // argv was longer than a record can hold: the rest of it is missing
  std::string cwd;
  std::string home;  // the user's home directory; "": not known
  int64_t pid = 0;   // 0: not known
  std::string version;
  wire::Framing framing[2] = {wire::Framing::kAuto, wire::Framing::kAuto};  // by Direction
  bool merged_stderr =
      false;  // host gave one pipe for stdout and stderr: both are in plugin-to-host
  // Above 1: the tape is a later part of a rotated recording and begins in the middle of the
  // session.
  int64_t part = 1;
};
// {"event":"signal","signal":"TERM","number":15}: midwire received it and passed it on.
struct SignalEvent {
  int number = 0;
};
// {"event":"eof","stream":"host-to-plugin"}: the writer of the stream closed its end.
struct EofEvent {
  std::string stream;
};
// {"event":"closed","stream":"host-to-plugin","unread":120}: the reader of the stream closed its
// end.
struct ClosedEvent {
  std::string stream;
  int64_t unread = 0;  // the last so many bytes of the stream were never read
  // The messages that end in those bytes. Not in the trace: Session finds them. 0: none, not known.
  uint64_t first_unread = 0, last_unread = 0, unread_messages = 0;
};
// {"event":"stalled","stream":"host-to-plugin","ms":3000,"unread":69632}: nothing more fits into
// the stream, and its reader has read nothing for that long.
struct StalledEvent {
  std::string stream;
  int64_t ms = 0;
  int64_t unread = 0;  // the last so many bytes of the stream wait for it
};
// {"event":"resumed","stream":"host-to-plugin","ms":7200}: it reads again.
struct ResumedEvent {
  std::string stream;
  int64_t ms = 0;  // for how long it had read nothing
};
// {"event":"held","stream":"plugin-to-host"}: after the plugin's exit another process kept the
// stream open, and midwire did not wait for it.
struct HeldEvent {
  std::string stream;
};
// {"event":"cannot-start","file":"my-plugin","path":"/usr/bin:/bin","error":"No such file or
//  directory","number":2}: follows a spawn event that names the command and the directory.
struct CannotStartEvent {
  std::string file;   // what was looked for: argv[0]
  std::string path;   // PATH, where it was looked for; "": not there, or `file` has a slash
  std::string error;  // as strerror(3) words it
  int number = 0;     // errno
};
// {"event":"end"}: the recording is complete. Without it the session was cut off.
// {"event":"end","next":"tape.2.pcapng"}: it continues in another file (rotation).
struct EndEvent {
  std::string next;
};
// {"event":"gap","bytes":123,"reason":"..."}: so many bytes of the trace that this one was
// made from could not be read; every stream may miss something. Written by convert and recover.
struct GapEvent {
  int64_t bytes = 0;
  std::string reason;
};
// {"event":"header",...}: members of a cassette's header that the format does not define, such as
// ignores and bindings. It is the first event of the tape made from it, for readers that use them.
struct HeaderEvent {
  std::string json;  // the whole object as it is in the trace, at most kMaxSegment bytes
};
// {"event":"chaos","fault":"truncate","direction":"host-to-plugin","number":3,"message":5,
//  "ms":12,"sent":"..."}: what chaos did to a message that precedes it on the tape.
struct ChaosEvent {
  std::string fault;
  std::string direction;
  int64_t number = 0;     // of the message in its direction
  int64_t message = 0;    // in both, as in every report
  int64_t ms = 0;         // of a pause
  std::string sent;       // in its place: at most kMaxChaosSent bytes
  bool has_sent = false;  // the bytes sent are recorded,
  bool sent_cut = false;  // or only how they begin
};
// So that the event fits a record for any bytes.
inline constexpr size_t kMaxChaosSent = 8 * 1024;
// {"event":"note","text":"..."}: anything else worth keeping.
struct NoteEvent {
  std::string text;
};

// An exit event is an ExitStatus: {"event":"exit","code":0} or
// {"event":"exit","signal":"SEGV","number":11}.
using Event = std::variant<SpawnEvent, SignalEvent, EofEvent, ClosedEvent, StalledEvent,
                           ResumedEvent, HeldEvent, CannotStartEvent, ExitStatus, EndEvent,
                           GapEvent, HeaderEvent, ChaosEvent, NoteEvent>;

std::string ToJson(const Event& event);
Result<Event> ParseEvent(std::string_view json);
// One line for people: "spawn my-plugin --flag (pid 12)", "exit 0", "exit by SIGSEGV". Not escaped.
std::string Describe(const Event& event);
// "message 7", "messages 7 to 9".
std::string MessagesFrom(uint64_t first, uint64_t last);

}  // namespace midwire::trace
