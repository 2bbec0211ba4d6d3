#include "trace/dialect/negotiated.h"

#include <algorithm>
#include <optional>

#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::trace {
namespace {

using wire::JsonType;

// Versions have about ten characters; what is longer is no version.
constexpr size_t kMaxVersion = 256;
// Changes of the revision within a session that are remembered, and unknown versions that are
// reported. A proxy of several sessions may change it at each message.
constexpr size_t kMaxChanges = 4096, kMaxReported = 64;
// A name that is longer is cut.
constexpr size_t kMaxName = 64;

std::optional<std::string> VersionAt(const wire::MethodPlace& place, const NegotiationInput& in) {
  if (in.body.empty() || !place.OfMethod(in.method)) return std::nullopt;
  const std::optional<std::string_view> value = wire::ValueAt(in.body, place.pointer);
  if (!value || value->size() > kMaxVersion) return std::nullopt;
  if (wire::TypeOf(*value) == JsonType::kString) return wire::StringValue(*value);
  if (wire::TypeOf(*value) == JsonType::kNumber) return std::string(*value);
  return std::nullopt;
}

bool IsCall(const wire::Message& message) {
  return message.kind == wire::Kind::kRequest || message.kind == wire::Kind::kNotification;
}

// The revision that a handshake means. Of an unknown one, the nearest; if that does not even have
// the method of the handshake, the latest that has.
const wire::Dialect* OfHandshake(const wire::Dialect& dialect, const std::string& version,
                                 std::string_view method) {
  const wire::Dialect* const nearest = dialect.Revision(version);
  if (nearest->revision == version || nearest->Find(method) != nullptr) return nearest;
  for (size_t i = dialect.revisions.size(); i-- > 0;) {
    if (dialect.revisions[i]->Find(method) != nullptr) return dialect.revisions[i].get();
  }
  return nearest;
}

}  // namespace

bool Negotiated::Take(const std::vector<wire::MethodPlace>& places, const NegotiationInput& in,
                      How how) {
  for (const wire::MethodPlace& place : places) {
    std::optional<std::string> version = VersionAt(place, in);
    if (!version) continue;
    const wire::Dialect* const chosen = how == How::kMessage
                                            ? dialect_->Revision(*version)
                                            : OfHandshake(*dialect_, *version, in.method);
    if (chosen->revision != *version &&
        std::find(reported_.begin(), reported_.end(), *version) == reported_.end() &&
        reported_.size() < kMaxReported) {
      reported_.push_back(*version);
      unknown_ = *version;
      pointer_ = wire::PointerText(place.pointer);
    }
    if (settled() && chosen != current_) mixed_ = true;
    current_ = chosen;
    how_ = how;
    version_ = std::move(*version);
    return true;
  }
  return false;
}

const wire::Dialect* Negotiated::OnMessage(const NegotiationInput& in) {
  if (dialect_->revisions.empty()) return dialect_;
  unknown_.clear();
  const wire::Negotiation& places = dialect_->negotiation;
  if (how_ < How::kAgreed) Take(places.offered, in, How::kOffered);
  Take(places.agreed, in, How::kAgreed);
  if (IsCall(*in.message)) {
    const wire::Dialect* const before = current_;
    if (!Take(places.message, in, How::kMessage)) return current_;
    if (before == current_ && !changes_.empty()) return current_;
    if (changes_.empty()) changes_.push_back({0, before});
    changes_.push_back({in.number, current_});
    if (changes_.size() > kMaxChanges) changes_.pop_front();
  } else if (mixed_ && in.request != nullptr) {
    const auto after = std::upper_bound(
        changes_.begin(), changes_.end(), in.request->number,
        [](uint64_t number, const Change& change) { return number < change.number; });
    if (after != changes_.begin()) return (after - 1)->dialect;
  }
  return current_;
}

void Negotiated::OnSessionEnd() {
  const wire::Dialect* const dialect = dialect_;
  *this = Negotiated(dialect);
}

void Capabilities::OnMessage(wire::Direction direction, const NegotiationInput& in) {
  std::vector<std::string>& names = names_[static_cast<int>(direction)];
  if (in.body.empty() || !names.empty()) return;
  for (const wire::MethodPlace& place : dialect_->negotiation.capabilities) {
    if (!place.OfMethod(in.method)) continue;
    const std::optional<std::string_view> value = wire::ValueAt(in.body, place.pointer);
    if (!value) continue;
    const JsonType type = wire::TypeOf(*value);
    if (type != JsonType::kObject && type != JsonType::kArray) continue;
    wire::JsonParts parts(*value);
    for (wire::JsonPart part; parts.Next(&part) && names.size() < kMaxCapabilities;) {
      std::string_view name = part.name;
      if (type == JsonType::kArray) name = part.value;
      if (!name.starts_with('"') || part.value == "false" || part.value == "null") continue;
      names.push_back(wire::StringValue(name).substr(0, kMaxName));
    }
    if (!names.empty()) return;
  }
}

}  // namespace midwire::trace
