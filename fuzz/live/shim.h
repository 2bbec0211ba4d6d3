// A plugin that is none: what a fuzzed host starts. It hands its stdin and stdout to the fuzzer
// over a socket, and stays until the fuzzer lets it go, so that the host sees a process that lives.
// The fuzzer's end listens in a folder of its own, and never waits for who calls.
#pragma once

#include <sys/types.h>

#include <string>

#include "wire/outcome/result.h"

namespace midwire::fuzz {

// The plugin's end: returns its exit status. Called by the midwire command when it is started under
// the name that ShimListener has made.
int RunShim(const std::string& socket);
// The variable that names the socket to a process that is to be such a plugin.
inline constexpr char kShimVariable[] = "MIDWIRE_SHIM_SOCKET";

// What the host writes to its plugin, and what it reads: descriptors of ours.
struct Link {
  int from_host = -1, to_host = -1;
  int hold = -1;  // while it is open the shim lives; POLLERR: the shim is gone
  void Close();
};

class ShimListener {
 public:
  ShimListener() = default;
  ~ShimListener();
  ShimListener(const ShimListener&) = delete;
  ShimListener& operator=(const ShimListener&) = delete;

  // Makes a folder (0700, in TMPDIR) with a program that is such a plugin, under `name`.
  Status Open(const std::string& name);
  const std::string& folder() const { return folder_; }
  std::string program() const { return folder_ + "/" + name_; }
  int descriptor() const { return socket_; }  // to be polled; readable: somebody calls
  // The one who calls; nobody does: hold is -1. Its descriptors do not block.
  Link Accept();

  // Takes away what the listeners of a process have left that was killed.
  static void RemoveLeft(pid_t process);

 private:
  std::string folder_, name_;
  int socket_ = -1;
};

}  // namespace midwire::fuzz
