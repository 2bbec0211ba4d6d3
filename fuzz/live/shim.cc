#include "fuzz/live/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "io/pipe.h"

namespace midwire::fuzz {
namespace {

constexpr char kSocket[] = "/socket";
std::string Place() {
  const char* place = getenv("TMPDIR");
  std::error_code error;  // without a current folder a relative name stays relative
  const auto path =
      std::filesystem::absolute(place != nullptr && *place != '\0' ? place : "/tmp", error);
  return error ? "/tmp" : path.string();
}

constexpr std::string_view kPrefix = "midwire-";

std::string Prefix(pid_t process) { return std::string(kPrefix) + std::to_string(process) + "-"; }

// "midwire-123-abcdef"
bool IsOfAnyProcess(std::string_view name) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  const size_t digits = name.find_first_not_of("0123456789");
  return digits != 0 && digits != name.npos && name[digits] == '-' &&
         name.size() == digits + sizeof "-XXXXXX" - 1;
}

// What the user's own processes have left; links are not followed.
bool IsOwn(const std::string& path) {
  struct stat there;
  return lstat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode) && there.st_uid == geteuid();
}

std::string Quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

void Link::Close() {
  for (int* fd : {&from_host, &to_host, &hold}) io::CloseDescriptor(fd);
}

int RunShim(const std::string& path) {
  io::Pipe hold;
  if (!hold.Open() || !io::HandOver(path, {0, 1, hold.writer})) return 1;
  // Closes our copies, so that the host sees the end when the fuzzer closes its own.
  for (const int ours : {0, 1}) close(ours);
  io::CloseDescriptor(&hold.writer);
  char byte;
  while (true) {
    const ssize_t count = read(hold.reader, &byte, 1);
    if (count == 0 || (count < 0 && errno != EINTR)) return 0;
  }
}

Status ShimListener::Open(const std::string& name) {
  RemoveLeft(0);
  folder_ = Place() + "/" + Prefix(getpid()) + "XXXXXX";
  const auto failed = [&](const char* what) {
    return Error{what, folder_ + ": " + strerror(errno), "set TMPDIR to another folder"};
  };
  if (mkdtemp(folder_.data()) == nullptr) {
    const Error error = failed("cannot create a folder for the plugin's stand-in");
    folder_.clear();
    return error;
  }
  name_ = name;
  char self[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof self);
  if (size <= 0 || size == sizeof self) return failed("cannot find the midwire executable");
  // A script, not a link: through a link the command would parse the host's arguments.
  const std::string script = "#!/bin/sh\n" + std::string(kShimVariable) + "=" +
                             Quoted(folder_ + kSocket) + "\nexport " + kShimVariable + "\nexec " +
                             Quoted({self, static_cast<size_t>(size)}) + "\n";
  const int fd = open(program().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  const bool written = fd >= 0 && write(fd, script.data(), script.size()) == ssize_t(script.size());
  const Error unwritten = failed("cannot write the plugin's stand-in");
  if (fd >= 0) close(fd);
  if (!written) return unwritten;
  if (access(program().c_str(), X_OK) != 0) {
    return failed("the plugin's stand-in cannot be executed (noexec?)");
  }
  if (!calls_.Open(folder_ + kSocket)) {
    return failed("cannot listen for the plugin's stand-in");
  }
  return Ok{};
}

Link ShimListener::Accept() {
  const auto handed = calls_.Accept();
  if (!handed) return {};
  const Link link = {.from_host = (*handed)[0], .to_host = (*handed)[1], .hold = (*handed)[2]};
  for (const int fd : {link.from_host, link.to_host}) io::SetNonBlocking(fd);
  return link;
}

ShimListener::~ShimListener() {
  if (folder_.empty()) return;
  unlink((folder_ + kSocket).c_str());
  if (!name_.empty()) unlink(program().c_str());
  rmdir(folder_.c_str());
}

void ShimListener::RemoveLeft(pid_t process) {
  std::error_code error;
  std::filesystem::directory_iterator at(Place(), error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename();
    if (process != 0 ? !name.starts_with(Prefix(process)) : !IsOfAnyProcess(name)) continue;
    if (!IsOwn(at->path())) continue;
    // Another process may have that number, where several systems share a folder, or still run:
    // then it is listening.
    if (!io::IsAbandoned(at->path().string() + kSocket)) continue;
    std::error_code kept;
    std::filesystem::remove_all(at->path(), kept);
  }
}

}  // namespace midwire::fuzz
