// Runs a machine in place of the host (RunPlugin, for `midwire replay`) or of the plugin
// (RunOnStdio, for `midwire mock`). RunPlugin starts the plugin as record does, but always with new
// pipes. It never reads or changes our 0, 1 and 2; the machine may write to stderr. It restores the
// caller's signal handling, so that a test program may call it many times.
#pragma once

#include <string>
#include <vector>

#include "proxy/machine.h"
#include "proxy/record.h"

namespace midwire::proxy {

struct RunOptions {
  std::vector<std::string> argv;
  std::string record;  // the tape of this run, a name with placeholders; empty: none
  // Whether bytes that the machine sends to Stream::kStderr go to our stderr; else they are
  // dropped.
  bool pass_stderr = true;
  std::string version;  // of midwire
};

struct RunOutcome : RecordOutcome {
  bool killed = false;                // it was still running when the machine had finished
  std::vector<std::string> warnings;  // failures of the recording, one line each
};

// Returns when the machine has finished. A plugin that still runs then is killed; children that
// hold its pipes are not. The machine gets the plugin's output at once, also while the plugin does
// not read (the machine limits its own bytes by Actions::Pending). OnExit is called last: after the
// plugin's last byte and the ends of its streams. If another process holds these open, it is called
// 100 ms after the last byte, and at most 1 s after the exit.
RunOutcome RunPlugin(const RunOptions& options, Machine* machine);

// Runs a machine in the plugin's place on our own stdin, stdout and stderr. Bytes that are pending
// when it has finished are still written, unless the host reads nothing for 2 s. Returns how many
// bytes the host's pipe did not take.
uint64_t RunOnStdio(Machine* machine);

}  // namespace midwire::proxy
