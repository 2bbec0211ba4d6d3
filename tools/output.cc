#include "tools/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "io/files/write_file.h"
#include "io/process/launcher.h"
#include "io/process/pager.h"
#include "io/terminal.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"

namespace midwire::tools {

Output::Output(int descriptor) : descriptor_(descriptor) { buffer_.reserve(kFlushAt * 2); }

Output::~Output() = default;

void Output::Page(bool wanted) {
  const char* term = std::getenv("TERM");
  const bool moves = term != nullptr && *term != '\0' && std::strcmp(term, "dumb") != 0;
  const size_t rows = wanted && moves ? io::TerminalHeight(descriptor_) : 0;
  lines_ = rows > 1 ? rows - 1 : 0;  // the prompt of the shell needs one
}

// Longer output goes to the pager, as git does: colors pass through, and the terminal keeps what
// was on it.
void Output::StartPager() {
  lines_ = 0;
  const char* command = std::getenv("PAGER");
  if (command == nullptr) command = io::FindExecutable("less").empty() ? "" : "less";
  if (*command == '\0' || std::strcmp(command, "cat") == 0) return;
  setenv("LESS", "FRX", /*overwrite=*/0);
  pager_ = std::make_unique<io::Pager>();
  if (!pager_->Start(command)) pager_.reset();
}

bool Output::Passes(std::string_view bytes) {
  if (lines_ == 0) return true;
  held_ += bytes;
  if (static_cast<size_t>(std::count(held_.begin(), held_.end(), '\n')) <= lines_) return false;
  StartPager();
  const std::string held = std::move(held_);
  held_.clear();
  WriteAll(held);
  return false;
}

void Output::Write(std::string_view bytes) {
  if (bytes.size() >= kFlushAt) {
    Flush();
    WriteAll(bytes);
  } else {
    buffer_ += bytes;
    Settle();
  }
}

void Output::Flush() {
  wrote_ = wrote_ || !buffer_.empty();
  WriteAll(buffer_);
  buffer_.clear();
}

void Output::WriteAll(std::string_view bytes) {
  if (!Passes(bytes) || error_ != 0) return;
  error_ = io::WriteAll(pager_ ? pager_->fd() : descriptor_, bytes);
}

int Output::Finish() {
  Flush();
  lines_ = 0;
  if (!held_.empty()) WriteAll(std::exchange(held_, ""));
  if (pager_) pager_->Finish();
  if (error_ == 0 || error_ == EPIPE) return kFine;
  return Fail(
      {"cannot write to standard output", std::strerror(error_), "what was printed is incomplete"},
      kDataLost);
}

}  // namespace midwire::tools
