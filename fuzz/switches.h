// A list of names with which a user turns checks on and off: "+NAME,-NAME" or "NAME,NAME". The one
// grammar of --oracle, $MIDWIRE_ORACLE and the options of the harness kit. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::fuzz {

// What may be switched, at most 64.
struct SwitchNames {
  std::string_view noun;  // of one: "oracle"
  std::span<const std::string_view> names;
  std::string_view help;  // for a name that is none of them: where they are listed
};

// `set`: a bit for each name that is on by default. "": the default set. "NAME,...": only these.
// "+NAME,-NAME,...": the default set, changed. "all" or "none" may come first, alone or with
// changes: "all,-utf8". An error names the word that is not a name, or that mixes the two kinds.
Result<uint64_t> ParseSwitches(std::string_view text, uint64_t set, const SwitchNames& known);

}  // namespace midwire::fuzz
