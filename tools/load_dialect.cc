#include "tools/load_dialect.h"

#include <unistd.h>

#include <memory>
#include <utility>
#include <vector>

#include "trace/source.h"
#include "wire/dialect/built_in.h"
#include "wire/near_names.h"

namespace midwire::tools {
namespace {

// The largest built-in dialect has about 100 KiB.
constexpr size_t kMaxFile = 16u << 20;

Result<std::string> ReadAll(const std::string& path) {
  Result<std::unique_ptr<trace::Source>> source = trace::OpenSource(path);
  if (!source && access(path.c_str(), F_OK) == 0)
    return Error{"cannot open the dialect", path, source.error().remedy};
  if (!source) {
    std::vector<std::string> known;
    for (const std::string_view name : wire::BuiltInDialects()) known.emplace_back(name);
    std::string near = wire::NearNames(path, known);
    if (!near.starts_with("did")) near = "list the built-in ones with midwire dialect list";
    return Error{"no such dialect: neither built in nor a file", path, near};
  }
  Result<std::string> text = trace::ReadUpTo(kMaxFile, source->get());
  if (text && text->size() > kMaxFile) {
    return Error{"not a dialect: larger than 16 MiB", path,
                 "name a JSON file that describes a protocol"};
  }
  return text;
}

}  // namespace

Result<wire::Dialect> LoadNamedDialect(const std::string& name_or_file, bool strict) {
  const std::string_view built_in = wire::BuiltInDialect(name_or_file);
  if (!built_in.empty()) {
    // A test compiles all schemas of the built-in dialects; a run needs few of them.
    return wire::LoadDialect(built_in, name_or_file, strict, wire::BuiltInDialect,
                             wire::SchemaTime::kAtUse);
  }
  const Result<std::string> text = ReadAll(name_or_file);
  if (!text) return text.error();
  // Both forms are loaded, so that an error in the strict form is reported on the first use.
  Result<wire::Dialect> plain =
      wire::LoadDialect(*text, name_or_file, /*strict=*/false, wire::BuiltInDialect);
  if (!plain) return plain;
  Result<wire::Dialect> other =
      wire::LoadDialect(*text, name_or_file, /*strict=*/true, wire::BuiltInDialect);
  if (other) return strict ? std::move(other) : std::move(plain);
  Error error = other.error();
  error.where += ", in its \"strict\" form";
  return error;
}

Result<std::string> DialectText(const std::string& name_or_file) {
  const std::string_view built_in = wire::BuiltInDialect(name_or_file);
  if (!built_in.empty()) return std::string(built_in);
  return ReadAll(name_or_file);
}

}  // namespace midwire::tools
