// Compares a message of a peer with one step of the script: content less ignored places, embedded
// ids, bound values and their tokens. Changes nothing: what a match would teach about bound values
// is part of the verdict, and the matcher applies it when it accepts the match.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "replay/match/compare.h"
#include "replay/match/shown.h"
#include "replay/script/declared.h"
#include "replay/script/script.h"
#include "replay/values/bindings.h"
#include "replay/values/live_ids.h"
#include "trace/report/replay_report.h"
#include "wire/message.h"

namespace midwire::replay {

// Values that one message binds, by slot: a list may hold a hundred thousand handles.
class NewValues {
 public:
  void Add(SlotIndex slot, std::string_view live, bool renamed, std::string distinct_key) {
    distinct_.try_emplace(std::move(distinct_key), slot);
    first_.try_emplace(slot, all_.size());
    all_.emplace_back(slot, live);
    if (renamed) renamed_.try_emplace(std::string(live), slot);
  }
  // The renamed slot that gets this value.
  std::optional<SlotIndex> RenamedTo(std::string_view live) const {
    if (renamed_.empty()) return std::nullopt;
    const auto found = renamed_.find(std::string(live));
    return found == renamed_.end() ? std::nullopt : std::optional(found->second);
  }
  // The slot that gets this value, by Bindings::DistinctKey.
  std::optional<SlotIndex> DistinctOf(const std::string& key) const {
    const auto found = distinct_.find(key);
    return found == distinct_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::string* Find(SlotIndex slot) const {
    if (all_.empty()) return nullptr;
    const auto found = first_.find(slot);
    return found == first_.end() ? nullptr : &all_[found->second].second;
  }
  const std::vector<std::pair<SlotIndex, std::string>>& all() const { return all_; }

 private:
  std::vector<std::pair<SlotIndex, std::string>> all_;
  std::unordered_map<SlotIndex, size_t> first_;
  std::unordered_map<std::string, SlotIndex> renamed_, distinct_;
};

struct Verdict {
  std::vector<ValueDifference> differences;
  NewValues binds;
  bool inconsistent = false;  // the first difference is a bound value
  bool wrong_form = false;    // it is a generated value of another form than recorded
  bool merged = false;        // it is the live value of another recorded value, too
  bool wrong_id = false;      // the first difference is an embedded id
  bool equal() const { return differences.empty(); }
};

using trace::Difference;

class MessageComparer {
 public:
  MessageComparer(const Script* script, Frames* frames, const Declarations* declared,
                  const Bindings* bindings, const LiveIds* ids)
      : script_(script), frames_(frames), declared_(declared), bindings_(bindings), ids_(ids) {}

  // Collects at most `enough` differences. `body` is trimmed. `chunk`: the place of a text that is
  // compared elsewhere, or null.
  Verdict Compare(StepIndex index, const wire::Message& message, std::string_view body,
                  size_t enough, const Place* chunk = nullptr);
  // Whether a message with the bytes of this step is equal to it: it holds no value that may have
  // to be another one in this run.
  bool ByBytes(const Step& step) const { return !step.bound && EmbeddedOf(step).empty(); }
  // Describes a message that differs at item->pointer, in its array: `items` of *item. What it
  // finds has no part in the verdict. Call it after what the message binds was bound.
  void DescribeItems(StepIndex index, std::string_view body, Difference* item);
  // The recorded body, without blanks around it; valid until the next call.
  std::string_view Body(StepIndex index);
  // What is declared about places of a recorded message; ids count as ignored.
  const PlaceRules& RulesOf(const Step& step, const Place* chunk = nullptr);
  // The same of a message that is not in the trace.
  PlaceRules RulesOf(const CallClass& of, const Place* chunk = nullptr) const;
  // The declared places of a recorded message at which equal messages may differ.
  std::vector<const wire::Pointer*> VaryingOf(const Step& step);

 private:
  struct Embedded {
    const EmbeddedId* id;
    Direction of;
  };
  class Judging;

  CompareRules CompareRulesOf(const Step& step, const Place* chunk, Judging* judging);

  std::vector<Embedded> EmbeddedOf(const Step& step) const;
  void LearnIgnored(const CallClass& of, std::string_view recorded, std::string_view body,
                    NewValues* binds) const;

  const Script* script_;
  Frames* frames_;
  const Declarations* declared_;
  const Bindings* bindings_;
  const LiveIds* ids_;
  std::map<std::pair<uint32_t, const Place*>, PlaceRules> rules_;  // by Step::of and chunk
};

}  // namespace midwire::replay
