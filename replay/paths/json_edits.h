// Finds edits in the strings of a JSON message: values and names of members, without the members
// that belong to the protocol (id, method and the like). Spans are those of the message as spelled,
// so every other byte of it stays. Called where a trace is loaded or written. Pure.
#pragma once

#include <functional>
#include <string_view>

#include "replay/paths/text_edit.h"

namespace midwire::replay {

// Appends the edits of a string's meaning, which has no escapes.
using EditString = std::function<void(std::string_view text, TextEdits* edits)>;

// `body`: loose JSON (wire::IsLooseJson), trimmed. Appends to *edits in order.
void EditStrings(std::string_view body, const EditString& edit, TextEdits* edits);

}  // namespace midwire::replay
