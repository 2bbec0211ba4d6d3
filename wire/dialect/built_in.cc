#include "wire/dialect/built_in.h"

#include "wire/dialect/embedded.h"

namespace midwire::wire {

namespace {

EmbeddedText Find(std::string_view name) {
  for (size_t i = 0; i < kEmbeddedDialectCount; ++i) {
    if (kEmbeddedDialects[i].name == name) return kEmbeddedDialects[i];
  }
  return {};
}

}  // namespace

std::string_view BuiltInDialect(std::string_view name) { return Find(name).text; }
std::string_view BuiltInOutline(std::string_view name) { return Find(name).outline; }

std::vector<std::string_view> BuiltInDialects() {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < kEmbeddedDialectCount; ++i) names.push_back(kEmbeddedDialects[i].name);
  return names;
}

}  // namespace midwire::wire
