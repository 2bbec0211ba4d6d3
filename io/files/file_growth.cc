#include "io/files/file_growth.h"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "io/pipe.h"
#include "io/poll.h"

namespace midwire::io {
namespace {

// Network file systems do not report other machines' writes; a person does not notice this delay.
constexpr int64_t kLookNs = 200'000'000;

}  // namespace

FileGrowth::FileGrowth(std::string path) : path_(std::move(path)) {
  inotify_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (inotify_ >= 0 && inotify_add_watch(inotify_, path_.c_str(), IN_MODIFY | IN_CLOSE_WRITE) < 0) {
    CloseDescriptor(&inotify_);
  }
}

FileGrowth::~FileGrowth() { CloseDescriptor(&inotify_); }

void FileGrowth::Wait() {
  PollSlot changed[] = {ForRead(inotify_)};
  Poll(changed, kLookNs);
  char events[4096];
  while (inotify_ >= 0 && read(inotify_, events, sizeof events) > 0) {
  }
}

bool FileGrowth::IsEmpty() const {
  struct stat file;
  return path_ != "-" && stat(path_.c_str(), &file) == 0 && S_ISREG(file.st_mode) &&
         file.st_size == 0;
}

}  // namespace midwire::io
