// The times of a file as stat(2) gives them, as one number. Called by edited_file and stored_files.
#pragma once

#include <time.h>

#include <cstdint>

namespace midwire::io {

inline int64_t Nanoseconds(const timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace midwire::io
