// Writes whole files, one call each. Longer outputs go through a FileSink, tapes through an
// AppendFile.
#pragma once

#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::io {

// All of it to a descriptor; waits where a shared terminal or pipe does not block. Returns errno;
// 0: it is written.
int WriteAll(int fd, std::string_view bytes);

// A report beside the output: an existing file is written over. False: errno says why.
bool WriteFile(const std::string& path, std::string_view text);

// A file that is not there yet, whole or not at all (file_sink.h).
Status WriteNewFile(const std::string& path, std::string_view bytes, unsigned mode = 0600);

// The same, where several processes may write the same file at once, with the same bytes: a file
// that is there already stays, and is fine. An error: it cannot be written, or what is there is no
// file.
Status KeepFile(const std::string& path, std::string_view bytes);

}  // namespace midwire::io
