// Describes how an array of two messages differs by its items: which are new, gone, moved, and what
// differs within the others. Called by the message comparer for a difference that is reported.
#pragma once

#include <functional>
#include <string_view>

#include "replay/match/compare.h"
#include "trace/report/replay_report.h"

namespace midwire::replay {

// `expected` and `got` are JSON, which differ at `pointer`. Describes the outermost array on the
// way there that can be aligned (alignment.h); leaves *changes as it is where there is none.
// `counts` is called for each difference within an item, and says whether it is one.
void DescribeItems(std::string_view expected, std::string_view got, std::string_view pointer,
                   const CompareRules& rules, const std::function<bool()>& counts,
                   trace::ItemChanges* changes);

}  // namespace midwire::replay
