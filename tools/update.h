// Accepts the new truth: writes a trace again with what the plugin said this time where it differed
// (`midwire replay --update`). What did not differ stays to the byte, so that a diff in git shows
// what changed; so do live ids and bound values, which would change on every run.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/load.h"
#include "replay/player.h"
#include "replay/report.h"

namespace midwire::tools {

// What may have to be kept of a run; a plugin that says more is no candidate for an update.
inline constexpr size_t kMaxUpdate = 256u << 20;

class Update : public replay::Observer {
 public:
  void OnLive(replay::StepIndex step, bool differs, const wire::Frame& frame) override;
  void OnMadeUp(std::string_view frame) override;

  // Writes `path` anew, in its own format; the old file becomes `path`.old, or the next free name,
  // which is returned. `ended`: how the plugin ended this time. Refuses a run that did not get to
  // its end, what no replay calls the same (junk, another order), and standard input.
  Result<std::string> Write(const std::string& path, replay::Loaded* loaded,
                            const replay::Report& report, replay::Ended ended);

 private:
  class Writer;
  struct Extra {
    wire::Direction direction;
    std::string frame;
    size_t head = 0;
  };
  bool HasRoom(size_t size);
  bool CanAccept(const replay::Difference& item, const replay::Script& script) const;

  std::map<replay::StepIndex, Extra> changed_;
  std::map<replay::StepIndex, std::vector<Extra>>
      extras_;  // by the step before them; kNoStep: none
  std::set<replay::StepIndex> came_;
  replay::StepIndex latest_ = replay::kNoStep;
  size_t kept_ = 0;
};

}  // namespace midwire::tools
