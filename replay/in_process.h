// Plays the host of a trace into a function, for unit tests of a dispatcher: no process, no pipe,
// no clock. The test kit (kit/) and tests call it. Never sleeps and starts no thread: time moves on
// only when nothing else can happen, so a run is over as soon as the function has answered.
#pragma once

#include <functional>
#include <string_view>

#include "replay/load.h"
#include "replay/player.h"

namespace midwire::replay {

// Says one message: its body, without framing. May be copied, kept, and called in a later call of
// the dispatcher, from the thread that runs it; after the run it does nothing.
using Emit = std::function<void(std::string_view body)>;

// The plugin: gets the body of a message, without framing, and emits what it has to say to it, now
// or in a later call. Never called while it runs: what the host answers comes after it returns. So
// it cannot wait for an answer inside a call.
using Dispatcher = std::function<void(std::string_view body, Emit emit)>;

// Messages that the trace does not have and that the dispatcher made the host say (errors to its
// extra requests). More means that it goes on for ever; the report is full by then.
inline constexpr size_t kMaxMadeUp = kMaxDifferences;

// `loaded` for the host's role. Bodies are framed as the plugin of the trace framed them. An
// exception ends the run and is a finding. Of the options, `ours`, `process` and `timeout_ns` do
// not matter: a function that returns has said what it had to say.
Report PlayInProcess(Loaded* loaded, const Dispatcher& dispatcher, PlayerOptions options = {});

}  // namespace midwire::replay
