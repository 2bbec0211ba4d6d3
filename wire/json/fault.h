// What is wrong with a text that should be JSON, and where. For reports: called when a text is
// known to be broken, so it may be slower than IsLooseJson. Takes any bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace midwire::wire {

struct JsonFault {
  size_t offset = 0;    // of the first wrong byte in the text
  std::string pointer;  // to the innermost value there, as far as the text can be read up to it
  std::string what;     // "a NUL byte in a string"
  // By FindJsonFault, the same for all mistakes of a kind: "a control character", "a word", "a
  // number", "an unexpected byte".
  std::string_view kind{};
};

// The first mistake in the grammar (IsLooseJson); nullopt: there is none.
std::optional<JsonFault> FindJsonFault(std::string_view text);
// The first byte that is not UTF-8 (RFC 3629).
std::optional<JsonFault> FindBadUtf8(std::string_view text);
// The first escape of a surrogate without its other half: JSON, but no text (RFC 8259, 8.2).
std::optional<JsonFault> FindLoneSurrogate(std::string_view text);

// The text around an offset, with "..." where it is cut.
std::string Around(std::string_view text, size_t offset);

}  // namespace midwire::wire
