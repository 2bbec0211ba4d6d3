#include "tools/output_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "io/clock.h"
#include "proxy/start.h"
#include "proxy/tape_name.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "trace/reader.h"

namespace midwire::tools {
namespace {

namespace fs = std::filesystem;

// Where a file that does not exist would be.
fs::path CanonicalPath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path place = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : place;
}

// Whether writing one overwrites the other. Devices and pipes have nothing to overwrite.
bool IsSameFile(const std::string& a, const std::string& b) {
  struct stat one, other;
  const bool a_exists = stat(a.c_str(), &one) == 0, b_exists = stat(b.c_str(), &other) == 0;
  if (a_exists != b_exists) return false;
  if (!a_exists) return CanonicalPath(a) == CanonicalPath(b);
  return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

bool IsTrace(const std::string& path) {
  struct stat there;
  if (stat(path.c_str(), &there) != 0 || !S_ISREG(there.st_mode) || there.st_size == 0) {
    return false;
  }
  if (!trace::OpenTrace(path).ok()) return false;
  // A report is JSON too, and a cassette with an odd header to the reader; it may be replaced.
  std::string first(512, '\0');
  std::ifstream(path, std::ios::binary)
      .read(first.data(), static_cast<std::streamsize>(first.size()));
  return first.starts_with("\x0A\x0D\x0D\x0A") || first.find("\"cassette\"") != first.npos;
}

// errno of why no file can be created there, where none is yet; 0: it can.
int WhyNotCreated(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  return access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

Error CannotCreate(const std::string& what, const std::string& path, int error) {
  return {"cannot create the " + what, path + ": " + strerror(error), "name another file"};
}

Error Wrong(const ReportFile& report, const char* what) {
  return {std::string(report.option) + ": " + what, "\"" + report.path + "\"", "name another file"};
}

}  // namespace

Status CanOverwrite(const std::vector<ReportFile>& reports,
                    const std::vector<std::string>& others) {
  for (const ReportFile& report : reports) {
    if (report.path.empty()) continue;
    for (const std::string& other : others) {
      const std::string path = other == "-" ? "/dev/stdin" : other;
      if (!path.empty() && IsSameFile(report.path, path)) {
        return Wrong(report, "this run reads or records this file");
      }
    }
    if (IsTrace(report.path)) return Wrong(report, "would overwrite a trace");
    struct stat there;
    const bool is_there = stat(report.path.c_str(), &there) == 0;
    const int error = is_there ? (S_ISDIR(there.st_mode) ? EISDIR : 0) : WhyNotCreated(report.path);
    if (error != 0)
      return CannotCreate("file of " + std::string(report.option), report.path, error);
    for (const ReportFile& first : reports) {
      if (&first == &report) break;
      if (!first.path.empty() && IsSameFile(report.path, first.path)) {
        return Wrong(report, "another report has this file");
      }
    }
  }
  return Ok{};
}

Status CanCreateOutput(const std::string& path, OldOutput old) {
  if (path == "-") return Ok{};
  if (path.empty()) return Error{"no output is named", "", "name one with -o FILE"};
  struct stat there;
  if (lstat(path.c_str(), &there) != 0) {
    const int error = errno == ENOENT ? WhyNotCreated(path) : errno;
    return error == 0 ? Status(Ok{}) : CannotCreate("output", path, error);
  }
  if (old != OldOutput::kReplaced) {
    return Error{"the output exists already", path,
                 old == OldOutput::kStays ? "choose another name, or remove it first"
                                          : "choose another name, or replace it with --force"};
  }
  // Not what a link leads to: /dev/stdout and /dev/fd/63 of a shell may be pipes.
  if (S_ISFIFO(there.st_mode) || S_ISSOCK(there.st_mode))
    return Error{"the output is no plain file", path, "name another file"};
  return S_ISDIR(there.st_mode) ? CannotCreate("output", path, EISDIR) : Status(Ok{});
}

Status CanReplace(const char* option, const std::string& path) {
  if (path == "-") {
    return Error{std::string(option) + ": cannot write to standard input", "", "name a file"};
  }
  struct stat there;
  if (stat(path.c_str(), &there) != 0 || S_ISREG(there.st_mode)) return Ok{};
  return WrongValue(option, path, "not a regular file, so it cannot be replaced",
                    "save the trace as a file first");
}

Status HasKnownPlaceholders(const char* option, const std::string& pattern) {
  if (proxy::UnknownPlaceholder(pattern).empty()) return Ok{};
  return WrongValue(option, pattern, "no such placeholder: " + proxy::UnknownPlaceholder(pattern),
                    "use {time}, {pid} and {plugin}");
}

Status CanCreateTape(const char* option, const std::string& pattern) {
  if (pattern.empty()) return Ok{};
  if (const Status known = HasKnownPlaceholders(option, pattern); !known) return known;
  const auto named = proxy::TapePath(pattern, PluginCommand(), io::SystemClock().UnixNs());
  if (!named) return named.error();
  const std::string& path = *named;
  const auto fail = [&](const std::string& why) {
    return Error{"cannot create the tape", path + ": " + why,
                 std::string("name another with ") + option};
  };
  struct stat there;
  if (stat(path.c_str(), &there) == 0) {
    if (S_ISDIR(there.st_mode)) return fail("is a directory");
    if (!S_ISREG(there.st_mode)) return fail("is not a regular file");
  } else if (errno != ENOENT) {
    return fail(strerror(errno));
  } else if (lstat(path.c_str(), &there) == 0) {
    return fail("is a dangling symbolic link");
  }
  const int error = WhyNotCreated(path);
  return error == 0 ? Status(Ok{}) : fail(strerror(error));
}

}  // namespace midwire::tools
