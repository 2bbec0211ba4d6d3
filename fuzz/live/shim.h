// The stand-in for a plugin that a fuzzed host starts. It passes its stdin and stdout to the fuzzer
// over a socket and waits until the fuzzer releases it, so that the plugin's process keeps running
// for the host. RunShim is called by main, ShimListener by HostRunner and Campaign. The listener
// has a folder of its own and never blocks on a stand-in.
#pragma once

#include <sys/types.h>

#include <string>

#include "io/process/handoff.h"
#include "wire/outcome/result.h"

namespace midwire::fuzz {

// Runs the stand-in and returns its exit status. Called by main if kShimVariable is set.
int RunShim(const std::string& socket);
// The environment variable that names the socket.
inline constexpr char kShimVariable[] = "MIDWIRE_SHIM_SOCKET";

// Our ends of the host's pipes.
struct Link {
  int from_host = -1, to_host = -1;
  int hold = -1;  // while it is open the stand-in runs; POLLERR: the stand-in has ended
  void Close();
};

class ShimListener {
 public:
  ShimListener() = default;
  ~ShimListener();
  ShimListener(const ShimListener&) = delete;
  ShimListener& operator=(const ShimListener&) = delete;

  // Creates a folder (0700, in TMPDIR) with the stand-in as a program called `name`.
  Status Open(const std::string& name);
  const std::string& folder() const { return folder_; }
  std::string program() const { return folder_ + "/" + name_; }
  // To be polled; readable: a stand-in is waiting.
  int descriptor() const { return calls_.descriptor(); }
  // Accepts a stand-in; hold is -1 if none is waiting. Its descriptors are non-blocking.
  Link Accept();

  // Removes folders that listeners of a killed process have left; 0: of any process of this user.
  static void RemoveLeft(pid_t process);

 private:
  std::string folder_, name_;
  io::HandoffListener calls_;
};

}  // namespace midwire::fuzz
