#include "io/files/removed_on_signal.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <iterator>

namespace midwire::io {
namespace {

// A signal handler can only reach globals. A command has a folder, and perhaps a report in it one.
struct Slot {
  char path[PATH_MAX];
  volatile sig_atomic_t used;
};
Slot slots[4];

// As getdents64(2) writes it.
struct Entry {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  unsigned char type;
  char name[1];
};

// Only with calls that a handler may make: opendir(3) takes memory.
void RemoveFolder(const char* path) {
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(Entry) char entries[4096];
  for (;;) {
    const long size = syscall(SYS_getdents64, folder, entries, sizeof entries);
    if (size <= 0) break;
    for (long at = 0; at < size;) {
      const Entry* entry = reinterpret_cast<const Entry*>(entries + at);
      unlinkat(folder, entry->name, 0);
      at += entry->size;
    }
  }
  close(folder);
  rmdir(path);
}

void OnSignal(int number) {
  for (const Slot& slot : slots) {
    if (slot.used != 0) RemoveFolder(slot.path);
  }
  signal(number, SIG_DFL);
  raise(number);
}

// Unless the command or its parent has decided otherwise.
void CatchDefault(int number) {
  struct sigaction before, action = {};
  if (sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  action.sa_handler = OnSignal;
  sigaction(number, &action, nullptr);
}

}  // namespace

RemovedOnSignal::RemovedOnSignal(const std::string& folder) {
  if (folder.empty() || folder.size() >= sizeof slots[0].path) return;
  for (size_t i = 0; i < std::size(slots) && slot_ < 0; ++i) {
    if (slots[i].used == 0) slot_ = static_cast<int>(i);
  }
  if (slot_ < 0) return;
  std::memcpy(slots[slot_].path, folder.c_str(), folder.size() + 1);
  slots[slot_].used = 1;
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) CatchDefault(number);
}

RemovedOnSignal::~RemovedOnSignal() {
  if (slot_ >= 0) slots[slot_].used = 0;
}

}  // namespace midwire::io
