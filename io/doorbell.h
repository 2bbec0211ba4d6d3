// Lets one thread wait in read(2) of a pipe although other descriptors matter too: a second thread
// waits for those, and then makes the read return. Waiting in read(2) costs a third of a poll(2)
// and a read(2); what the second thread waits for is rare. Used by the driver.
//
// The second thread sets O_NONBLOCK on the pipe's end, and then sends a signal. A read that has not
// begun finds the flag; one that waits is interrupted, restarted, and finds it. So no moment is
// too early or too late for it.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>

namespace midwire::io {

class Doorbell {
 public:
  Doorbell() = default;
  ~Doorbell();  // the pipe's end is non-blocking again
  Doorbell(const Doorbell&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;

  // Before each read: true if a read of `pipe` may wait. It then returns when there are bytes, at
  // the end of the pipe, or with EAGAIN when `quiet` can be read. False: `quiet` is ready, or this
  // cannot be used: poll both. `pipe`: an end whose flags no other process shares, always the same
  // one. `version`: another one if `quiet` is another file than in the last call.
  bool Arm(int pipe, int quiet, uint32_t version);

 private:
  bool Start(int pipe);
  bool Watch(int quiet, uint32_t version);
  void Run(pthread_t waiting);

  int pipe_ = -1;
  int set_ = -1;   // epoll(7): what rings
  int stop_ = -1;  // eventfd(2)
  std::optional<uint32_t> version_;
  bool failed_ = false, reported_ = false;
  std::atomic<bool> rung_ = false;  // the pipe's end is non-blocking
  std::optional<std::thread> thread_;
  struct sigaction before_;
  sigset_t mask_;
};

}  // namespace midwire::io
