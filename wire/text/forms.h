// What a whole text is by its form: a date, a path. Called by what looks at values: check/infer,
// replay/shape, trace/redact. Times in the formats of logs are read by replay/shape. Pure; which
// other forms count as the same is the caller's matter.
#pragma once

#include <string_view>

namespace midwire::wire {

// As long as `form`, with a digit where that has `#`, otherwise with the same characters.
bool HasForm(std::string_view text, std::string_view form);

bool IsDate(std::string_view text);        // 2026-11-21
bool IsTimeOffset(std::string_view text);  // Z, +01:00, -08:00
// RFC 3339, in capitals: a date, T, a time with or without a fraction of seconds, an offset.
bool IsDateTime(std::string_view text);

// How an absolute path of Windows begins: "C:\" or "c:/".
bool BeginsWithDrive(std::string_view text);
// From the root or a drive on, in one line.
bool IsAbsolutePath(std::string_view text);

}  // namespace midwire::wire
