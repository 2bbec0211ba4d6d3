// operator new and delete that count allocations, for a target without a sanitizer. Expanded by
// MIDWIRE_FUZZ_DECODER in one file of a target. Never replaces operators that the target defines.
#pragma once

#include "fuzz/harness/memory.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define MIDWIRE_FUZZ_SANITIZED_ 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    defined(MIDWIRE_FUZZ_SANITIZED_)
// A sanitizer has replaced them and detects more.
#define MIDWIRE_FUZZ_COUNT_NEW_
#else
#include <malloc.h>

#include <cstdlib>
#include <new>

// The aligned forms are rare and not counted.
#define MIDWIRE_FUZZ_COUNT_NEW_                                                               \
  __attribute__((weak)) void* operator new(std::size_t size) {                                \
    void* const p = std::malloc(size == 0 ? 1 : size);                                        \
    if (p == nullptr) throw std::bad_alloc();                                                 \
    midwire::fuzz::CountAllocated(static_cast<std::ptrdiff_t>(malloc_usable_size(p)));        \
    return p;                                                                                 \
  }                                                                                           \
  __attribute__((weak)) void* operator new[](std::size_t size) { return operator new(size); } \
  __attribute__((weak)) void operator delete(void* p) noexcept {                              \
    midwire::fuzz::CountAllocated(-static_cast<std::ptrdiff_t>(malloc_usable_size(p)));       \
    std::free(p);                                                                             \
  }                                                                                           \
  __attribute__((weak)) void operator delete[](void* p) noexcept { operator delete(p); }      \
  __attribute__((weak)) void operator delete(void* p, std::size_t) noexcept {                 \
    operator delete(p);                                                                       \
  }                                                                                           \
  __attribute__((weak)) void operator delete[](void* p, std::size_t) noexcept {               \
    operator delete(p);                                                                       \
  }
#endif
