// Replays a cassette that `midwire fuzz` or `midwire reduce` has made: plays its host's side on a
// fresh plugin and says whether the finding is still there. Called by replay and reduce.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fuzz/case.h"
#include "fuzz/live/host_runner.h"
#include "tools/load_seeds.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// What a host that never started its plugin is told: nothing can be said of the finding then.
Error NotStarted(const std::string& host);

// The finding that the header of a trace tells of, if it does. An error: cannot be read or used.
Result<std::optional<fuzz::FindingRecord>> FindingOf(const std::string& trace);

// A trace's first session as a life to be played: all that its host said, or, of a finding about a
// host, its plugin. `record`: what the trace tells of its finding, may be null.
struct LoadedCase {
  std::unique_ptr<LoadedSeeds> seeds;
  fuzz::Case life;
  // The trace is damaged or was cut off, and the life is what can be read of it.
  std::optional<Error> missing;
};
Result<LoadedCase> LoadCase(const std::string& trace, const std::string& dialect,
                            const fuzz::FindingRecord* record);

// Exit code: kFine when the finding is gone, kDifference when it, or another one, is there,
// kDataLost when the cassette is not whole.
// junit: path of a report, or "".
int ReplayFinding(const std::string& trace, const fuzz::FindingRecord& record, bool json,
                  const std::string& junit);

}  // namespace midwire::tools
