// Counts what a target allocates while it is watched. A sanitizer's runtime tells of every malloc;
// without one the replaced operator new of harness_new.h does. Used by TryDecoder; single-threaded,
// as decoders are.
#pragma once

#include <cstddef>

namespace midwire::fuzz {

// By operator new and delete: bytes taken, or given back (negative).
void CountAllocated(std::ptrdiff_t bytes);

// From construction to destruction all allocations count, except during a Pause. Who takes more
// than `cap` is told, and aborts in the allocation itself, so that the stack shows whose it was.
class MemoryWatch {
 public:
  MemoryWatch(size_t input, size_t cap);
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
