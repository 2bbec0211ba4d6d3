#include "fuzz/harness/memory.h"

#include <string>

#include "fuzz/harness/report.h"

extern "C" {
// sanitizer/allocator_interface.h; there only in programs with a sanitizer.
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*, size_t),
                                              void (*free_hook)(const volatile void*))
    __attribute__((weak));
size_t __sanitizer_get_allocated_size(const volatile void* p) __attribute__((weak));
}

namespace midwire::fuzz {
namespace {

// Of the thread that is watched.
thread_local bool watching = false;
std::ptrdiff_t taken = 0;
size_t most = 0;
std::string_view given;

void InstallHooks() {
  static const bool installed = [] {
    if (__sanitizer_install_malloc_and_free_hooks == nullptr ||
        __sanitizer_get_allocated_size == nullptr) {
      return false;
    }
    return __sanitizer_install_malloc_and_free_hooks(
               [](const volatile void*, size_t size) {
                 CountAllocated(static_cast<std::ptrdiff_t>(size));
               },
               [](const volatile void* p) {
                 if (!watching || p == nullptr) return;
                 CountAllocated(-static_cast<std::ptrdiff_t>(__sanitizer_get_allocated_size(p)));
               }) != 0;
  }();
  (void)installed;
}

}  // namespace

void CountAllocated(std::ptrdiff_t bytes) {
  if (!watching) return;
  taken += bytes;
  if (taken <= static_cast<std::ptrdiff_t>(most)) return;
  watching = false;
  if (!IsNewFault("memory")) return;
  ReportFailure({.rule = "memory",
                 .text = "it takes " + std::to_string(taken) + " bytes for an input of " +
                         std::to_string(given.size()) + "; the cap is " + std::to_string(most) +
                         " (memory_factor, memory_constant)",
                 .shown = {{"input", std::string(given)}},
                 .input = given});
}

MemoryWatch::MemoryWatch(std::string_view input, size_t cap) {
  InstallHooks();
  taken = 0;
  most = cap;
  given = input;
  watching = true;
}
MemoryWatch::~MemoryWatch() { watching = false; }

MemoryWatch::Pause::Pause() : before_(watching) { watching = false; }
MemoryWatch::Pause::~Pause() { watching = before_; }

}  // namespace midwire::fuzz
