#include "check/documents/rule_types.h"

namespace midwire::check {
namespace {

constexpr RuleType kDocumentTypes[] = {
    {"positions", MakePositionsRule},
    {"uri", MakeUriRule},
};

}  // namespace

std::span<const RuleType> DocumentRuleTypes() { return kDocumentTypes; }

}  // namespace midwire::check
