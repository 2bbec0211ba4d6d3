// Handles: values that one party makes and the other names. They may be used only while they are
// valid.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

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

class HandleRule : public CheckRule {
 public:
  explicit HandleRule(const wire::HandleSpec* spec) : spec_(spec) {}

  // A handle of a call is made by that call, so the answer that ends it has a method of `made`.
  bool Reads(std::string_view method) const override {
    return AnyOfMethod(spec_->made, method) || AnyOfMethod(spec_->used, method) ||
           AnyOfMethod(spec_->ended, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (!seen.json) return;
    if (!lost_) CheckUsed(seen, report);
    Each(spec_->made, seen,
         [&](const wire::Path&, std::string_view value) { Make(value, seen.number()); });
    Each(spec_->ended, seen,
         [&](const wire::Path&, std::string_view value) { End(std::string(value)); });
    // An answer ends the handles that were valid only during its request.
    if (!spec_->of_call || !seen.message->IsAnswer() || seen.request == nullptr) return;
    const uint64_t call = seen.request->number;
    for (auto lent = lent_.lower_bound({call, ""}); lent != lent_.end() && lent->first == call;
         lent = lent_.lower_bound({call, ""})) {
      End(std::string(lent->second));
    }
  }

  void OnGap() override { lost_ = true; }

  void OnSessionEnd(bool, CheckReport*) override {
    alive_.clear();
    lent_.clear();
    ended_.clear();
    bytes_ = 0;
    lost_ = false;
  }

 private:
  void CheckUsed(const Observed& seen, CheckReport* report) {
    Each(spec_->used, seen, [&](const wire::Path& path, std::string_view value) {
      if (alive_.contains(value)) return;
      Violation finding = CheckReport::Of("handle." + spec_->name, seen);
      finding.clause = spec_->clause;
      finding.pointer = wire::PointerText(path);
      finding.got = value;
      finding.text = ended_.contains(std::string(value))
                         ? "this " + spec_->name + " is no longer valid"
                         : "unknown " + spec_->name;
      report->AddIfHeard(Opposite(seen.direction()), std::move(finding), spec_->severity);
    });
  }

  // Whether a step stands for any number of steps.
  static bool IsDeep(const wire::Pointer& pointer) {
    return std::find(pointer.steps.begin(), pointer.steps.end(), "**") != pointer.steps.end();
  }
  template <typename Take>
  void Each(const std::vector<wire::MethodPlace>& places, const Observed& seen, const Take& take) {
    for (const wire::MethodPlace& place : places) {
      if (!place.OfMethod(seen.method)) continue;
      if (!IsDeep(place.pointer)) {
        EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
          const wire::JsonType type = wire::TypeOf(value);
          const bool scalar = type != wire::JsonType::kObject && type != wire::JsonType::kArray;
          if (scalar && type != wire::JsonType::kNull) take(path, value);
        });
        continue;
      }
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
  std::map<std::string, uint64_t, std::less<>> alive_;  // and the message that made it
  std::set<std::pair<uint64_t, std::string>> lent_;     // of a call: the same, by message
  std::set<std::string> ended_;
  size_t bytes_ = 0;   // of handles that are valid or have ended
  bool lost_ = false;  // one was made and is not remembered
};

}  // namespace

std::unique_ptr<CheckRule> MakeHandleRule(const wire::HandleSpec* handle) {
  return std::make_unique<HandleRule>(handle);
}

}  // namespace midwire::check
