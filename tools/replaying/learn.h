// midwire replay --learn: runs the plugin in rounds until its replay is stable, and writes what was
// learned into the cassette. What is learned is decided in replay/learn/.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "replay/play/player.h"
#include "replay/script/declared.h"
#include "wire/dialect/place_value.h"

namespace midwire::tools {

struct LearnRequest {
  std::string trace;
  size_t runs = 5;                           // per round
  std::string before;                        // a command that runs before each (before.h)
  replay::Declarations declared;             // of the command line: applied, but not written
  std::vector<wire::PlaceValue> background;  // of the dialect
  std::vector<wire::MethodPlace> labels;     // of it
  replay::PlayerOptions options;
  bool other_options = false;  // the command line has further options, which a replay needs too
};

// Returns the exit code: kFine if a round of runs was the same as the recording, else kDifference,
// and nothing is changed.
int Learn(const LearnRequest& request);

// Rounds of runs before the last: what a declaration uncovers is learned in the next one.
inline constexpr size_t kMaxRounds = 6;

}  // namespace midwire::tools
