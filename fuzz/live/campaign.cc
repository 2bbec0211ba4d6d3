#include "fuzz/live/campaign.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <set>
#include <utility>

#include "fuzz/hash.h"
#include "fuzz/live/shim.h"
#include "fuzz/oracle/ending.h"
#include "io/clock.h"
#include "io/files/part_file.h"
#include "io/files/write_file.h"
#include "io/poll.h"
#include "io/process/scheduling.h"
#include "io/signals.h"
#include "wire/counted.h"
#include "wire/json/writer.h"

namespace midwire::fuzz {
namespace {

// A signal may go to the whole group, the watcher included, or to one job, for example from a peer.
// The watcher knows whether it got one itself.
void OnTerm(bool from_watcher) { StopEngine(from_watcher ? 0 : kEndedByOther); }

// Unread lines of a job beyond this are dropped: a job must not wait for its watcher.
constexpr size_t kMaxLine = 64 * 1024;
// A job that still runs this long after the signal to end is killed. Most end within a tenth of a
// second; a job may need longer to write a finding if its peer sends much and the machine is busy.
constexpr int64_t kEndTime = 10'000'000'000;

// libFuzzer follows links, and would block forever on a pipe or a device.
Status OnlyFiles(const std::string& folder) {
  using Type = std::filesystem::file_type;
  constexpr Type kHold[] = {Type::fifo, Type::character, Type::block, Type::socket};
  std::error_code error, nothing;
  std::filesystem::recursive_directory_iterator at(folder, error);
  for (; !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
    if (!at->is_symlink(nothing)) continue;
    if (std::find(std::begin(kHold), std::end(kHold), at->status(nothing).type()) !=
        std::end(kHold)) {
      return Error{"an input must be a file", at->path().string(),
                   "it is a link to something else: remove it"};
    }
  }
  return Ok{};
}

// libFuzzer writes inputs without a look at errors: a full disk leaves empty files. Its own empty
// input has this name (SHA-1 of nothing). Returns how many there were.
size_t RemoveEmptyInputs(const std::string& folder) {
  constexpr std::string_view kNoBytes = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
  size_t count = 0;
  std::error_code error;
  std::filesystem::directory_iterator at(folder, error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    std::error_code none;
    if (at->symlink_status(none).type() != std::filesystem::file_type::regular) continue;
    if (at->file_size(none) != 0 || none || at->path().filename() == kNoBytes) continue;
    count += std::filesystem::remove(at->path(), none);
  }
  return count;
}

// *in_the_way: on an error, whether something has its name.
Status WriteSeed(const std::string& folder, const Input& input, bool* in_the_way) {
  const std::string bytes = input.Bytes();
  const uint64_t hash = Hash(bytes);
  char name[32];
  snprintf(name, sizeof name, "/seed-%016llx", static_cast<unsigned long long>(hash));
  const auto kept = io::KeepFile(folder + name, bytes);
  if (kept) return Ok{};
  std::error_code none;
  *in_the_way = std::filesystem::exists(std::filesystem::symlink_status(folder + name, none));
  return Error{"cannot write a seed", kept.error().Text(), ""};
}

}  // namespace

Status Campaign::Start(const EngineOptions& options, int jobs, Seeds* seeds) {
  for (const std::string& folder : {options.corpus, options.findings}) {
    const int error = io::MakeFolders(folder);
    if (error == 0) continue;
    output_failed_ = error == ENOSPC || error == EDQUOT;
    return Error{"cannot make the folder", folder + ": " + strerror(error), "name another with -o"};
  }
  // Otherwise the first finding of a long run would be lost.
  for (const std::string& folder : {options.corpus, options.findings}) {
    if (access(folder.c_str(), R_OK | W_OK | X_OK) == 0) continue;
    output_failed_ = true;
    return Error{"cannot write to the folder", folder + ": " + strerror(errno),
                 "name another with -o"};
  }
  const Status files = OnlyFiles(options.corpus);
  if (!files) return files;
  corpus_ = options.corpus;
  RemoveEmptyInputs(corpus_);
  for (const std::string& folder : {options.corpus, options.findings})
    io::RemoveAbandonedParts(folder);
  orphans_.Watch();
  std::set<std::string> kept;
  std::error_code unreadable;  // an unreadable folder is reported when it is written to
  for (const auto& file : std::filesystem::directory_iterator(options.findings, unreadable)) {
    kept.insert(file.path().stem());
  }
  std::vector<const Input*> inputs;
  for (const Input& input : seeds->inputs) inputs.push_back(&input);
  for (const auto& [method, input] : seeds->singles) inputs.push_back(&input);
  for (const Input* input : inputs) {
    bool in_the_way = false;
    const Status written = WriteSeed(options.corpus, *input, &in_the_way);
    output_failed_ = !written && !in_the_way;
    if (!written) return written;
  }
  counted_ = static_cast<size_t>(jobs);
  void* memory = mmap(nullptr, sizeof(Counters) * counted_, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Error{"no memory for counters", strerror(errno), "free memory"};
  counters_ = static_cast<Counters*>(memory);
  for (size_t i = 0; i < counted_; ++i) new (counters_ + i) Counters;

  const std::vector<int> processors = io::UsableProcessors();
  for (int i = 0; i < jobs; ++i) {
    EngineOptions own = options;
    own.kept = kept;
    own.job = static_cast<size_t>(i), own.jobs = counted_;
    own.seed = options.seed + static_cast<uint64_t>(i) * 1'000'003;
    if (options.max_runs != 0) {
      const auto n = static_cast<uint64_t>(jobs), k = static_cast<uint64_t>(i);
      own.max_runs = options.max_runs / n + (k < options.max_runs % n ? 1 : 0);
    }
    const bool idle = options.max_runs != 0 && own.max_runs == 0;
    if (!processors.empty()) {
      own.processor = processors[static_cast<size_t>(i) % processors.size()];
    }
    auto worker = io::Worker::Start(
        [&](int lines) {
          if (idle) return;
          RunEngine(own, seeds, counters_ + i, [lines](const std::string& line) {
            (void)io::WriteAll(lines, line.substr(0, kMaxLine) + "\n");
          });
        },
        OnTerm);
    if (!worker) return worker.error();
    jobs_.push_back({.worker = std::move(*worker)});
  }
  return Ok{};
}

// "#123 NEW cov: 0 ft: 45 corp: 6/789b ...": features found and inputs kept.
void Campaign::ReadLog(Job* job) {
  char buffer[16 * 1024];
  ssize_t count;
  while (job->worker.log() >= 0 && (count = read(job->worker.log(), buffer, sizeof buffer)) > 0) {
    job->log_line.append(buffer, static_cast<size_t>(count));
    for (size_t end; (end = job->log_line.find('\n')) != std::string::npos;) {
      const auto number = [&](const char* name) -> uint64_t {
        const size_t at = job->log_line.find(name);
        return at < end ? strtoull(job->log_line.c_str() + at + strlen(name), nullptr, 10) : 0;
      };
      const uint64_t features = number(" ft: ");
      if (features > job->features) job->new_ns = io::MonotonicNow();
      job->features = std::max(job->features, features);
      job->inputs = std::max(job->inputs, number(" corp: "));
      const bool usual = job->log_line[0] == '#' || job->log_line.starts_with("INFO:") ||
                         job->log_line.starts_with("WARNING: Failed to find function");
      if (!usual && end > 0) job->last_words = job->log_line.substr(0, end);
      job->log_line.erase(0, end + 1);
    }
    if (job->log_line.size() > kMaxLine) job->log_line.clear();
  }
}

// Ends what a killed job has left behind.
void Campaign::OnEnd(Job* job, size_t index, std::vector<std::string>* lines) {
  const pid_t pid = job->worker.pid();
  const ExitStatus exit = job->worker.Join();
  if (exit.signal != 0) ShimListener::RemoveLeft(pid);
  const bool told = exit.code == kEndedByOther;
  if (exit.code == 0 || (told && stopped_ != 0)) return;
  failed_ = true;
  if (job->reported) return;
  ReadLog(job);
  std::string text = "job " + std::to_string(index + 1) + " has died (" + EndingText(exit);
  if (told) text += ": another process sent it SIGTERM";
  const bool killed = exit.signal == SIGKILL;
  if (killed) text += killed_ ? ": it did not end when asked to" : ": out of memory?";
  text += ")";
  if (!killed && !job->last_words.empty()) text += ": " + job->last_words;
  text += "; what was found is kept";
  wire::JsonWriter json(&lines->emplace_back());
  json.Open('{');
  json.Key("job").Number(index + 1);
  json.Key("event").Text("died");
  json.Key("text").Text(text);
  json.Close('}');
}

bool Campaign::Poll(int64_t timeout_ns, std::vector<std::string>* lines) {
  std::vector<io::PollSlot> slots;
  for (const Job& job : jobs_) slots.push_back(io::ForRead(job.worker.lines()));
  if (io::Poll(slots, timeout_ns) < 0) return false;
  // A plugin may stop its parent (SIGSTOP), which no other process would continue.
  for (const Job& job : jobs_) job.worker.WakeIfStopped();
  bool any = false;
  for (size_t i = 0; i < jobs_.size(); ++i) {
    Job& job = jobs_[i];
    ReadLog(&job);
    char buffer[16 * 1024];
    ssize_t count = 0;
    const int from = job.worker.lines();
    while (from >= 0 && (count = read(from, buffer, sizeof buffer)) > 0) {
      job.pending.append(buffer, static_cast<size_t>(count));
    }
    size_t end;
    while ((end = job.pending.find('\n')) != std::string::npos) {
      job.reported = job.reported || job.pending.starts_with("{\"event\":\"error\"");
      // {"event":...} becomes {"job":1,"event":...}.
      wire::JsonWriter json(&lines->emplace_back());
      json.Open('{');
      json.Key("job").Number(i + 1);
      json.Raw(std::string_view(job.pending).substr(1, end - 1));
      job.pending.erase(0, end + 1);
    }
    if (from >= 0 && count == 0) {
      job.worker.CloseLines();
      OnEnd(&job, i, lines);
    }
    any = any || job.worker.lines() >= 0;
  }
  if (any && !killed_ && stopped_ != 0 && io::MonotonicNow() - stopped_ > kEndTime) Stop();
  return any;
}

Status Campaign::CheckInputs() const {
  const size_t empty = RemoveEmptyInputs(corpus_);
  if (empty == 0) return Ok{};
  return Error{"cannot write inputs",
               corpus_ + ": " + wire::Counted(empty, "file") + " stayed empty",
               "is the disk full?"};
}

void Campaign::Stop() {
  killed_ = stopped_ != 0;
  for (const Job& job : jobs_) {
    job.worker.Signal(killed_ ? SIGKILL : SIGTERM);
    job.worker.Signal(SIGCONT);  // a stopped process handles it then
  }
  stopped_ = io::MonotonicNow();
}

Totals Campaign::totals() const {
  Totals totals;
  for (size_t i = 0; i < jobs_.size(); ++i) {
    const Counters& job = counters_[i];
    totals.runs += job.runs;
    totals.messages += job.messages;
    totals.starts += job.starts;
    totals.findings += job.findings;
    totals.skipped += job.skipped;
    totals.confirming_ns += job.confirming_ns / static_cast<int64_t>(counted_);
    totals.reducing_ns += job.reducing_ns / static_cast<int64_t>(counted_);
    totals.fails = totals.fails || job.fails;
    totals.known = std::max<uint64_t>(totals.known, job.known);
    totals.states = std::max<uint64_t>(totals.states, job.states);
    totals.features = std::max(totals.features, jobs_[i].features);
    totals.inputs = std::max(totals.inputs, jobs_[i].inputs);
    totals.new_ns = std::max(totals.new_ns, jobs_[i].new_ns);
    totals.new_ns = std::max<int64_t>(totals.new_ns, job.new_ns);
  }
  return totals;
}

Campaign::~Campaign() {
  for (Job& job : jobs_) {
    const pid_t pid = job.worker.pid();
    if (pid <= 0) continue;
    job.worker.Signal(SIGKILL);
    job.worker.Join();
    ShimListener::RemoveLeft(pid);
  }
  if (counters_ == nullptr) return;
  orphans_.Kill();
  munmap(counters_, sizeof(Counters) * counted_);
}

}  // namespace midwire::fuzz
