#include "tools/fuzzing/export.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "fuzz/seeds.h"
#include "io/files/new_files.h"
#include "tools/fuzzing/export_files.h"
#include "wire/dialect/built_in.h"
#include "wire/dialect/dialect.h"
#include "wire/json/ascii.h"

namespace midwire::tools {
namespace {

namespace fs = std::filesystem;

struct Text {
  std::string text;
  bool program = false;
};
using Files = std::map<std::string, Text>;  // by path below the folder

// A name that is safe in shell, CMake and Dockerfiles: other characters than letters, digits, `-`,
// `_` become `-`.
std::string ProjectName(const std::string& folder, const std::string& wanted) {
  std::string name = wanted;
  if (name.empty()) {
    std::error_code failed;
    fs::path path = fs::absolute(folder, failed).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    name = path.filename().string();
  }
  for (char& c : name) {
    if (!wire::IsAlphanumeric(c) && c != '_') c = '-';
  }
  name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
  return name.empty() ? "project" : name;
}

std::string Filled(std::string_view text, const std::string& project, const std::string& dialect) {
  std::string filled(text);
  const auto fill = [&filled](std::string_view name, const std::string& value) {
    for (size_t at = 0; (at = filled.find(name, at)) != filled.npos; at += value.size()) {
      filled.replace(at, name.size(), value);
    }
  };
  fill("@PROJECT@", project);
  fill("@DIALECT@", dialect);
  return filled;
}

// Seeds and dictionary of the dialect, or of JSON-RPC in general.
Status AddCorpus(const std::string& name, Files* files) {
  std::optional<wire::Dialect> dialect;
  if (!name.empty()) {
    const std::string_view text = wire::BuiltInDialect(name);
    if (text.empty()) {
      return Error{"not a built-in dialect", name,
                   "a harness can only use built-in ones: midwire check --list"};
    }
    auto loaded = wire::LoadDialect(text, name, /*strict=*/false, wire::BuiltInDialect);
    if (!loaded) return loaded.error();
    dialect = std::move(*loaded);
  }
  fuzz::Seeds seeds(wire::Direction::kHostToPlugin);
  if (dialect) seeds.words.AddDialect(*dialect);
  fuzz::MakeSeeds(dialect ? &*dialect : nullptr, &seeds);
  size_t number = 0;
  for (const fuzz::Input& input : seeds.inputs) {
    (*files)["fuzz/seeds/" + std::to_string(++number) + ".wire"] = {input.Bytes()};
  }
  (*files)["fuzz/fuzz.dict"] = {seeds.words.Dictionary()};
  return Ok{};
}

// Project files get the usual permissions, not 0600 as traces do.
unsigned ModeOf(bool program) {
  const mode_t mask = umask(0);
  umask(mask);
  return (program ? 0777 : 0666) & ~mask;
}

// The written files, one per line; the seeds as their folder.
std::string ListOf(const std::vector<io::NewFile>& written, const std::string& folder) {
  std::string list;
  bool seeds = false;
  for (const io::NewFile& file : written) {
    const std::string path = fs::path(file.path).lexically_relative(folder).string();
    const bool seed = path.starts_with("fuzz/seeds/");
    seeds = seeds || seed;
    if (!seed) list += path + "\n";
  }
  return list + (seeds ? "fuzz/seeds/\n" : "");
}

}  // namespace

Result<std::string> ExportHarness(const std::string& folder, const ExportOptions& options) {
  const std::string project = ProjectName(folder, options.project);
  Files files;
  for (const ExportFile& file : ExportFiles()) {
    files[std::string(file.path)] = {Filled(file.text, project, options.dialect), file.program};
  }
  const Status added = AddCorpus(options.dialect, &files);
  if (!added) return added.error();
  std::vector<io::NewFile> wanted;
  for (const auto& [path, file] : files) {
    wanted.push_back({(fs::path(folder) / path).string(), file.text, ModeOf(file.program)});
  }
  const auto missing = io::MissingFiles(wanted);
  if (!missing) return missing.error();
  for (const io::NewFile& file : *missing) {
    const Status written = io::WriteWithFolders(file);
    if (!written) return written.error();
  }
  return ListOf(*missing, folder);
}

}  // namespace midwire::tools
