// Runs a plugin with a machine in the host's place: `midwire replay` (and later fuzz) hand in the
// machine, a Recorder may be the tap. Starts the plugin as record does, but its stdin and stdout
// are ours alone. Its stderr goes where ours goes, or nowhere.
#pragma once

#include <string>
#include <vector>

#include "proxy/machine.h"
#include "proxy/record.h"

namespace midwire::proxy {

struct RunOptions {
  std::vector<std::string> argv;
  std::string record;       // tape to keep of this run (tape_name.h); empty: none
  bool pass_stderr = true;  // to our stderr; else it is read and dropped (but recorded)
  std::string version;      // of midwire
};

// Until the machine finishes; a plugin that lives on then is killed, with its process group's
// children that hold its pipes left alone.
RecordOutcome RunPlugin(const RunOptions& options, Machine* machine);

// Runs a machine in the plugin's place on our own stdin, stdout and stderr: `midwire mock`.
void RunOnStdio(Machine* machine);

}  // namespace midwire::proxy
