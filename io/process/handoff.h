// Hands descriptors to another process over a socket in a folder (SCM_RIGHTS, unix(7)). A call is
// one datagram, so that a caller cannot connect and then keep the listener waiting. Called by the
// stand-in that a fuzzed host starts as its plugin (fuzz/live/shim.h); the fuzzer listens. Never
// reads or writes the descriptors.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace midwire::io {

// How many descriptors a call hands over.
inline constexpr size_t kHanded = 3;
using Handed = std::array<int, kHanded>;

// False: no process listens there, or the call failed.
bool HandOver(const std::string& path, const Handed& descriptors);

class HandoffListener {
 public:
  HandoffListener() = default;
  ~HandoffListener();
  HandoffListener(const HandoffListener&) = delete;
  HandoffListener& operator=(const HandoffListener&) = delete;

  // Makes the socket; its owner removes the file. False: errno says why.
  bool Open(const std::string& path);
  int descriptor() const { return socket_; }  // to be polled; readable: there is a call
  // The next call; the caller closes its descriptors. nullopt: no call is waiting.
  // Calls that hand over anything else are dropped.
  std::optional<Handed> Accept();

 private:
  int socket_ = -1;
};

// Whether a socket file is left over from a process that is gone: it is there, and no process
// listens.
bool IsAbandoned(const std::string& path);

}  // namespace midwire::io
