#include "tools/viewing/trace_feed.h"

#include <sys/stat.h>

#include "io/clock.h"
#include "io/files/has_writer.h"
#include "trace/event.h"

namespace midwire::tools {
namespace {

using trace::Step;

// Records between two looks at the clock.
constexpr int kRecords = 256;
// Where it cannot be found out: for so long after its last byte a trace is taken to be live.
constexpr int64_t kQuietNs = 600'000'000'000;

}  // namespace

bool TraceFeed::live() const {
  if (ended_ || !failure_.empty()) return false;
  return io::HasWriter(file_.fd()).value_or(io::SystemClock().UnixNs() - modified_ns_ < kQuietNs);
}

// False: it has no bytes yet, or cannot be read.
bool TraceFeed::Open() {
  if (size_ == 0) return false;
  auto reader = trace::OpenTrace(file_.path());
  if (!reader) {
    // A tape that has just begun may have less than its format's mark.
    if (live()) return false;
    failure_ = reader.error().what;
    return false;
  }
  reader_ = std::move(*reader);
  return true;
}

bool TraceFeed::Read(int64_t deadline_ns, TraceListener* listener) {
  struct stat now;
  grown_ = false;
  if (!failure_.empty() || fstat(file_.fd(), &now) != 0) return true;
  const auto size = static_cast<uint64_t>(now.st_size);
  truncated_ = truncated_ || size < size_;
  size_ = size;
  modified_ns_ = now.st_mtim.tv_sec * 1'000'000'000 + now.st_mtim.tv_nsec;
  if (truncated_ || (reader_ == nullptr && !Open())) return true;
  trace::Record record;
  for (int read = 0;; ++read) {
    if (read % kRecords == kRecords - 1 && io::MonotonicNow() >= deadline_ns) return false;
    const Result<Step> step = reader_->Next(&record);
    if (!step) {
      failure_ = step.error().what;
      return true;
    }
    if (*step == Step::kWait) return true;
    grown_ = true;
    if (*step == Step::kSection) {
      ended_ = false;
      listener->OnSection();
    } else if (*step == Step::kDamage) {
      listener->OnDamage(reader_->damage());
    } else {
      listener->OnRecord(record);
      if (record.stream != trace::Stream::kEvents) continue;
      if (record.body.find("\"end\"") == record.body.npos) continue;
      const Result<trace::Event> event = trace::ParseEvent(record.body);
      const auto* const end = event ? std::get_if<trace::EndEvent>(&*event) : nullptr;
      if (end == nullptr) continue;
      ended_ = true;
      next_ = end->next;
    }
    if (listener->stop()) return true;
  }
}

}  // namespace midwire::tools
