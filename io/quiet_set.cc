#include "io/quiet_set.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>

#include "io/pipe.h"

namespace midwire::io {

static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT);

QuietSet::~QuietSet() {
  CloseDescriptor(&fd_);
  CloseDescriptor(&timer_);
}

bool QuietSet::Watch(std::span<const PollSlot> slots) {
  const auto same = [](const PollSlot& a, const PollSlot& b) {
    return a.fd == b.fd && a.events == b.events;
  };
  if (std::equal(slots.begin(), slots.end(), slots_.begin(), slots_.end(), same)) return fd_ >= 0;
  // A new one: a descriptor that was closed stays registered in the old one as long as the host has
  // another one of the same file.
  CloseDescriptor(&fd_);
  slots_.assign(slots.begin(), slots.end());
  fd_ = epoll_create1(EPOLL_CLOEXEC);
  ++version_;
  if (fd_ >= 0 && !Register()) CloseDescriptor(&fd_);
  return fd_ >= 0;
}

bool QuietSet::Register() {
  if (timer_ < 0) timer_ = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  return timer_ >= 0 && Add(timer_, POLLIN) &&
         std::all_of(slots_.begin(), slots_.end(), [this](const PollSlot& slot) {
           return slot.fd < 0 || Add(slot.fd, slot.events);
         });
}

bool QuietSet::Add(int fd, short events) {
  epoll_event event = {};
  event.events = static_cast<uint32_t>(events);
  if (epoll_ctl(fd_, EPOLL_CTL_ADD, fd, &event) == 0) return true;
  return errno == EPERM && events == 0;  // a file, which never hangs up
}

void QuietSet::WakeBy(int64_t time_ns) {
  if (time_ns >= wakes_at_) return;
  wakes_at_ = time_ns;
  const int64_t time = std::max<int64_t>(time_ns, 1);  // 0 would disarm it
  itimerspec at = {};
  at.it_value = {time / 1'000'000'000, time % 1'000'000'000};
  timerfd_settime(timer_, TFD_TIMER_ABSTIME, &at, nullptr);
}

void QuietSet::ForgetTime() {
  uint64_t times = 0;
  if (wakes_at_ != kNever && read(timer_, &times, sizeof times) > 0) wakes_at_ = kNever;
}

}  // namespace midwire::io
