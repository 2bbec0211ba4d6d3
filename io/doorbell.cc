#include "io/doorbell.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include "io/pipe.h"

namespace midwire::io {
namespace {

// Ignored by programs that do not use out-of-band data, so it is not sent for another reason.
constexpr int kSignal = SIGURG;

}  // namespace

Doorbell::~Doorbell() {
  if (thread_) {
    eventfd_write(stop_, 1);
    thread_->join();
    SetNonBlocking(pipe_, true);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    sigaction(kSignal, &before_, nullptr);
  }
  CloseDescriptor(&set_);
  CloseDescriptor(&stop_);
}

bool Doorbell::Arm(int pipe, int quiet, uint32_t version) {
  if (failed_) return false;
  if (!thread_) {
    failed_ = !Start(pipe);
  } else if (rung_.load(std::memory_order_acquire)) {
    if (!std::exchange(reported_, true)) return false;
    version_.reset();  // it is watched for one event at a time
    rung_ = reported_ = false;
    SetNonBlocking(pipe_, false);
  }
  if (!failed_ && version_ != version) failed_ = !Watch(quiet, version);
  return !failed_;
}

bool Doorbell::Start(int pipe) {
  set_ = epoll_create1(EPOLL_CLOEXEC);
  stop_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.fd = stop_;
  if (set_ < 0 || stop_ < 0 || epoll_ctl(set_, EPOLL_CTL_ADD, stop_, &event) != 0) return false;
  pipe_ = pipe;
  try {
    thread_.emplace(&Doorbell::Run, this, pthread_self());  // all signals are blocked there too
  } catch (const std::system_error&) {
    return false;  // too many threads
  }
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(kSignal, &action, &before_);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, kSignal);
  pthread_sigmask(SIG_UNBLOCK, &one, &mask_);
  SetNonBlocking(pipe_, false);
  return true;
}

// A file that was closed has left the set by itself.
bool Doorbell::Watch(int quiet, uint32_t version) {
  epoll_event event = {};
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.fd = quiet;
  if (epoll_ctl(set_, EPOLL_CTL_MOD, quiet, &event) != 0 &&
      (errno != ENOENT || epoll_ctl(set_, EPOLL_CTL_ADD, quiet, &event) != 0)) {
    return false;
  }
  version_ = version;
  return true;
}

void Doorbell::Run(pthread_t waiting) {
  epoll_event event;
  for (;;) {
    if (epoll_wait(set_, &event, 1, -1) <= 0) continue;
    if (event.data.fd == stop_) return;
    SetNonBlocking(pipe_, true);
    rung_.store(true, std::memory_order_release);
    pthread_kill(waiting, kSignal);
  }
}

}  // namespace midwire::io
