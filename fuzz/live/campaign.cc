#include "fuzz/live/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>
#include <set>
#include <utility>

#include "fuzz/hash.h"
#include "fuzz/live/keep_file.h"
#include "fuzz/live/shim.h"
#include "fuzz/oracle/ending.h"
#include "wire/json/writer.h"

namespace midwire::fuzz {
namespace {

pid_t watcher = 0;  // of this process, if it is a job

// A whole group may be told to end, and we with it, and so may one job, by a peer for example: the
// watcher knows whether it was told itself.
void OnTerm(int, siginfo_t* info, void*) { StopEngine(info->si_pid == watcher ? 0 : kToldByOther); }

// Lines of a job that nobody has read are dropped beyond this: a job must not wait for its watcher.
constexpr size_t kMaxLine = 64 * 1024;
// A job that was asked to end, and has not by then, is killed. Most end within a tenth of a second;
// one whose peer says much on a busy machine may take its time to write a finding down.
constexpr int64_t kEndTime = 10'000'000'000;
// Nobody takes so long to write a file of this size.
constexpr std::chrono::seconds kPartAge{10};

Status MakeFolder(const std::string& path) {
  for (size_t at = 0; at != std::string::npos;) {
    at = path.find('/', at + 1);
    const std::string folder = path.substr(0, at);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
      return Error{"cannot make the folder", folder + ": " + strerror(errno), "-o names another"};
    }
  }
  return Ok{};
}

// What runs have left that were killed while they wrote (keep_file.h). One that writes now has
// touched its file just now.
void RemoveParts(const std::string& folder) {
  std::error_code unreadable, gone;
  const auto old = std::filesystem::file_time_type::clock::now() - kPartAge;
  for (const auto& file : std::filesystem::directory_iterator(folder, unreadable)) {
    const std::string name = file.path().filename();
    if (!name.starts_with(".midwire-") || !name.ends_with(".part")) continue;
    const auto written = file.last_write_time(gone);
    if (!gone && written < old) std::filesystem::remove(file.path(), gone);
  }
}

// libFuzzer follows links, and would wait for ever to open a pipe or to read a device.
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
                   "it is a link to something else: take it away"};
    }
  }
  return Ok{};
}

Status WriteSeed(const std::string& folder, const Input& input) {
  const std::string bytes = input.Bytes();
  const uint64_t hash = Hash(bytes);
  char name[32];
  snprintf(name, sizeof name, "/seed-%016llx", static_cast<unsigned long long>(hash));
  const Status kept = KeepFile(folder + name, bytes);
  if (!kept) return Error{"cannot write a seed", kept.error().Text(), ""};
  return Ok{};
}

// Processors that we may run on.
std::vector<int> Processors() {
  std::vector<int> processors;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  }
  return processors;
}

}  // namespace

Status Campaign::Start(const EngineOptions& options, int jobs, Seeds* seeds) {
  for (const std::string& folder : {options.corpus, options.findings}) {
    const Status made = MakeFolder(folder);
    if (!made) return made;
  }
  const Status files = OnlyFiles(options.corpus);
  if (!files) return files;
  for (const std::string& folder : {options.corpus, options.findings}) RemoveParts(folder);
  strays_.Watch();
  std::set<std::string> kept;
  std::error_code unreadable;  // what cannot be listed cannot be written either; that is told
  for (const auto& file : std::filesystem::directory_iterator(options.findings, unreadable)) {
    kept.insert(file.path().stem());
  }
  for (const Input& input : seeds->inputs) {
    const Status written = WriteSeed(options.corpus, input);
    if (!written) return written;
  }
  for (const auto& [method, input] : seeds->singles) {
    const Status written = WriteSeed(options.corpus, input);
    if (!written) return written;
  }
  counted_ = static_cast<size_t>(jobs);
  void* memory = mmap(nullptr, sizeof(Counters) * counted_, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Error{"no memory", strerror(errno), ""};
  counters_ = static_cast<Counters*>(memory);
  for (size_t i = 0; i < counted_; ++i) new (counters_ + i) Counters;

  const std::vector<int> processors = Processors();
  const pid_t parent = getpid();
  for (int i = 0; i < jobs; ++i) {
    int ends[2], log[2];
    if (pipe2(ends, O_CLOEXEC) != 0 || pipe2(log, O_CLOEXEC | O_NONBLOCK) != 0) {
      return Error{"cannot start a job", strerror(errno), ""};
    }
    const pid_t pid = fork();
    if (pid < 0) return Error{"cannot start a job", strerror(errno), ""};
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent) _exit(0);
      // Ctrl-C is for the watcher, which tells us.
      signal(SIGINT, SIG_IGN);
      watcher = parent;
      struct sigaction to_end = {};
      to_end.sa_sigaction = OnTerm;
      to_end.sa_flags = SA_SIGINFO;
      sigaction(SIGTERM, &to_end, nullptr);
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, nullptr);
      // libFuzzer talks to stderr; what does not fit in the pipe is lost, and no harm.
      const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
      if (null >= 0) dup2(null, 1), dup2(null, 0);
      dup2(log[1], 2);
      EngineOptions own = options;
      own.kept = kept;
      own.seed = options.seed + static_cast<uint64_t>(i) * 1'000'003;
      if (options.max_runs != 0) {
        const auto n = static_cast<uint64_t>(jobs), k = static_cast<uint64_t>(i);
        own.max_runs = options.max_runs / n + (k < options.max_runs % n ? 1 : 0);
        if (own.max_runs == 0) _exit(0);
      }
      if (!processors.empty())
        own.processor = processors[static_cast<size_t>(i) % processors.size()];
      const int to = ends[1];
      RunEngine(own, seeds, counters_ + i, [to](const std::string& line) {
        const std::string text = line.substr(0, kMaxLine) + "\n";
        for (size_t at = 0; at < text.size();) {
          const ssize_t count = write(to, text.data() + at, text.size() - at);
          if (count < 0 && errno != EINTR) return;
          at += count > 0 ? static_cast<size_t>(count) : 0;
        }
      });
    }
    close(ends[1]);
    close(log[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    jobs_.push_back({.pid = pid, .from = ends[0], .log = log[0]});
  }
  return Ok{};
}

// "#123 NEW cov: 0 ft: 45 corp: 6/789b ...": features that it has seen, inputs that it keeps.
void Campaign::ReadLog(Job* job) {
  char buffer[16 * 1024];
  ssize_t count;
  while (job->log >= 0 && (count = read(job->log, buffer, sizeof buffer)) > 0) {
    job->log_line.append(buffer, static_cast<size_t>(count));
    for (size_t end; (end = job->log_line.find('\n')) != std::string::npos;) {
      const auto number = [&](const char* name) -> uint64_t {
        const size_t at = job->log_line.find(name);
        return at < end ? strtoull(job->log_line.c_str() + at + strlen(name), nullptr, 10) : 0;
      };
      const uint64_t features = number(" ft: ");
      if (features > job->features) job->new_ns = MonotonicNow();
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

// What a job leaves that was killed, and cannot tell itself.
void Campaign::OnEnd(Job* job, size_t index, int status, std::vector<std::string>* lines) {
  const pid_t pid = std::exchange(job->pid, -1);
  if (WIFSIGNALED(status)) ShimListener::RemoveLeft(pid);
  const bool told = WIFEXITED(status) && WEXITSTATUS(status) == kToldByOther;
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || (told && stopped_ != 0))) return;
  failed_ = true;
  if (job->told) return;
  ReadLog(job);
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  std::string text = "job " + std::to_string(index + 1) + " has died (" +
                     EndingText(WIFEXITED(status) ? WEXITSTATUS(status) : -1, signal);
  if (told) text += ": another process sent it SIGTERM";
  if (signal == SIGKILL) text += killed_ ? ": it did not end when asked to" : ": out of memory?";
  text += ")";
  if (signal != SIGKILL && !job->last_words.empty()) text += ": " + job->last_words;
  text += "; what was found is kept";
  wire::JsonWriter json(&lines->emplace_back());
  json.Open('{');
  json.Key("job").Number(index + 1);
  json.Key("event").Text("died");
  json.Key("text").Text(text);
  json.Close('}');
}

// A plugin may stop its parent; nobody else would wake it up.
void Campaign::WakeStopped() const {
  for (const Job& job : jobs_) {
    siginfo_t stopped = {};
    const bool asked =
        job.pid > 0 && waitid(P_PID, static_cast<id_t>(job.pid), &stopped, WSTOPPED | WNOHANG) == 0;
    if (asked && stopped.si_pid == job.pid) kill(job.pid, SIGCONT);
  }
}

bool Campaign::Poll(int timeout_ms, std::vector<std::string>* lines) {
  std::vector<pollfd> fds;
  for (const Job& job : jobs_) fds.push_back({job.from, POLLIN, 0});
  if (poll(fds.data(), fds.size(), timeout_ms) < 0 && errno != EINTR) return false;
  WakeStopped();
  bool any = false;
  for (size_t i = 0; i < jobs_.size(); ++i) {
    Job& job = jobs_[i];
    ReadLog(&job);
    char buffer[16 * 1024];
    ssize_t count = 0;
    while (job.from >= 0 && (count = read(job.from, buffer, sizeof buffer)) > 0) {
      job.pending.append(buffer, static_cast<size_t>(count));
    }
    size_t end;
    while ((end = job.pending.find('\n')) != std::string::npos) {
      job.told = job.told || job.pending.starts_with("{\"event\":\"error\"");
      // {"event":...} becomes {"job":1,"event":...}.
      wire::JsonWriter json(&lines->emplace_back());
      json.Open('{');
      json.Key("job").Number(i + 1);
      json.Raw(std::string_view(job.pending).substr(1, end - 1));
      job.pending.erase(0, end + 1);
    }
    if (job.from >= 0 && count == 0) {
      close(job.from);
      job.from = -1;
      int status = 0;
      while (waitpid(job.pid, &status, 0) < 0 && errno == EINTR) {
      }
      OnEnd(&job, i, status, lines);
    }
    any = any || job.from >= 0;
  }
  if (any && !killed_ && stopped_ != 0 && MonotonicNow() - stopped_ > kEndTime) Stop();
  return any;
}

void Campaign::Stop() {
  killed_ = stopped_ != 0;
  for (const Job& job : jobs_) {
    if (job.pid <= 0) continue;
    kill(job.pid, killed_ ? SIGKILL : SIGTERM);
    kill(job.pid, SIGCONT);  // one that somebody has stopped hears it then
  }
  stopped_ = MonotonicNow();
}

Totals Campaign::totals() const {
  Totals totals;
  for (size_t i = 0; i < jobs_.size(); ++i) {
    const Counters& job = counters_[i];
    totals.runs += job.runs;
    totals.messages += job.messages;
    totals.starts += job.starts;
    totals.findings += job.findings;
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
    if (job.pid > 0) {
      kill(job.pid, SIGKILL);
      waitpid(job.pid, nullptr, 0);
      ShimListener::RemoveLeft(job.pid);
    }
    if (job.from >= 0) close(job.from);
    if (job.log >= 0) close(job.log);
  }
  if (counters_ == nullptr) return;
  strays_.Kill();
  munmap(counters_, sizeof(Counters) * counted_);
}

}  // namespace midwire::fuzz
