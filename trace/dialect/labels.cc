#include "trace/dialect/labels.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::trace {
namespace {

using wire::JsonType;
using wire::Kind;

// Labels of requests that were not answered yet; a session has about ten.
constexpr size_t kMaxOpen = 4096, kMaxBytes = 1u << 20;

// A string's meaning, or a number or a boolean as it is spelled.
std::string LabelText(std::string_view value) {
  return wire::Shortened(
      wire::TypeOf(value) == JsonType::kString ? wire::StringValue(value) : std::string(value),
      kMaxLabel);
}

std::string KeyOf(wire::Direction direction, uint64_t number, std::string_view id) {
  return std::string(direction == wire::Direction::kHostToPlugin ? ">" : "<") +
         std::to_string(number) + ' ' + std::string(id);
}

}  // namespace

bool Labels::Reads(Kind kind, std::string_view method) const {
  const auto of_method = [&](const wire::MethodPlace& place) { return place.OfMethod(method); };
  if (kind == Kind::kRequest || kind == Kind::kNotification) {
    return std::any_of(dialect_->labels.begin(), dialect_->labels.end(), of_method);
  }
  return kind == Kind::kResponse &&
         std::any_of(dialect_->failures.begin(), dialect_->failures.end(),
                     [&](const wire::PlaceValue& failure) { return of_method(failure.at); });
}

bool Labels::Failed(const NegotiationInput& in) const {
  return std::any_of(
      dialect_->failures.begin(), dialect_->failures.end(),
      [&](const wire::PlaceValue& failure) { return Matches(failure, in.method, in.body); });
}

Labels::Of Labels::OnMessage(wire::Direction direction, const NegotiationInput& in) {
  const Kind kind = in.message->kind;
  label_.clear();
  if (kind == Kind::kRequest || kind == Kind::kNotification) {
    for (const wire::MethodPlace& place : dialect_->labels) {
      if (in.body.empty() || !place.OfMethod(in.method)) continue;
      const std::optional<std::string_view> value = wire::ValueAt(in.body, place.pointer);
      if (!value || value->empty() || *value == "null") continue;
      const JsonType type = wire::TypeOf(*value);
      if (type == JsonType::kObject || type == JsonType::kArray) continue;
      label_ = LabelText(*value);
      break;
    }
    if (kind != Kind::kRequest || label_.empty() || open_.size() >= kMaxOpen ||
        bytes_ + label_.size() > kMaxBytes) {
      return {.label = label_};
    }
    if (open_.try_emplace(KeyOf(direction, in.number, in.message->id.token), label_).second) {
      bytes_ += label_.size();
    }
    return {.label = label_};
  }
  if (!in.message->IsAnswer()) return {};
  Of of;
  if (in.request != nullptr && !open_.empty()) {
    const auto open = open_.find(KeyOf(Opposite(direction), in.request->number, in.request->id));
    if (open != open_.end()) {
      label_ = std::move(open->second);
      bytes_ -= label_.size();
      open_.erase(open);
    }
  }
  of.label = label_;
  of.failed = kind == Kind::kResponse && !in.body.empty() && Failed(in);
  return of;
}

}  // namespace midwire::trace
