#include "fuzz/switches.h"

#include <algorithm>
#include <string>

namespace midwire::fuzz {

Result<uint64_t> ParseSwitches(std::string_view text, uint64_t set, const SwitchNames& known) {
  const std::string list(text);
  enum class Kind { kUnknown, kChanges, kOnlyThese } kind = Kind::kUnknown;
  for (bool more = !text.empty(); more;) {
    const size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    if (kind == Kind::kUnknown && (word == "all" || word == "none")) {
      set = word == "all" ? ~uint64_t{0} : 0;
      kind = Kind::kChanges;
      continue;
    }
    const bool sign = word.starts_with('+') || word.starts_with('-');
    const auto at = std::find(known.names.begin(), known.names.end(), sign ? word.substr(1) : word);
    if (at == known.names.end()) {
      std::string where = "\"" + std::string(word) + "\"";
      if (word != list) where += " in \"" + list + "\"";
      return Error{"no such " + std::string(known.noun), where, std::string(known.help)};
    }
    const Kind wanted = sign ? Kind::kChanges : Kind::kOnlyThese;
    if (kind == Kind::kUnknown && !sign) set = 0;
    if (kind != Kind::kUnknown && kind != wanted) {
      return Error{std::string(known.noun) + "s with and without a sign",
                   "\"" + std::string(word) + "\" in \"" + list + "\"",
                   "+NAME,-NAME changes the default set; NAME,NAME selects only these"};
    }
    kind = wanted;
    const uint64_t bit = uint64_t{1} << (at - known.names.begin());
    set = word.starts_with('-') ? set & ~bit : set | bit;
  }
  return set;
}

}  // namespace midwire::fuzz
