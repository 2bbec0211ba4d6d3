// Compares two traces as `midwire diff` does, for a page: which message is which, and what differs.
// Called by report.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "view/page/index.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// The row of a message by its number; kNoRow: it has none.
using RowOfNumber = std::function<view::RowId(uint64_t number)>;

// Only the first session of each trace is compared. Both are regular files. `dialect`: as --dialect
// takes it; "" for none.
Result<view::PageCompare> CompareTraces(const std::string& a, const std::string& b,
                                        const std::string& dialect, const RowOfNumber& row_of_a,
                                        const RowOfNumber& row_of_b);

}  // namespace midwire::tools
