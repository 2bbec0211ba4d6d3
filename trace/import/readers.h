// The readers of the formats: rows of the table in formats.cc name them. Not used outside this
// room.
#pragma once

#include <string_view>

#include "trace/import/conversation.h"

namespace midwire::trace::import {

bool IsClangd(std::string_view start);
void ReadClangd(std::string_view log, Conversation* to);
bool IsNeovim(std::string_view start);
void ReadNeovim(std::string_view log, Conversation* to);
bool IsClaude(std::string_view start);
void ReadClaude(std::string_view log, Conversation* to);
bool IsVsCodeLog(std::string_view start);
void ReadVsCodeLog(std::string_view log, Conversation* to);
bool IsVsCodeText(std::string_view start);
void ReadVsCodeText(std::string_view log, Conversation* to);
bool IsVsCodeJson(std::string_view start);
void ReadVsCodeJson(std::string_view log, Conversation* to);
bool IsSnoop(std::string_view start);
void ReadSnoop(std::string_view log, Conversation* to);
bool IsInspector(std::string_view start);
void ReadInspector(std::string_view log, Conversation* to);
bool HasArrows(std::string_view start);
void ReadArrows(std::string_view log, Conversation* to);
bool IsOneStream(std::string_view start);
void ReadOneStream(std::string_view log, Conversation* to);

}  // namespace midwire::trace::import
