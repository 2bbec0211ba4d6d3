#include "replay/learn/call_names.h"

#include <utility>

#include "trace/looks.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

// Longer labels are texts.
constexpr size_t kMaxName = 64;

// Whether a label is the same one in each run and on each machine.
bool IsName(std::string_view label) {
  if (label.empty() || label.size() > kMaxName || trace::IsUniqueId(label)) return false;
  const bool path = label.starts_with('/') || label.find(" /") != label.npos ||
                    label.find("~/") != label.npos || label.find("file:") != label.npos;
  return !path && !trace::IsRandomToken(label);
}

bool IsCall(Kind kind) { return kind == Kind::kRequest || kind == Kind::kNotification; }

// A method with a bracket can only be written up to there.
std::string WrittenMethod(std::string_view method) {
  const size_t bracket = method.find('[');
  return bracket == method.npos ? std::string(method)
                                : std::string(method.substr(0, bracket)) + "*";
}

}  // namespace

std::string CallNames::MemberOf(std::string_view method, std::string_view body,
                                bool* usable) const {
  if (!wire::IsLooseJson(body)) return "";
  for (const wire::MethodPlace& label : labels_) {
    if (!label.OfMethod(method)) continue;
    const auto value = wire::ValueAt(body, label.pointer);
    if (!value || *value == "null") continue;
    std::string member;
    if (wire::TypeOf(*value) == wire::JsonType::kString && !bound_.contains(std::string(*value))) {
      const std::string text = wire::StringValue(*value);
      if (IsName(text)) member = wire::ScopeMemberText(wire::PointerText(label.pointer), text);
    }
    *usable = *usable && !member.empty();
    return member;
  }
  return "";
}

uint32_t CallNames::Index(std::string name) {
  const auto [found, fresh] = index_.try_emplace(name, static_cast<uint32_t>(names_.size()));
  if (fresh) names_.push_back(std::move(name));
  return found->second;
}

Result<CallNames> CallNames::Of(Loaded* loaded, const std::vector<wire::MethodPlace>& labels) {
  const Script& script = loaded->script;
  CallNames of;
  of.labels_ = labels;
  for (const Slot& slot : loaded->bindings.slots()) of.bound_.insert(slot.recorded);
  std::map<std::string, Seen> seen;
  std::vector<std::string> members(script.steps.size());
  for (StepIndex i = 0; i < script.steps.size() && !labels.empty(); ++i) {
    const Step& step = script.steps[i];
    if (!IsCall(step.kind) || !step.json) continue;
    const Result<std::string_view> frame = loaded->frames.Get(step.at, step.size);
    if (!frame) return frame.error();
    const std::string& method = script.methods[step.method];
    Seen& labelled = seen[method];
    members[i] = of.MemberOf(method, BodyOf(step, *frame), &labelled.usable);
    if (labelled.members.size() <= kMaxLabelsOfMethod) labelled.members.insert(members[i]);
  }
  for (const auto& [method, labelled] : seen) {
    const size_t count = labelled.members.size();
    if (labelled.usable && count > 1 && count <= kMaxLabelsOfMethod) of.scoped_.insert(method);
  }
  for (StepIndex i = 0; i < script.steps.size(); ++i) {
    const Step& step = script.steps[i];
    const std::string& method = script.methods[step.method];
    const bool answer = IsAnswer(step.kind) && step.other != kNoStep;
    const std::string& member = members[answer ? step.other : i];
    of.by_step_.push_back(
        of.Index(WrittenMethod(method) + (of.scoped_.contains(method) ? member : "")));
    of.by_number_.try_emplace({step.number, method}, of.by_step_.back());
  }
  return of;
}

std::string CallNames::OfLive(std::string_view method, std::string_view body) const {
  bool usable = true;
  const std::string member = scoped_.contains(method) ? MemberOf(method, body, &usable) : "";
  return WrittenMethod(method) + member;
}

std::string CallNames::OfNumber(uint32_t number, const std::string& method) const {
  const auto found = by_number_.find({number, method});
  return found == by_number_.end() ? WrittenMethod(method) : names_[found->second];
}

}  // namespace midwire::replay
