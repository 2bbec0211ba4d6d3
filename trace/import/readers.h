// The readers of the formats: rows of the table in formats.cc name them. Not used outside this
// room.
#pragma once

#include <string_view>

#include "trace/import/conversation.h"

namespace midwire::trace::import {

using IsFormat = bool(std::string_view start);
using ReadFormat = void(std::string_view log, Conversation* to);

IsFormat IsClangd, IsNeovim, IsClaude, IsVsCodeLog, IsVsCodeText, IsVsCodeJson, IsSnoop,
    IsInspector, HasArrows, IsOneStream;
ReadFormat ReadClangd, ReadNeovim, ReadClaude, ReadVsCodeLog, ReadVsCodeText, ReadVsCodeJson,
    ReadSnoop, ReadInspector, ReadArrows, ReadOneStream;

}  // namespace midwire::trace::import
