// Whether a file is still written by a process. Called by `midwire view`, which shows sessions that
// are being recorded. Never changes the file.
#pragma once

#include <optional>

namespace midwire::io {

// `fd` is open for reading alone. nullopt: the file system or the file's owner does not allow to
// find out. The caller ignores SIGIO, which a process that opens the file at this moment raises.
std::optional<bool> HasWriter(int fd);

}  // namespace midwire::io
