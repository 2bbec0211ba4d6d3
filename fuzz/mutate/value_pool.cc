#include "fuzz/mutate/value_pool.h"

#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/tree_spans.h"

namespace midwire::fuzz {

std::optional<PooledValue> ChooseKnown(std::string_view body, const Vocabulary& words,
                                       Random* random) {
  constexpr int kLooks = 4;
  const auto message = FindMessage(body, random);
  if (!message) return std::nullopt;
  const Role role = message->answer ? Role::kResult : Role::kParams;
  if (!message->has(role)) return std::nullopt;
  const MemberSpan& span = message->of(role);
  const std::string_view content = message->value(body, role);
  const auto& listed = words.choices(message->value(body, Role::kMethod));
  for (int look = 0; look < kLooks; ++look) {
    const auto node = PickNode(content, kScalars, kInside, random);
    if (!node) return std::nullopt;
    const auto& recorded = words.recorded_values(node->name(content));
    // Values of the dialect come first: the peer distinguishes them.
    const bool from_recorded = listed.empty() || (!recorded.empty() && random->OneIn(3));
    const auto& from = from_recorded ? recorded : listed;
    if (from.empty()) continue;
    const std::string_view other = random->Pick(from);
    if (other != node->text(content))
      return PooledValue{span.value_at + node->at, node->size, other};
  }
  return std::nullopt;
}

}  // namespace midwire::fuzz
