#include "tools/fuzzing/keep.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/write_file.h"
#include "io/process/run_command.h"
#include "tools/command.h"
#include "tools/console/shell_word.h"
#include "wire/json/ascii.h"
#include "wire/near_names.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

using Findings = std::vector<fuzz::Finding>;

constexpr char kChoices[] = "crash, exit=N, finding=KEY, or a shell command";
constexpr char kKeys[] = "; --keep finding= lists the keys of the findings that the trace shows";
// Exit statuses of a shell that cannot run a command or does not find it (POSIX, 2.8.2).
constexpr int kCannotRun = 126, kNotFound = 127;
// At this edit distance or less a word is taken for a misspelled keyword.
constexpr size_t kMaxWrong = 2;

bool IsShellCommand(const std::string& word) {
  const auto looked =
      io::RunCommand({"/bin/sh", "-c", "command -v -- \"$1\" > /dev/null", "sh", word});
  return looked && looked->status.code == 0;
}

// Detects a misspelled keyword: a word that is no shell command, or one that ignores its arguments.
std::optional<Error> Misspelt(const std::string& keep) {
  if (keep.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=:- ") != keep.npos) {
    return std::nullopt;
  }
  // "double", or "double open": the key of a finding begins with the name of its oracle.
  const std::string oracle = keep.substr(0, keep.find(' '));
  for (const fuzz::OracleSpec& spec : fuzz::Oracles()) {
    if (oracle != spec.name || oracle == "exit" || IsShellCommand(oracle)) continue;
    return Error{"--keep: no such command", "\"" + keep + "\"",
                 "for a finding: --keep " + ShellQuoted("finding=" + keep)};
  }
  constexpr std::pair<const char*, const char*> kKeywords[] = {
      {"crash", "crash"}, {"exit", "exit=N"}, {"finding", "finding=KEY"}};
  const size_t end = keep.find_first_of("=: ");
  const bool words = end != keep.npos && keep[end] == ' ';
  const std::string name = wire::ToLower(std::string_view(keep).substr(0, end));
  const auto* nearest = std::min_element(
      std::begin(kKeywords), std::end(kKeywords), [&](const auto& a, const auto& b) {
        return wire::EditDistance(name, a.first) < wire::EditDistance(name, b.first);
      });
  const size_t distance = wire::EditDistance(name, nearest->first);
  // `exit` and an assignment are shell commands too, but ignore the session.
  if (distance > 0 && (words || (end == keep.npos && IsShellCommand(keep)))) return std::nullopt;
  const std::string meant = std::string("did you mean ") + nearest->second + "?";
  return Error{"--keep: no such command", "\"" + keep + "\"",
               distance <= kMaxWrong ? meant : std::string(kChoices) + kKeys};
}

// Detects a syntax error before the first run: its exit status could also be that of a command.
std::optional<Error> Unreadable(const std::string& keep) {
  const auto looked = io::RunCommand({"/bin/sh", "-n", "-c", keep});
  if (!looked || looked->status.code == 0) return std::nullopt;
  return Error{"--keep: the shell reports a syntax error in the command", "\"" + keep + "\"",
               looked->err.substr(0, looked->err.find('\n'))};
}

// A temporary file with a session, removed with this object.
class SessionFile {
 public:
  explicit SessionFile(std::string_view text) {
    const char* folder = getenv("TMPDIR");
    name_ = folder != nullptr && *folder != '\0' ? folder : "/tmp";
    name_ += "/midwire-reduce-XXXXXX";
    const int fd = mkostemp(name_.data(), O_CLOEXEC);  // 0600
    made_ = fd >= 0;
    if (!made_) error_ = errno;
    if (made_) error_ = io::WriteAll(fd, text);
    if (made_ && close(fd) != 0 && error_ == 0) error_ = errno;
  }
  ~SessionFile() {
    if (made_) unlink(name_.c_str());
  }
  SessionFile(const SessionFile&) = delete;
  SessionFile& operator=(const SessionFile&) = delete;

  const std::string& name() const { return name_; }
  int error() const { return error_; }  // an errno; 0: written completely

 private:
  std::string name_;
  bool made_ = false;
  int error_ = 0;
};

bool CommandKeeps(const std::string& command, const fuzz::Transcript& transcript,
                  Keep::Failure* failure) {
  if (failure->error) return false;
  const SessionFile file(fuzz::WriteFinding(nullptr, transcript, PluginCommand()));
  if (file.error() != 0) {
    *failure = {Error{"--keep: cannot write the session for the command",
                      file.name() + ": " + strerror(file.error()), "set TMPDIR to another folder"},
                kDataLost};
    return false;
  }
  const auto ran = io::RunCommand({"/bin/sh", "-c", command, "sh", file.name()}, failure->stop);
  if (!ran) {
    *failure = {Error{"--keep: " + ran.error().what, ran.error().where, ran.error().remedy},
                kUsage};
    return false;
  }
  // Output of the command goes to stderr: stdout has only midwire's own result line.
  for (std::string_view text : {std::string_view(ran->out), std::string_view(ran->err)}) {
    [[maybe_unused]] const ssize_t shown = write(STDERR_FILENO, text.data(), text.size());
  }
  if (ran->status.code == kCannotRun || ran->status.code == kNotFound) {
    *failure = {Error{"--keep: the command cannot be run", "\"" + command + "\"", kChoices},
                kUsage};
  }
  return ran->status.code == 0;
}

bool IsCrash(const fuzz::Finding& finding) {
  return finding.oracle == fuzz::Oracle::kSignal || finding.oracle == fuzz::Oracle::kSanitizer ||
         finding.oracle == fuzz::Oracle::kPanic;
}

fuzz::Shows ThisFinding(const std::string& key) {
  return [key](const Findings& findings, const fuzz::Transcript&, fuzz::Finding* found) {
    const fuzz::Finding* same = fuzz::FindKey(findings, key);
    if (same != nullptr) *found = *same;
    return same != nullptr;
  };
}

// The first crash that is seen is the one to keep: another crash is another fault.
fuzz::Shows SameCrash() {
  const auto first = std::make_shared<std::string>();
  return [first](const Findings& findings, const fuzz::Transcript&, fuzz::Finding* found) {
    for (const fuzz::Finding& finding : findings) {
      if (!IsCrash(finding) || (!first->empty() && finding.key != *first)) continue;
      *first = finding.key;
      *found = finding;
      return true;
    }
    return false;
  };
}

fuzz::Shows ExitsWith(int64_t code) {
  return [code](const Findings&, const fuzz::Transcript& transcript, fuzz::Finding* found) {
    found->oracle = fuzz::Oracle::kExit;
    found->text = "exit " + std::to_string(code);
    found->key = found->text;
    return transcript.exit.code == code;
  };
}

}  // namespace

Result<Keep> ParseKeep(const std::string& keep, const fuzz::FindingRecord* record) {
  if (keep.empty() && record != nullptr) return Keep{ThisFinding(record->key)};
  if (keep.empty()) {
    return Error{"--keep is missing: name the behaviour that the smaller session must still show",
                 "", "crash, exit=N, finding=KEY or a shell command"};
  }
  if (keep.starts_with("finding=")) return Keep{ThisFinding(keep.substr(8))};
  if (keep == "crash") return Keep{SameCrash()};
  if (keep.starts_with("exit=")) {
    const auto code = wire::ParseCount(keep.substr(5));
    if (code && *code <= 255) return Keep{ExitsWith(*code)};
    return Error{"--keep: not an exit status", "\"" + keep + "\"",
                 "use exit=N with N from 0 to 255"};
  }
  if (const auto misspelt = Misspelt(keep)) return *misspelt;
  if (const auto unreadable = Unreadable(keep)) return *unreadable;
  Keep made;
  made.shows = [keep, failure = made.failure](const Findings&, const fuzz::Transcript& transcript,
                                              fuzz::Finding* found) {
    found->text = found->key = kKeptBy + keep;
    return CommandKeeps(keep, transcript, failure.get());
  };
  return made;
}

}  // namespace midwire::tools
