// Makes folders, and writes whole files, one call per file. Longer outputs go through a FileSink,
// tapes through an AppendFile.
#pragma once

#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::io {

// Creates a folder (mode 0700) and its parents where they are missing. Returns errno of the first
// that could not be created; 0: the folder exists.
int MakeFolders(const std::string& path);

// Writes all bytes to a descriptor; waits where another process has made a shared terminal or pipe
// non-blocking. Returns errno; 0: all is written.
int WriteAll(int fd, std::string_view bytes);

// Overwrites an existing file: for reports written in addition to the output. The file is complete
// or as before, except where it can only be written in place. This holds for a device, a pipe, what
// a path in /proc leads to (/dev/stdout), and a file in a folder without write permission. A file
// that was there keeps its mode; `mode`, less the umask, is that of a new one: 0600 where it holds
// a session. False: errno has the cause.
bool WriteFile(const std::string& path, std::string_view text, unsigned mode = 0666);

// Creates a file, complete or not at all (file_sink.h). An existing file is an error.
Status WriteNewFile(const std::string& path, std::string_view bytes, unsigned mode = 0600);

// The same for several processes that may write the same file at once: an existing file is kept,
// which is no error. False: there was one. An error: it cannot be written, or what exists is not a
// regular file.
Result<bool> KeepFile(const std::string& path, std::string_view bytes);

}  // namespace midwire::io
