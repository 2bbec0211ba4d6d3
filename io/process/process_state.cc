#include "io/process/process_state.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::io {
namespace {

// The first bytes of a file of /proc, which is read in one piece; "" if it is gone.
std::string Read(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return "";
  char bytes[4096];
  const ssize_t size = read(fd, bytes, sizeof bytes);
  close(fd);
  return size < 0 ? "" : std::string(bytes, static_cast<size_t>(size));
}

template <typename Number>
Number Leading(std::string_view* text) {
  while (text->starts_with(' ')) text->remove_prefix(1);
  Number number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return error == std::errc() ? number : 0;
}

// proc(5): "pid (name) S ..."; the name may hold anything, also parentheses.
bool Sleeps(const std::string& stat) {
  const size_t name_end = stat.rfind(')');
  if (name_end == stat.npos || name_end + 2 >= stat.size()) return true;
  return stat[name_end + 2] != 'R' && stat[name_end + 2] != 'D';
}

// /proc/.../schedstat: nanoseconds on a processor, and on a run queue.
void AddTimes(const std::string& schedstat, ProcessState* state) {
  std::string_view text = schedstat;
  state->ran_ns += static_cast<int64_t>(Leading<uint64_t>(&text));
  state->starved_ns += static_cast<int64_t>(Leading<uint64_t>(&text));
}

std::vector<std::string> Entries(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (!open) return names;
  while (const dirent* entry = readdir(open.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  return names;
}

}  // namespace

ProcessState StateOf(pid_t root) {
  ProcessState state;
  std::vector<pid_t> processes = {root};
  for (size_t i = 0; i < processes.size(); ++i) {
    const std::string tasks = "/proc/" + std::to_string(processes[i]) + "/task/";
    const std::vector<std::string> threads = Entries(tasks);
    if (threads.size() > kMaxThreads || processes.size() > kMaxProcesses) {
      state.asleep = false;
      return state;
    }
    for (const std::string& thread : threads) {
      const std::string folder = tasks + thread;
      state.asleep = state.asleep && Sleeps(Read(folder + "/stat"));
      AddTimes(Read(folder + "/schedstat"), &state);
      const std::string children = Read(folder + "/children");
      for (std::string_view rest = children; !rest.empty();) {
        const pid_t child = Leading<pid_t>(&rest);
        if (child <= 0) break;
        processes.push_back(child);
      }
    }
  }
  return state;
}

}  // namespace midwire::io
