// Handles: values that one party makes and the other names. They may be used only while they are
// valid.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/generic/generic.h"
#include "check/rules/types.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

// Handles of one kind that are remembered, and their bytes; a session that makes more is not
// checked further.
constexpr size_t kMaxHandles = 1u << 20, kMaxHandleBytes = 64u << 20;
// Handles that are valid only during a call: open calls have a few thousand at most.
constexpr size_t kMaxLent = 1u << 16;
// Open requests that make one: the oldest is named, and a method has up to 4 KiB.
constexpr size_t kMaxMaking = 64;
// Wrong uses that are remembered, and the size of one; others are reported each time.
constexpr size_t kMaxReported = 4096, kMaxReportedBytes = 1024;

class HandleRule : public CheckRule {
 public:
  HandleRule(const wire::HandleSpec* spec, PlaceTree* places)
      : spec_(spec),
        rule_(wire::HandleRuleId(spec->name)),
        made_at_(Compiled(spec->made, places)),
        used_at_(Compiled(spec->used, places)),
        ended_at_(Compiled(spec->ended, places)) {
    for (const RulePlace& place : made_at_) {
      const std::vector<std::string>& steps = place.pointer.steps;
      const bool in_answer = !steps.empty() && (steps[0] == "result" || steps[0] == "body");
      if (in_answer) made_by_answer_.push_back(&place);
    }
  }

  // A handle of a call is made by that call, so the answer that ends it has a method of `made`.
  bool Reads(std::string_view method) const override {
    return AnyOfMethod(made_at_, method) || AnyOfMethod(used_at_, method) ||
           AnyOfMethod(ended_at_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (!seen.json) return;
    if (!lost_) CheckUsed(seen, report);
    FollowMaking(seen);
    Each(made_at_, seen,
         [&](const wire::Path&, std::string_view value) { Make(value, seen.number()); });
    Each(ended_at_, seen,
         [&](const wire::Path&, std::string_view value) { End(std::string(value)); });
    // An answer ends the handles that were valid only during its request.
    if (!spec_->of_call || !seen.message->IsAnswer() || seen.request == nullptr) return;
    const uint64_t call = seen.request->number;
    for (auto lent = lent_.lower_bound({call, ""}); lent != lent_.end() && lent->first == call;
         lent = lent_.lower_bound({call, ""})) {
      End(std::string(lent->second));
    }
  }

  bool ReadsOnly(const Observed& seen, RuleReads*) const override {
    if (spec_->of_call && seen.message->IsAnswer()) return false;
    for (const RulePlace* place : made_by_answer_) {
      if (place->OfMethod(seen.method)) return false;
    }
    return HasNone(made_at_, seen) && HasNone(used_at_, seen) && HasNone(ended_at_, seen);
  }

  void OnGap() override { lost_ = true; }

  void OnSessionEnd(bool, CheckReport* report) override {
    for (Violation& violation : later_) {
      if (lost_ || alive_.contains(violation.got) || ended_.contains(violation.got)) continue;
      violation.text = "unknown " + spec_->name;
      const wire::Direction other = Opposite(violation.direction);
      report->AddIfReceived(other, std::move(violation), spec_->severity);
    }
    later_.clear();
    alive_.clear();
    lent_.clear();
    ended_.clear();
    making_.clear();
    reported_.clear();
    unmade_.clear();
    bytes_ = 0;
    lost_ = false;
  }

 private:
  void CheckUsed(const Observed& seen, CheckReport* report) {
    Each(used_at_, seen, [&](const wire::Path& path, std::string_view value) {
      if (alive_.contains(value)) return;
      const bool ended = ended_.contains(std::string(value));
      const bool reported = report->SeverityOf(rule_, spec_->severity) != wire::Severity::kOff;
      if (!ended && reported) report->SetUnknownHandle();
      if (!IsNews(seen, value) || (!ended && IsOneOfMany(seen))) return;
      Violation violation = CheckReport::Of(rule_, seen);
      violation.clause = spec_->clause;
      violation.pointer = wire::PointerText(path);
      violation.got = value;
      if (report->unordered()) {
        // It may have been made before, or used before its end.
        if (!ended && later_.size() < kMaxReported) later_.push_back(std::move(violation));
        return;
      }
      if (ended) {
        violation.text = "this " + spec_->name + " is no longer valid";
      } else if (const std::string other = OtherType(value); alive_.contains(other)) {
        violation.expected = other;
        violation.text = "this " + spec_->name + " has another type than when it was made";
      } else if (!making_.empty()) {
        const auto& [number, method] = *making_.begin();
        violation.text = "unknown " + spec_->name + ": message " + std::to_string(number) + " (" +
                         method + ") asks for one, and is not answered yet";
      } else {
        violation.text = "unknown " + spec_->name;
      }
      report->AddIfReceived(Opposite(seen.direction()), std::move(violation), spec_->severity);
    });
  }

  // "5" for 5, and 5 for "5".
  static std::string OtherType(std::string_view value) {
    if (value.size() < 2 || !value.starts_with('"')) return '"' + std::string(value) + '"';
    return std::string(value.substr(1, value.size() - 2));
  }

  // Whether this use of a value that is no handle is the first. What a party has wrong, it has
  // wrong in each message.
  bool IsNews(const Observed& seen, std::string_view value) {
    std::string key(value);
    key += ended_.contains(key) ? '-' : '+';
    key += seen.method;
    if (reported_.size() >= kMaxReported || key.size() > kMaxReportedBytes)
      return !reported_.contains(key);
    return reported_.insert(std::move(key)).second;
  }

  // A party may make no handle at all, such as a plugin that draws a token for each of its progress
  // reports. It is wrong once, and not once for each of them.
  bool IsOneOfMany(const Observed& seen) {
    if (!alive_.empty() || !ended_.empty() || !making_.empty()) return false;
    if (unmade_.size() >= kMaxReported) return true;
    return !unmade_.emplace(seen.method).second;
  }

  // Requests whose answers make a handle.
  void FollowMaking(const Observed& seen) {
    if (seen.message->IsAnswer() && seen.request != nullptr) making_.erase(seen.request->number);
    if (seen.kind() != wire::Kind::kRequest || making_.size() >= kMaxMaking) return;
    for (const RulePlace* place : made_by_answer_) {
      if (place->OfMethod(seen.method)) making_.emplace(seen.number(), seen.method);
    }
  }

  static Places Compiled(const std::vector<wire::MethodPlace>& all, PlaceTree* places) {
    Places compiled;
    for (const wire::MethodPlace& place : all) compiled.emplace_back(place, places);
    return compiled;
  }

  template <typename Take>
  void Each(const Places& places, const Observed& seen, const Take& take) {
    for (const RulePlace& place : places) {
      if (!place.deep()) {
        EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
          const wire::JsonType type = wire::TypeOf(value);
          const bool scalar = type != wire::JsonType::kObject && type != wire::JsonType::kArray;
          if (scalar && type != wire::JsonType::kNull) take(path, value);
        });
        continue;
      }
      // Nothing is there, or below.
      if (seen.values->At(place.node()).data() == nullptr || !place.OfMethod(seen.method)) continue;
      wire::WalkScalars(seen.body, [&](const wire::Path& path, std::string_view value) {
        if (value == "null") return;  // an optional handle that is absent
        if (wire::MatchesDeep(place.pointer, path)) take(path, value);
      });
    }
  }
  void Make(std::string_view value, uint64_t number) {
    auto known = alive_.find(value);
    if (known == alive_.end()) {
      const bool had_ended = ended_.erase(std::string(value)) > 0;
      if (alive_.size() >= (spec_->of_call ? kMaxLent : kMaxHandles) ||
          (!had_ended && bytes_ + value.size() > kMaxHandleBytes)) {
        lost_ = true;
        return;
      }
      if (!had_ended) bytes_ += value.size();
      known = alive_.emplace(value, number).first;
    } else if (spec_->of_call) {
      lent_.erase({known->second, known->first});
    }
    known->second = number;
    if (spec_->of_call) lent_.emplace(number, known->first);
  }
  void End(const std::string& value) {
    const auto known = alive_.find(value);
    if (known == alive_.end()) return;
    if (ended_.size() < kMaxHandles) {
      ended_.insert(value);
    } else {
      bytes_ -= value.size();
    }
    const uint64_t number = known->second;
    alive_.erase(known);
    lent_.erase({number, value});
  }

  const wire::HandleSpec* spec_;
  const std::string rule_;
  const Places made_at_, used_at_, ended_at_;
  std::map<std::string, uint64_t, std::less<>> alive_;  // and the message that made it
  std::set<std::pair<uint64_t, std::string>> lent_;     // of a call: the same, by message
  std::set<std::string> ended_;
  std::vector<const RulePlace*> made_by_answer_;  // those of `made` that are in answers
  std::set<std::string> reported_;                // uses that were reported
  std::set<std::string> unmade_;                  // methods with one, before any was made
  std::map<uint64_t, std::string> making_;        // open requests by number: their methods
  std::vector<Violation> later_;                  // of a log without an order of the parties
  size_t bytes_ = 0;                              // of handles that are valid or have ended
  bool lost_ = false;                             // one was made and is not remembered
};

}  // namespace

std::unique_ptr<CheckRule> MakeHandleRule(const wire::HandleSpec* handle, PlaceTree* places) {
  return std::make_unique<HandleRule>(handle, places);
}

}  // namespace midwire::check
