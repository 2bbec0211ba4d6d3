#include "fuzz/live/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace midwire::fuzz {
namespace {

constexpr char kSocket[] = "/socket";
// A call is one datagram, so that nobody can connect and then keep us waiting: a byte, and these
// descriptors: the plugin's stdin, its stdout, the end of a pipe that the shim waits on.
constexpr size_t kHanded = 3;

struct Call {
  alignas(cmsghdr) char control[CMSG_SPACE(kHanded * sizeof(int))] = {};
  char byte = 0;
  iovec data = {&byte, 1};
  msghdr message = {};

  Call() {
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

void CloseOne(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

// The address of a socket in a folder. A path that is too long for one goes by way of the folder's
// descriptor, which is then the caller's to close.
bool Address(const std::string& path, sockaddr_un* address, int* folder) {
  *folder = -1;
  std::string name = path;
  if (name.size() >= sizeof address->sun_path) {
    *folder = open(path.substr(0, path.rfind('/')).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0) return false;
    name = "/proc/self/fd/" + std::to_string(*folder) + kSocket;
  }
  *address = {};
  address->sun_family = AF_UNIX;
  std::copy(name.begin(), name.end(), address->sun_path);
  return true;
}

// bind or connect.
using Meet = int (*)(int, const sockaddr*, socklen_t);
bool At(Meet meet, int socket, const std::string& path) {
  sockaddr_un address;
  int folder;
  if (!Address(path, &address, &folder)) return false;
  const bool met = meet(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int error = errno;
  CloseOne(&folder);
  errno = error;
  return met;
}

std::string Place() {
  const char* place = getenv("TMPDIR");
  std::error_code error;  // without a current folder a relative name stays one
  const auto path =
      std::filesystem::absolute(place != nullptr && *place != '\0' ? place : "/tmp", error);
  return error ? "/tmp" : path.string();
}

std::string Prefix(pid_t process) { return "midwire-" + std::to_string(process) + "-"; }

std::string Quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

void Link::Close() {
  for (int* fd : {&from_host, &to_host, &hold}) CloseOne(fd);
}

int RunShim(const std::string& path) {
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  int hold[2];
  if (fd < 0 || pipe2(hold, O_CLOEXEC) != 0 || !At(connect, fd, path)) return 1;
  Call call;
  cmsghdr* header = CMSG_FIRSTHDR(&call.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(kHanded * sizeof(int));
  const int handed[kHanded] = {0, 1, hold[1]};
  memcpy(CMSG_DATA(header), handed, sizeof handed);
  if (sendmsg(fd, &call.message, MSG_NOSIGNAL) < 0) return 1;
  // Ours are copies: the host is to see the end when the fuzzer closes its own.
  for (const int ours : {0, 1, hold[1], fd}) close(ours);
  while (true) {
    const ssize_t count = read(hold[0], &call.byte, 1);
    if (count == 0 || (count < 0 && errno != EINTR)) return 0;
  }
}

Status ShimListener::Open(const std::string& name) {
  folder_ = Place() + "/" + Prefix(getpid()) + "XXXXXX";
  const auto failed = [&](const char* what) {
    return Error{what, folder_ + ": " + strerror(errno), "TMPDIR names another place"};
  };
  if (mkdtemp(folder_.data()) == nullptr) {
    const Error error = failed("cannot make a folder for the plugin's stand-in");
    folder_.clear();
    return error;
  }
  name_ = name;
  char self[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof self);
  if (size <= 0 || size == sizeof self) return failed("cannot tell where midwire is");
  // A script, not a link: a link would hand on arguments that the command would read.
  const std::string script = "#!/bin/sh\n" + std::string(kShimVariable) + "=" +
                             Quoted(folder_ + kSocket) + "\nexport " + kShimVariable + "\nexec " +
                             Quoted({self, static_cast<size_t>(size)}) + "\n";
  const int fd = open(program().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  const bool written = fd >= 0 && write(fd, script.data(), script.size()) == ssize_t(script.size());
  const Error unwritten = failed("cannot write the plugin's stand-in");
  if (fd >= 0) close(fd);
  if (!written) return unwritten;
  if (access(program().c_str(), X_OK) != 0) {
    return failed("programs cannot be started here: the plugin's stand-in is one");
  }
  socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0 || !At(bind, socket_, folder_ + kSocket)) {
    return failed("cannot listen for the plugin's stand-in");
  }
  return Ok{};
}

Link ShimListener::Accept() {
  Link link;
  while (link.hold < 0) {
    Call call;
    const ssize_t got = recvmsg(socket_, &call.message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return link;
    // A stranger may hand over anything; what it handed over is ours to close.
    int handed[sizeof call.control / sizeof(int)];
    size_t count = 0;
    for (cmsghdr* header = CMSG_FIRSTHDR(&call.message); header != nullptr;
         header = CMSG_NXTHDR(&call.message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
      const size_t size = header->cmsg_len - CMSG_LEN(0);
      memcpy(handed + count, CMSG_DATA(header), size);
      count += size / sizeof(int);
    }
    if (count != kHanded || (call.message.msg_flags & MSG_CTRUNC) != 0) {
      for (size_t i = 0; i < count; ++i) close(handed[i]);
      continue;
    }
    link = {.from_host = handed[0], .to_host = handed[1], .hold = handed[2]};
  }
  for (const int fd : {link.from_host, link.to_host}) {
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  }
  return link;
}

ShimListener::~ShimListener() {
  CloseOne(&socket_);
  if (folder_.empty()) return;
  unlink((folder_ + kSocket).c_str());
  if (!name_.empty()) unlink(program().c_str());
  rmdir(folder_.c_str());
}

void ShimListener::RemoveLeft(pid_t process) {
  std::error_code error;
  std::filesystem::directory_iterator at(Place(), error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    if (!at->path().filename().string().starts_with(Prefix(process))) continue;
    // Another process may have that number, where several systems share a folder: it listens.
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool lives = fd >= 0 && At(connect, fd, at->path().string() + kSocket);
    const bool dead = fd >= 0 && !lives && errno == ECONNREFUSED;
    if (fd >= 0) close(fd);
    std::error_code kept;
    if (dead) std::filesystem::remove_all(at->path(), kept);
  }
}

}  // namespace midwire::fuzz
