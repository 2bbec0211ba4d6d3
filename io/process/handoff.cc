#include "io/process/handoff.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>

#include "io/pipe.h"

namespace midwire::io {
namespace {

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

int DatagramSocket(int flags = 0) { return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | flags, 0); }

// A path that is too long for an address is reached through a descriptor of its folder, which the
// caller closes.
bool Address(const std::string& path, sockaddr_un* address, int* folder) {
  *folder = -1;
  std::string name = path;
  if (name.size() >= sizeof address->sun_path) {
    const size_t slash = path.rfind('/');
    *folder = open(path.substr(0, slash).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0) return false;
    name = "/proc/self/fd/" + std::to_string(*folder) + path.substr(slash);
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
  CloseDescriptor(&folder);
  errno = error;
  return met;
}

}  // namespace

bool HandOver(const std::string& path, const Handed& descriptors) {
  int fd = DatagramSocket();
  if (fd < 0) return false;
  Call call;
  cmsghdr* header = CMSG_FIRSTHDR(&call.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(kHanded * sizeof(int));
  memcpy(CMSG_DATA(header), descriptors.data(), kHanded * sizeof(int));
  const bool handed = At(connect, fd, path) && sendmsg(fd, &call.message, MSG_NOSIGNAL) >= 0;
  CloseDescriptor(&fd);
  return handed;
}

HandoffListener::~HandoffListener() { CloseDescriptor(&socket_); }

bool HandoffListener::Open(const std::string& path) {
  socket_ = DatagramSocket(SOCK_NONBLOCK);
  return socket_ >= 0 && At(bind, socket_, path);
}

std::optional<Handed> HandoffListener::Accept() {
  while (true) {
    Call call;
    const ssize_t got = recvmsg(socket_, &call.message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    // Any process may hand over anything; close what it handed over.
    int handed[sizeof call.control / sizeof(int)];
    size_t count = 0;
    for (cmsghdr* header = CMSG_FIRSTHDR(&call.message); header != nullptr;
         header = CMSG_NXTHDR(&call.message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
      const size_t size = header->cmsg_len - CMSG_LEN(0);
      memcpy(handed + count, CMSG_DATA(header), size);
      count += size / sizeof(int);
    }
    if (count == kHanded && (call.message.msg_flags & MSG_CTRUNC) == 0) {
      Handed accepted;
      std::copy_n(handed, kHanded, accepted.begin());
      return accepted;
    }
    for (size_t i = 0; i < count; ++i) close(handed[i]);
  }
}

bool IsAbandoned(const std::string& path) {
  int fd = DatagramSocket();
  const bool abandoned = fd >= 0 && !At(connect, fd, path) && errno == ECONNREFUSED;
  CloseDescriptor(&fd);
  return abandoned;
}

}  // namespace midwire::io
