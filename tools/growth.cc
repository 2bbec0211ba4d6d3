#include "tools/growth.h"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace midwire::tools {
namespace {

// Network file systems do not report other machines' writes; a person does not notice this delay.
constexpr int kPollMs = 200;

// A signal handler can only reach a global.
volatile std::sig_atomic_t interrupted = 0;

void CatchInterrupt() {
  struct sigaction now = {};
  if (sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) return;  // nohup, &
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &action, nullptr);  // no SA_RESTART: poll must return
}

}  // namespace

Growth::Growth(std::string path) : path_(std::move(path)) {
  CatchInterrupt();
  inotify_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (inotify_ >= 0 && inotify_add_watch(inotify_, path_.c_str(), IN_MODIFY | IN_CLOSE_WRITE) < 0) {
    close(inotify_);
    inotify_ = -1;
  }
}

Growth::~Growth() {
  if (inotify_ >= 0) close(inotify_);
}

void Growth::Wait() {
  pollfd changed = {inotify_, POLLIN, 0};
  poll(&changed, 1, kPollMs);
  char events[4096];
  while (inotify_ >= 0 && read(inotify_, events, sizeof events) > 0) {
  }
}

bool Growth::IsEmpty() const {
  struct stat file;
  return path_ != "-" && stat(path_.c_str(), &file) == 0 && S_ISREG(file.st_mode) &&
         file.st_size == 0;
}

bool Interrupted() { return interrupted != 0; }

}  // namespace midwire::tools
