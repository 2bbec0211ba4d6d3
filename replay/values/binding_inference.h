// Finds the values of a trace that stand for another value in each run. The peer made them all. Our
// role repeats the bound ones; the renamed ones are unique ids that the peer repeats itself. Reads
// each message of the trace once, in order. Called by the compiler through Bindings; does not
// depend on a run.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "replay/values/message_tokens.h"
#include "replay/values/slots.h"
#include "replay/values/value_keys.h"
#include "wire/json/path.h"
#include "wire/json_tokens.h"

namespace midwire::replay {

// Candidate values kept during inference; about 60 bytes each.
inline constexpr size_t kMaxCandidates = 1u << 20;

class BindingInference {
 public:
  BindingInference(Direction ours, ValueKeys* keys, Slots* slots)
      : ours_(ours), keys_(keys), slots_(slots) {}

  // Of a body that is loose JSON, trimmed.
  void Learn(const Script& script, StepIndex index, const MessageTokens& tokens);
  bool overflowed() const { return overflowed_; }

 private:
  struct Candidate {
    StepIndex step = kNoStep;  // kNoStep: our role sent it first
    uint64_t source_key = 0;   // `named` where the peer sent it
    bool unique = false;       // a unique id, or the id of a request of the peer
  };
  // Where a value stands.
  struct Where {
    StepIndex step;
    std::string_view method;
    const wire::Path* path;
  };

  // A value, or a name, of each message of a shape from which something may be learned.
  struct KnownPlace {
    bool is_name = false;
    uint32_t token = 0;
    PlaceTraits about;
    wire::Path path;  // its names are in the shape's bytes
  };
  struct KnownShape {
    std::shared_ptr<const wire::JsonShape> shape;
    std::vector<KnownPlace> places;
  };

  bool IsNameOfInterest(const wire::Path& at) const;
  bool IsPlaceOfInterest(const wire::Path& at) const;
  const std::vector<KnownPlace>& PlacesOf(const std::shared_ptr<const wire::JsonShape>& shape,
                                          const wire::JsonTokens& tokens);
  void LearnId(const Step& step, StepIndex index, std::string_view body);
  void LearnValue(const Where& at, const CallClass& of, const PlaceTraits& place,
                  std::string_view value, bool peers);
  void LearnPeers(const Keys& keys, const Where& at, std::string_view value);
  void LearnOurs(const Keys& keys, const Where& at, std::string_view value);
  void LearnTokens(const Where& at, std::string_view spelt, bool whole, bool peers);
  bool LearnToken(const Where& at, std::string_view token, bool peers);
  const Candidate* MadeByPeer(const std::optional<uint64_t>& key);
  void Remember(uint64_t key, const Candidate& candidate, bool again = false);
  void Add(std::initializer_list<std::optional<uint64_t>> keys, StepIndex source, const Where& at,
           std::string_view value, bool renamed = false);

  const Direction ours_;
  ValueKeys* keys_;
  Slots* slots_;
  std::unordered_map<uint64_t, Candidate> candidates_;
  wire::Path path_;  // of the value that is read
  // Both directions know as many (wire/message_shapes.h).
  std::array<KnownShape, 8> known_;
  size_t next_known_ = 0;
  bool overflowed_ = false;
};

}  // namespace midwire::replay
