// Replays a cassette made by `midwire fuzz` or `midwire reduce`: plays the host's side on a fresh
// plugin and reports whether the finding still occurs. Called by commands/replay and by the
// reduction.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fuzz/case.h"
#include "fuzz/live/host_runner.h"
#include "fuzz/oracle/message_info.h"
#include "tools/fuzzing/load_seeds.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// The error for a host that never started its plugin, so that nothing is known about the finding.
Error NotStarted(const std::string& host);

// The finding in the header of a trace, if there is one. An error: it cannot be read or used.
Result<std::optional<fuzz::FindingRecord>> FindingOf(const std::string& trace);

// A trace's first session prepared for playing: all messages of its host, or for a finding about a
// host, of its plugin. `record`: the finding in its header, may be null.
struct LoadedCase {
  std::unique_ptr<LoadedSeeds> seeds;
  fuzz::Case life;
  // Set if the trace is damaged or cut off: `life` is its readable part.
  std::optional<Error> missing;
};
Result<LoadedCase> LoadCase(const std::string& trace, const std::string& dialect,
                            const fuzz::FindingRecord* record);

// What the finding was judged by: its oracle, and the clauses of its dialect that apply.
fuzz::ProtocolOracleOptions OracleOptionsOf(const fuzz::FindingRecord& record, LoadedSeeds* seeds);
// The dialect of a finding, for LoadCase. A file named from another directory may be beside the
// cassette.
std::string DialectOf(const fuzz::FindingRecord& record, const std::string& trace);

// Returns kFine if the finding no longer occurs, kDifference if it or another one does, kDataLost
// if the cassette is not whole. junit: path of a report, or "". before:
// what --before runs (fuzz::RunnerOptions).
int ReplayFinding(const std::string& trace, const fuzz::FindingRecord& record,
                  const std::function<Status()>& before, bool json, const std::string& junit);

}  // namespace midwire::tools
