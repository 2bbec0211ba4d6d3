// Where messages have their ids: "id" in JSON-RPC, "seq" in DAP. Used by the matcher and by what it
// calls.
#pragma once

#include "wire/json/pointer.h"

namespace midwire::replay {

inline const wire::Pointer kId = {{"id"}}, kSeq = {{"seq"}};

}  // namespace midwire::replay
