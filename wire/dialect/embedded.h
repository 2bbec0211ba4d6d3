// The texts of the built-in dialects, and their outlines: what detection reads. Defined by the file
// that cmake/embed_dialects.cmake writes, read by built_in.
#pragma once

#include <cstddef>
#include <string_view>

namespace midwire::wire {

struct EmbeddedText {
  std::string_view name, text, outline;
};
extern const EmbeddedText kEmbeddedDialects[];
extern const size_t kEmbeddedDialectCount;

}  // namespace midwire::wire
