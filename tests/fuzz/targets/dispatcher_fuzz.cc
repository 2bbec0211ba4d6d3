// A dispatcher that follows JSON-RPC 2.0, under the kit: whatever the mutators make of a session,
// the oracles must not report it. So this target finds false alarms.
#include <midwire/fuzz/harness.h>

#include "tests/fuzz/targets/calm_dispatcher.h"

MIDWIRE_FUZZ_DISPATCHER(midwire::CalmDispatcher)
