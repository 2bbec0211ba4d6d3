// The form of a generated value: whether a live one may stand for a recorded one. Called by the
// comparison where a peer generates a value that is bound. Pure.
#pragma once

#include <string_view>

namespace midwire::replay {

// Both are JSON scalars as spelled. `thr_8f3a91` and `thr_02` have one form; an empty text, one
// with blanks, or 1.5 in place of 7 have another. The length does not count.
bool SameForm(std::string_view recorded, std::string_view live);

}  // namespace midwire::replay
