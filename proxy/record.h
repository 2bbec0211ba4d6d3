// One recorded session, from start to the plugin's end: takes what the host gave, starts the
// plugin, runs the relay under the driver with the recorder as tap. `midwire record` calls it once
// and then ends as the plugin did. Whatever goes wrong with the recording, the session goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proxy/machine.h"
#include "wire/framing.h"
#include "wire/json/pointer.h"

namespace midwire::proxy {

struct RecordOptions {
  std::vector<std::string> argv;  // of the plugin; at least its name
  std::string output;  // a name with placeholders (tape_name.h); empty: the default place
  wire::Framing framing = wire::Framing::kAuto;
  std::vector<wire::Pointer> redact;      // at most wire::Redactor::kMaxPointers
  std::vector<std::string> redact_names;  // of members, anywhere
  bool record_stderr = true;
  int64_t drain_ns = 2'000'000'000;
  int64_t sync_ns = 0;    // 0: leave it to the kernel
  uint64_t max_size = 0;  // of one part of the tape, in bytes; 0: no limit
  uint64_t keep = 0;      // parts; 0: all
  std::string version;    // of midwire
  // Whether it warns when `output` is there already and the tape has the next free name.
  bool reports_next_name = false;
  // Makes a machine that stands around the relay and hands on to it, with Actions of its own, what
  // it likes; null: nothing does. The relay outlives it.
  std::function<std::unique_ptr<Machine>(Machine* relay)> around;
};

struct RecordOutcome {
  ExitStatus status;         // of the plugin, or 126 or 127 when it could not be started
  std::string cannot_start;  // one line, then
  std::string tape;          // the name it got (of its first part); "" when there is none
};

RecordOutcome Record(const RecordOptions& options);

}  // namespace midwire::proxy
