// The input of a run as it is sent, with live values in place of recorded ones. Knows which of its
// parts were sent, and which of them answers a request of the peer. Called by ProtocolOracle. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/oracle/fixed_cache.h"
#include "fuzz/seeds.h"

namespace midwire::fuzz {

class InputScript {
 public:
  // Not owned.
  explicit InputScript(Seeds* seeds) : seeds_(seeds) {}
  // The peer may send its requests in another order than in the recording (a host does): each gets
  // the next answer to its method, after the parts before that.
  void set_reactive() { reactive_ = true; }

  // The input must outlive the run. null: no run yet.
  void OnRun(const Input* input);
  bool runs() const { return input_ != nullptr; }
  // Whether a part depends on what the peer sends before it: it has a handle that the peer has not
  // made in this run, or looks like an answer.
  bool Depends(size_t part);
  // The bytes of a part. "": it was taken before. Valid until the next call.
  std::string_view Take(size_t part);
  // The next part to take; its number is that of all parts at the end.
  size_t next() const { return next_; }
  bool at_end() const { return next_ >= input_->parts.size(); }
  bool at_answer() const;
  // The last part that was taken.
  size_t last() const { return next_ == 0 ? 0 : next_ - 1; }

  // Whether the text starts or ends a line of a part that was taken, or is a longer piece of one.
  bool HasSent(std::string_view text) const;

  // What answers a request of the peer: the next answer in the input, mutated or not. If there is
  // none, the recorded one. Reactive: the parts before it come first.
  std::vector<std::string> Replies(const std::string& id, const std::string& method);
  // The recorded answer to the method with another id, or else one with an empty result.
  std::string RecordedAnswer(const std::string& id, const std::string& method) const;

 private:
  // The handles in a part, and whether it looks like an answer.
  struct PartInfo {
    size_t head = 0;  // of the part: the uses are in its body
    std::vector<HandleTracker::Use> uses;
    bool answers = false;
  };
  const PartInfo& Inspect(size_t part);
  size_t AnswerTo(const std::string& method) const;
  bool MayAnswer(std::string_view answer, const std::string& method) const;

  Seeds* seeds_;
  bool reactive_ = false;
  const Input* input_ = nullptr;
  std::vector<bool> taken_;          // by index
  size_t next_ = 0;                  // index of the part after the last one taken
  FixedCache<PartInfo> infos_;       // by the bytes of the part
  PartInfo info_;                    // of the last part that was not cached
  const PartInfo* known_ = nullptr;  // of the part at known_part_
  size_t known_part_ = SIZE_MAX;
  std::string bytes_, body_;
};

}  // namespace midwire::fuzz
