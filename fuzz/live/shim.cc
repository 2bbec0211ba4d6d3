#include "fuzz/live/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>

namespace midwire::fuzz {
namespace {

bool Address(const std::string& path, sockaddr_un* address) {
  *address = {};
  address->sun_family = AF_UNIX;
  if (path.size() >= sizeof address->sun_path) return false;
  std::copy(path.begin(), path.end(), address->sun_path);
  return true;
}

// A control message with room for two descriptors.
union Control {
  cmsghdr header;
  char bytes[CMSG_SPACE(2 * sizeof(int))];
};

void CloseOne(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

}  // namespace

void Link::Close() {
  for (int* fd : {&from_host, &to_host, &hold}) CloseOne(fd);
}

int RunShim(const std::string& path) {
  sockaddr_un address;
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || !Address(path, &address) ||
      connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    return 1;
  }
  char byte = 0;
  iovec data = {&byte, 1};
  Control control = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control.bytes;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(2 * sizeof(int));
  const int ends[2] = {0, 1};
  memcpy(CMSG_DATA(header), ends, sizeof ends);
  if (sendmsg(fd, &message, MSG_NOSIGNAL) < 0) return 1;
  // Ours are copies: the host is to see the end when the fuzzer closes its own.
  close(0);
  close(1);
  while (true) {
    const ssize_t count = read(fd, &byte, 1);
    if (count == 0 || (count < 0 && errno != EINTR)) return 0;
  }
}

Status ShimListener::Open(const std::string& name) {
  const char* place = getenv("TMPDIR");
  folder_ = std::string(place != nullptr && *place != '\0' ? place : "/tmp") + "/midwire-XXXXXX";
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
  const auto quoted = [](std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
  };
  const std::string script = "#!/bin/sh\n" + std::string(kShimVariable) + "=" +
                             quoted(folder_ + "/socket") + " exec " +
                             quoted({self, static_cast<size_t>(size)}) + "\n";
  const int fd = open(program().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  const bool written = fd >= 0 && write(fd, script.data(), script.size()) == ssize_t(script.size());
  if (fd >= 0) close(fd);
  if (!written) return failed("cannot write the plugin's stand-in");
  sockaddr_un address;
  socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0 || !Address(folder_ + "/socket", &address) ||
      bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket_, 16) != 0) {
    return failed("cannot listen for the plugin's stand-in");
  }
  return Ok{};
}

Link ShimListener::Accept() {
  Link link;
  link.hold = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (link.hold < 0) return link;
  // Who connects sends at once; who does not, a stranger, is not waited for long.
  const timeval patience = {1, 0};
  setsockopt(link.hold, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  char byte;
  iovec data = {&byte, 1};
  Control control = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control.bytes;
  const bool got = recvmsg(link.hold, &message, MSG_CMSG_CLOEXEC) == 1;
  const cmsghdr* header = got ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(2 * sizeof(int))) {
    link.Close();
    return link;
  }
  int ends[2];
  memcpy(ends, CMSG_DATA(header), sizeof ends);
  link.from_host = ends[0];
  link.to_host = ends[1];
  for (const int fd : ends) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  return link;
}

ShimListener::~ShimListener() {
  CloseOne(&socket_);
  if (folder_.empty()) return;
  unlink((folder_ + "/socket").c_str());
  if (!name_.empty()) unlink(program().c_str());
  rmdir(folder_.c_str());
}

}  // namespace midwire::fuzz
