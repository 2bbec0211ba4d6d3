// Plays the host of a trace into a function, for unit tests of a dispatcher. Called by the test kit
// (tools/kit/) and by tests. No process, pipe, clock, thread or sleep: time advances only when
// nothing else can happen, so a run is over as soon as the function has answered.
#pragma once

#include <functional>
#include <string_view>

#include "replay/load.h"
#include "replay/play/player.h"

namespace midwire::replay {

// Sends one message of the plugin: its body, without framing. May be copied, kept and called in a
// later call of the dispatcher, on the same thread. After the run it does nothing.
using Emit = std::function<void(std::string_view body)>;

// The plugin: takes the body of a message, without framing, and emits its messages now or in a
// later call. It is never called while it runs: answers of the host come after it returns, so it
// cannot wait for one inside a call.
using Dispatcher = std::function<void(std::string_view body, Emit emit)>;

// Messages not in the trace that the dispatcher makes the host send (errors to its extra requests).
// Beyond this they would probably never end, and the report is full.
inline constexpr size_t kMaxMadeUp = kMaxDifferences;

// `loaded` must be for the host's role. Bodies are framed as the recorded plugin framed them. An
// exception ends the run and is reported. The options `ours`, `process` and `timeout_ns` have no
// effect: a function that has returned sends nothing more.
ReplayReport PlayInProcess(Loaded* loaded, const Dispatcher& dispatcher,
                           PlayerOptions options = {});

}  // namespace midwire::replay
