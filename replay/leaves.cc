#include "replay/leaves.h"

#include <algorithm>
#include <optional>

#include "replay/values/text_tokens.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::replay {
namespace {

using wire::Path;

constexpr std::string_view kNames[] = {"compared", "shape",    "renamed", "bound",
                                       "id",       "volatile", "ignored"};

struct Reason {
  LeafCounts as = LeafCounts::kCompared;
  std::string why;
};

bool IsAtOrAbove(const wire::Pointer& pointer, const Path& path) {
  if (pointer.steps.size() > path.size()) return false;
  return wire::Matches(
      pointer,
      Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(pointer.steps.size())));
}

bool IsEnvelopeId(const Path& path) {
  if (path.size() != 1) return false;
  const std::string_view name = Unquoted(path[0].name);
  return name == "id" || name == "seq" || name == "request_seq";
}

// As deep as the text is nested, at most wire::kMaxLooseDepth.
void WalkLeaves(std::string_view value, Path* path,
                const std::function<void(const Path&, std::string_view)>& visit) {
  const wire::JsonType type = wire::TypeOf(value);
  bool any = false;
  if (type == wire::JsonType::kArray || type == wire::JsonType::kObject) {
    wire::JsonParts parts(value);
    size_t index = 0;
    for (wire::JsonPart part; parts.Next(&part);) {
      any = true;
      path->push_back({part.name, index++});
      WalkLeaves(part.value, path, visit);
      path->pop_back();
    }
  }
  if (!any) visit(*path, value);
}

// The rules of MessageComparer, in the same order.
class Classifier {
 public:
  Classifier(const Loaded& loaded, const Step& step)
      : loaded_(loaded), step_(step), class_(loaded.script.ClassOf(step)) {}

  Reason Of(const Path& path, std::string_view value) const {
    if (step_.is_volatile) return {LeafCounts::kVolatile, "volatile " + class_.method};
    if (IsEnvelopeId(path)) return {LeafCounts::kId, "matched with its request"};
    for (const Place& place : loaded_.declared.ignores) {
      if (class_.IsOf(place) && IsAtOrAbove(place.pointer, path)) {
        return {LeafCounts::kIgnored, "ignore " + place.text};
      }
    }
    for (const EmbeddedId& id : loaded_.declared.ids) {
      if (class_.IsOf(id.at) && wire::Matches(id.at.pointer, path)) {
        return {LeafCounts::kId, "id " + id.at.text};
      }
    }
    for (const ShapedPlace& shaped : loaded_.declared.shapes) {
      if (class_.IsOf(shaped.at) && wire::Matches(shaped.at.pointer, path)) {
        return {LeafCounts::kShape, "shape " + shaped.at.text};
      }
    }
    if (const auto slot = step_.bound ? SlotOf(path, value) : std::nullopt) {
      const Slot& it = loaded_.bindings.slot(*slot);
      const std::string name = "b" + std::to_string(*slot + 1);
      if (it.renamed) return {LeafCounts::kRenamed, name + ": a unique id that is repeated"};
      return {LeafCounts::kBound, name + ": repeated at " + it.to};
    }
    return {};
  }

 private:
  std::optional<SlotIndex> SlotOf(const Path& path, std::string_view value) const {
    if (const auto slot = loaded_.bindings.Find(class_, path, value)) return slot;
    std::optional<SlotIndex> found;
    if (!value.starts_with('"')) return found;
    loaded_.bindings.VisitTokens(path, Unquoted(value),
                                 [&](SlotIndex slot, std::string_view) { found = slot; });
    return found;
  }

  const Loaded& loaded_;
  const Step& step_;
  const CallClass& class_;
};

}  // namespace

std::string_view Name(LeafCounts counts) { return kNames[static_cast<int>(counts)]; }

Status VisitLeaves(Loaded* loaded, Direction peers, const std::function<void(const Leaf&)>& visit) {
  size_t element = 0;
  for (const Step& step : loaded->script.steps) {
    if (!step.element) element = 0;
    const std::string prefix = step.element ? "/" + std::to_string(element++) : "";
    if (step.direction != peers || !step.json || step.kind == Kind::kBatch) continue;
    const Result<std::string_view> frame = loaded->frames.Get(step.at, step.size);
    if (!frame) return frame.error();
    const Classifier classifier(*loaded, step);
    const std::string body(BodyOf(step, *frame));
    Path path;
    WalkLeaves(body, &path, [&](const Path& at, std::string_view value) {
      Reason reason = classifier.Of(at, value);
      visit({step.number, prefix + wire::PointerText(at), reason.as, std::move(reason.why)});
    });
  }
  return Ok{};
}

}  // namespace midwire::replay
