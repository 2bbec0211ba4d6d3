// Records one session until the plugin's end: takes over the descriptors that the host gave, starts
// the plugin, and runs the relay under the driver with the recorder as tap. Called once per process
// by `midwire record`, `chaos` and `check -- PLUGIN`. A failure of the recording never ends the
// session.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proxy/machine.h"
#include "trace/redact/stream_redactor.h"
#include "wire/framing.h"

namespace midwire::proxy {

struct RecordOptions {
  std::vector<std::string> argv;  // of the plugin; at least its name
  std::string output;  // a name with placeholders (tape_name.h); empty: the default place
  wire::Framing framing = wire::Framing::kAuto;
  trace::redact::StreamRedactor::Secrets redact;
  bool record_stderr = true;
  int64_t drain_ns = 2'000'000'000;
  int64_t sync_ns = 0;    // 0: the kernel decides
  uint64_t max_size = 0;  // of one part of the tape, in bytes; 0: no limit
  uint64_t keep = 0;      // parts; 0: all
  std::string version;    // of midwire
  // Called with the name of the tape once it has been created, before the first byte. Returns what
  // is to be warned of; "": nothing.
  std::function<std::string(const std::string& tape)> on_tape;
  // Makes a machine that runs in place of the relay and calls it with Actions of its own, for
  // `midwire chaos`; null: the relay runs alone. The relay outlives that machine.
  std::function<std::unique_ptr<Machine>(Machine* relay)> around;
};

struct RecordOutcome {
  ExitStatus status;         // of the plugin, or 126 or 127 if it cannot be started
  std::string cannot_start;  // in that case the reason, one line; else "". The tape has it too
  std::string tape;          // its name (of its first part); "": there is none
  bool incomplete = false;   // the recording was wanted, but failed or ended before the session
};

RecordOutcome Record(const RecordOptions& options);

}  // namespace midwire::proxy
