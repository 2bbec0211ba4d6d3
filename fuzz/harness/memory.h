// Counts the allocations of a target, as a sanitizer's runtime reports them, or without a sanitizer
// the operator new of new.h. Used by TryDecoder. Counts one thread only: decoders have no others.
#pragma once

#include <cstddef>
#include <string_view>

namespace midwire::fuzz {

// Called by operator new and delete: bytes allocated, or freed (negative).
void CountAllocated(std::ptrdiff_t bytes);

// Counts all allocations from construction to destruction, except during a Pause. Above `cap` it
// reports and aborts inside the allocation, so that the stack shows the caller; if it goes on
// instead, it counts no more.
class MemoryWatch {
 public:
  // `input`: of the target, for the report.
  MemoryWatch(std::string_view input, size_t cap);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  class Pause {
   public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    bool before_;
  };
};

}  // namespace midwire::fuzz
