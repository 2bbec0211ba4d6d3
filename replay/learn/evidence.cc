#include "replay/learn/evidence.h"

#include <unordered_map>
#include <utility>

#include "replay/play/rewrite.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {

// Overhead of a small message.
bool Evidence::HasRoom(size_t size) {
  bytes_ += size + sizeof(Varied);
  return bytes_ <= kMaxEvidence;
}

void Evidence::OnVariation(const Variation& variation) {
  if (!HasRoom(variation.recorded.size() + variation.live.size())) return;
  Varied varied = {variation.step,
                   names_ ? names_->OfStep(variation.step) : std::string(variation.method),
                   std::string(variation.recorded),
                   std::string(variation.live),
                   {},
                   {}};
  for (const ValueDifference& difference : variation.differences) {
    bytes_ += difference.expected.size() + difference.got.size();
    varied.pointers.push_back(difference.pointer);
    varied.shown.push_back({difference.expected, difference.got, difference.line});
  }
  varied_.push_back(std::move(varied));
}

void Evidence::OnNotification(std::string_view method, std::string_view body) {
  if (HasRoom(body.size())) notifications_[CallOf(method, body)].emplace_back(body);
}

std::string Evidence::CallOf(std::string_view method, std::string_view body) {
  return names_ ? names_->OfLive(method, body) : std::string(method);
}

const std::string& Evidence::NameOf(const Script& script, StepIndex step) const {
  return names_ ? names_->OfStep(step) : script.methods[script.steps[step].method];
}

std::string Evidence::NameOf(const trace::Difference& item) const {
  if (!item.call.empty() || names_ == nullptr) return item.call.empty() ? item.method : item.call;
  return names_->OfNumber(item.frame, item.method);
}

void Evidence::End(const Bindings& bindings, trace::ReplayReport report) {
  report_ = std::move(report);
  std::unordered_map<std::string_view, std::string_view> recorded;
  for (const Slot& slot : bindings.slots()) {
    if (!slot.live.empty() && slot.live != slot.recorded) recorded[slot.live] = slot.recorded;
  }
  if (recorded.empty()) return;
  for (auto& [method, bodies] : notifications_) {
    for (std::string& body : bodies) {
      if (!wire::IsLooseJson(body)) continue;
      std::vector<Replacement> replacements;
      wire::WalkScalars(body, [&](const wire::Path& path, std::string_view value) {
        const auto found = recorded.find(value);
        if (path.size() > 1 && found != recorded.end()) {
          replacements.push_back({value, found->second});
        }
      });
      std::string rewritten;
      Rewrite(body, 0, std::move(replacements), &rewritten);
      body = std::move(rewritten);
    }
  }
}

const std::vector<std::string>& Evidence::NotificationsOf(const std::string& name) const {
  static const std::vector<std::string> kNone;
  const auto found = notifications_.find(name);
  return found == notifications_.end() ? kNone : found->second;
}

}  // namespace midwire::replay
