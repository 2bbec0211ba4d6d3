// Handles: values that one party makes and the other names. Used only while they live.
#include <map>
#include <set>

#include "trace/check_generic.h"

namespace midwire::trace {
namespace {

using wire::Kind;

// Handles of one kind that are remembered, and their bytes; a session that makes more is not
// checked further.
constexpr size_t kMaxHandles = 1u << 20, kMaxHandleBytes = 64u << 20;
// Those that live as long as a call are looked through at each answer; a call lends some.
constexpr size_t kMaxLent = 4096;

class HandleRule : public CheckRule {
 public:
  explicit HandleRule(const wire::HandleSpec* spec) : spec_(spec) {}

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (!seen.json) return;
    if (!lost_) CheckUsed(seen, report);
    Each(spec_->made, seen, [&](const std::string&, std::string_view value) {
      if (alive_.size() >= (spec_->of_call ? kMaxLent : kMaxHandles) ||
          bytes_ + value.size() > kMaxHandleBytes) {
        lost_ = true;
      } else {
        ended_.erase(std::string(value));
        alive_[std::string(value)] = seen.number();
        bytes_ += value.size();
      }
    });
    Each(spec_->ended, seen, [&](const std::string&, std::string_view value) { End(value); });
    // With the answer goes what its request had lent.
    if (!spec_->of_call || !seen.message->IsAnswer() || seen.request == nullptr) return;
    for (auto handle = alive_.begin(); handle != alive_.end();) {
      if (handle->second == seen.request->number) {
        Remember(handle->first);
        handle = alive_.erase(handle);
      } else {
        ++handle;
      }
    }
  }

  void OnGap() override { lost_ = true; }

  void OnSessionEnd(bool, CheckReport*) override {
    alive_.clear();
    ended_.clear();
    bytes_ = 0;
    lost_ = false;
  }

 private:
  void CheckUsed(const Observed& seen, CheckReport* report) {
    Each(spec_->used, seen, [&](const std::string& pointer, std::string_view value) {
      if (alive_.contains(std::string(value))) return;
      CheckFinding finding = CheckReport::Of("handle." + spec_->name, seen);
      finding.clause = spec_->clause;
      finding.pointer = pointer;
      finding.got = value;
      finding.text = ended_.contains(std::string(value))
                         ? "this " + spec_->name + " is no longer alive"
                         : "nobody made this " + spec_->name;
      report->Add(std::move(finding), spec_->severity);
    });
  }

  template <typename Take>
  void Each(const std::vector<wire::MethodPlace>& places, const Observed& seen, const Take& take) {
    for (const wire::MethodPlace& place : places) {
      if (!place.OfMethod(seen.method)) continue;
      wire::WalkScalars(seen.body, [&](const wire::Path& path, std::string_view value) {
        if (value == "null") return;  // no handle where one may stand
        if (wire::MatchesDeep(place.pointer, path)) take(wire::PointerText(path), value);
      });
    }
  }
  void End(std::string_view value) {
    if (alive_.erase(std::string(value)) > 0) Remember(std::string(value));
  }
  void Remember(const std::string& value) {
    if (ended_.size() < kMaxHandles) ended_.insert(value);
  }

  const wire::HandleSpec* spec_;
  std::map<std::string, uint64_t> alive_;  // and the message that made it
  std::set<std::string> ended_;
  size_t bytes_ = 0;   // of all that were made
  bool lost_ = false;  // one was made and is not remembered
};

}  // namespace

std::unique_ptr<CheckRule> MakeHandleRule(const wire::HandleSpec* handle) {
  return std::make_unique<HandleRule>(handle);
}

}  // namespace midwire::trace
