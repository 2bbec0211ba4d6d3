// The comparison of a replay between two traces, without running anything: what the second says is
// held against the first, both directions. Called by `midwire diff`.
#pragma once

#include "replay/load.h"
#include "replay/report.h"
#include "trace/reader.h"

namespace midwire::replay {

// `a` was loaded for the host's role (its bindings are what the plugin made). Reads all of `b`; an
// error: it cannot be read.
Result<Report> Diff(Loaded* a, trace::TraceReader* b);

}  // namespace midwire::replay
