// Compares two traces by the rules of a replay without running anything: the second with the first,
// in both directions. Called by `midwire diff`.
#pragma once

#include "replay/load.h"
#include "trace/reader.h"
#include "trace/report/replay_report.h"

namespace midwire::replay {

// `a` must be loaded for the host's role, so that its bindings are values of the plugin. Reads all
// of `b`. An error: `b` cannot be read.
Result<trace::ReplayReport> Diff(Loaded* a, trace::TraceReader* b);

}  // namespace midwire::replay
