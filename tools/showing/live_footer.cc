#include "tools/showing/live_footer.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "io/clock.h"
#include "io/files/write_file.h"
#include "io/terminal.h"

namespace midwire::tools {
namespace {

constexpr int kStdout = 1;

// From the cursor to the end of the screen (ECMA-48). The cursor waits at the start of the blank
// line above the footer. So a footer that a new width has wrapped goes as a whole. ^C and what is
// typed are not in it, and Enter leaves an empty line, as it does without a footer.
constexpr std::string_view kEraseBelow = "\r\x1b[J";

std::string DrawnBelow(const std::vector<std::string>& lines) {
  std::string drawn;
  for (const std::string& line : lines) drawn += "\n" + line;
  return drawn + "\r\x1b[" + std::to_string(lines.size()) + "A";
}

}  // namespace

bool LiveFooter::CanDraw() {
  const char* term = std::getenv("TERM");
  const bool moves = term != nullptr && *term != '\0' && std::strcmp(term, "dumb") != 0;
  return moves && io::TerminalHeight(kStdout) != 0;
}

void LiveFooter::OnMessage(const trace::RecordedMessage& recorded, const Facts& facts,
                           uint64_t cancelled, bool element) {
  if (!element) {
    meters_[static_cast<size_t>(recorded.direction)].Add(recorded.time_ns, recorded.frame->size);
  }
  if (cancelled != 0) calls_.Close(cancelled, facts.cancels);
  if (recorded.message->kind == wire::Kind::kRequest) calls_.Open(recorded, facts.label);
  if (recorded.message->IsAnswer() && recorded.request) {
    calls_.Close(recorded.request->number, recorded.request->id);
  }
}

void LiveFooter::Erase() {
  // If it cannot be written, the rows cannot either, and that is reported.
  if (drawn_) (void)io::WriteAll(kStdout, kEraseBelow);
  drawn_ = false;
}

void LiveFooter::OnPause() {
  const int64_t now = io::MonotonicNow();
  const Size size = {io::TerminalWidth(kStdout), io::TerminalHeight(kStdout)};
  if (drawn_ && now - drawn_ns_ < io::kSecond && size == size_) return;
  drawn_ns_ = now;
  size_ = size;
  style_.width = size.width;
  // Read each time: the monotonic clock does not count the time of a suspended machine.
  const int64_t unix_ns = io::SystemClock().UnixNs();
  view::FooterFacts facts;
  facts.calls = calls_.Oldest(view::kMaxFooterCalls);
  facts.open = calls_.count();
  for (size_t i = 0; i < meters_.size(); ++i) facts.rates[i] = meters_[i].At(unix_ns);
  const std::vector<std::string> lines = view::FooterLines(facts, unix_ns, size.rows, style_);
  std::string text(drawn_ ? kEraseBelow : "");
  if (!lines.empty()) text += DrawnBelow(lines);
  drawn_ = true;
  (void)io::WriteAll(kStdout, text);
}

}  // namespace midwire::tools
