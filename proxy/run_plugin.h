// Runs a plugin with a machine in the host's place: `midwire replay` (and later fuzz) hand in the
// machine, a Recorder may be the tap. Starts the plugin as record does, but its ends are fresh
// pipes, whatever our 0, 1 and 2 are: ours are never touched, except that the machine may write to
// stderr. Leaves the caller's signals as they were, so that a test program may call it again and
// again.
#pragma once

#include <string>
#include <vector>

#include "proxy/machine.h"
#include "proxy/record.h"

namespace midwire::proxy {

struct RunOptions {
  std::vector<std::string> argv;
  std::string record;  // tape to keep of this run, a name with placeholders; empty: none
  // What the machine sends to Stream::kStderr goes to our stderr; else it is dropped.
  bool pass_stderr = true;
  std::string version;  // of midwire
};

struct RunOutcome : RecordOutcome {
  bool killed = false;                // it lived on when the machine had finished
  std::vector<std::string> warnings;  // what went wrong with the recording, a line each
};

// Until the machine finishes; a plugin that still runs then is killed, with its process group's
// children that hold its pipes left alone. The machine gets all output of the plugin as
// it comes, also while its own bytes are not accepted (it bounds those by Actions::Pending).
// OnExit comes last: after the plugin's last byte and the ends of its streams. Where another
// process holds those open it comes 100 ms after the last byte, and at most 1 s after the exit.
RunOutcome RunPlugin(const RunOptions& options, Machine* machine);

// Runs a machine in the plugin's place on our own stdin, stdout and stderr: `midwire mock`. After
// it has finished, what it has sent still goes out, unless the host takes nothing for 2 s.
void RunOnStdio(Machine* machine);

}  // namespace midwire::proxy
