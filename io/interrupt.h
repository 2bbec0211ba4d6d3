// Ctrl-C and similar signals, for commands that shut down in order instead of being killed. A
// signal handler can only reach a global: this is the one. The driver (proxy/) does not use it: it
// reads signals from a descriptor (signals.h).
#pragma once

#include <initializer_list>

namespace midwire::io {

enum class Ignored { kStaysIgnored, kIsCaught };

// From here on these signals are only counted, and calls that wait return early. A signal that is
// ignored (nohup, & in a shell) stays so, unless `ignored` says otherwise.
void CatchInterrupts(std::initializer_list<int> signals, Ignored ignored = Ignored::kStaysIgnored);
// The latest one that came; 0: none has.
int Interrupted();
// How many have come.
int InterruptCount();
// Ends this process by the signal that came. Call it when there is one.
[[noreturn]] void EndByInterrupt();

}  // namespace midwire::io
