#include "tools/fuzz_export.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>

#include "fuzz/seeds.h"
#include "tools/fuzz_export_files.h"
#include "wire/built_in.h"
#include "wire/dialect.h"

namespace midwire::tools {
namespace {

namespace fs = std::filesystem;

struct Written {
  std::string text;
  bool program = false;
};
using Files = std::map<std::string, Written>;  // by path below the folder

// A name that is safe in shell, CMake and Dockerfiles: what is no letter, digit, `-`, `_` is `-`.
std::string ProjectName(const std::string& folder, const std::string& wanted) {
  std::string name = wanted;
  if (name.empty()) {
    std::error_code failed;
    fs::path path = fs::absolute(folder, failed).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    name = path.filename().string();
  }
  for (char& c : name) {
    const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!fine && c != '_') c = '-';
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

// Seeds and words: of the dialect, or of JSON-RPC in general.
Status AddCorpus(const std::string& name, Files* files) {
  std::optional<wire::Dialect> dialect;
  if (!name.empty()) {
    const std::string_view text = wire::BuiltInDialect(name);
    if (text.empty()) {
      return Error{"no such dialect is built in", name, "a harness finds it by its name alone"};
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

Status Write(const fs::path& path, const Written& file) {
  const auto failed = [&path](int number) {
    return Error{"cannot write a file", path.string(), std::strerror(number)};
  };
  std::error_code code;
  fs::create_directories(path.parent_path(), code);
  if (code) return failed(code.value());
  // Whoever puts a file here meanwhile keeps it.
  const int fd =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file.program ? 0777 : 0666);
  if (fd < 0) return failed(errno);
  std::string_view rest = file.text;
  int error = 0;
  while (!rest.empty() && error == 0) {
    const ssize_t n = write(fd, rest.data(), rest.size());
    if (n < 0 && errno != EINTR) error = errno;
    if (n > 0) rest.remove_prefix(static_cast<size_t>(n));
  }
  if (close(fd) != 0 && error == 0) error = errno;
  if (error != 0) return failed(error);
  return Ok{};
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
  const fs::path root = folder;
  for (const auto& [path, file] : files) {
    std::error_code code;
    if (fs::exists(fs::symlink_status(root / path, code))) {
      return Error{"a file is there already; nothing was written", (root / path).string(),
                   "another folder, or move it away"};
    }
  }
  std::string list;
  for (const auto& [path, file] : files) {
    const Status written = Write(root / path, file);
    if (!written) return written.error();
    if (!path.starts_with("fuzz/seeds/")) list += path + "\n";
  }
  return list + "fuzz/seeds/\n";
}

}  // namespace midwire::tools
