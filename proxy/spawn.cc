#include "proxy/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <string_view>

namespace midwire::proxy {
namespace {

namespace process = boost::process::v2;

struct Pipe {
  int ours = -1;
  int plugins = -1;

  // Each end has flags of its own: ours does not block, the plugin's is as the host's was.
  bool Open(bool plugin_reads, bool plugin_nonblocking) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    ours = ends[plugin_reads ? 1 : 0];
    plugins = ends[plugin_reads ? 0 : 1];
    fcntl(ours, F_SETFL, fcntl(ours, F_GETFL) | O_NONBLOCK);
    if (plugin_nonblocking) fcntl(plugins, F_SETFL, fcntl(plugins, F_GETFL) | O_NONBLOCK);
    return true;
  }
  void Close(int* end) {
    if (*end >= 0) close(*end);
    *end = -1;
  }
};

// What the launcher calls between fork and exec, in the child: async-signal-safe calls only. The
// launcher leaves out, without a word, what it cannot call: hence const, as it takes us by
// reference.
struct ChildSetup {
  const char* const* argv;
  int ends[3];  // for 0, 1, 2; -1: closed
  pid_t parent;
  const SignalGuard* signals;

  template <typename Launcher>
  boost::system::error_code on_setup(Launcher&, const process::filesystem::path&,
                                     const char* const*& arguments) const {
    arguments = argv;  // verbatim: argv[0] is what the host wrote, not the path that was found
    return {};
  }
  template <typename Launcher>
  boost::system::error_code on_exec_setup(Launcher&, const process::filesystem::path&,
                                          const char* const*&) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);  // we were killed before that took hold
    for (int fd = 0; fd < 3; ++fd) {
      if (ends[fd] < 0) {
        close(fd);
      } else if (dup2(ends[fd], fd) < 0) {
        return {errno, boost::system::system_category()};
      }
    }
    signals->RestoreInChild();
    return {};
  }
  template <typename... Anything>
  void on_exec_error(Anything&&...) const {
    _exit(127);  // the launcher would call exit(3), and run our parent's destructors in the child
  }
};

// errno of a failed start, 0 when the process runs; *pid is set then.
int Launch(const std::string& path, const ChildSetup& setup, const std::vector<int>& inherited,
           pid_t* pid) {
  process::posix::default_launcher launcher;
  launcher.fd_whitelist.insert(launcher.fd_whitelist.end(), inherited.begin(), inherited.end());
  try {
    boost::asio::io_context context(1);
    boost::system::error_code error;
    const std::vector<std::string> set_in_on_setup;
    auto child = launcher(context.get_executor(), error, process::filesystem::path(path),
                          set_in_on_setup, setup);
    if (error) {
      if (launcher.pid > 0) waitpid(launcher.pid, nullptr, 0);
      return error.value();
    }
    *pid = child.id();
    child.detach();  // the driver reaps it: a terminal's stops and the exact status matter
    return 0;
  } catch (const boost::system::system_error& error) {
    // No descriptor left for the launcher's pidfd or epoll. The plugin may run all the same.
    if (launcher.pid <= 0) return error.code().value();
    *pid = launcher.pid;
    return 0;
  }
}

bool IsExecutableFile(const std::string& path, int* error) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno == EACCES) *error = EACCES;
    return false;
  }
  if (S_ISREG(info.st_mode) && faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0)
    return true;
  *error = EACCES;
  return false;
}

}  // namespace

std::string FindExecutable(const std::string& name, int* error) {
  *error = ENOENT;
  if (name.empty()) return "";
  if (name.find('/') != std::string::npos) return name;  // execve tells what is wrong with it
  const char* variable = getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/bin:/usr/bin";  // as in execvp(3)
  for (;;) {
    const size_t end = path.find(':');
    const std::string_view folder = path.substr(0, end);
    std::string candidate = folder.empty() ? name : std::string(folder) + "/" + name;
    if (IsExecutableFile(candidate, error)) return candidate;
    if (end == std::string_view::npos) return "";
    path.remove_prefix(end + 1);
  }
}

Plugin SpawnPlugin(const std::vector<std::string>& argv, const HostEnds& host,
                   const SignalGuard& signals) {
  Plugin plugin;
  const std::string path = FindExecutable(argv[0], &plugin.error);
  if (path.empty()) return plugin;
  plugin.error = 0;

  Pipe pipes[3];
  for (int fd = 0; fd < 3; ++fd) {
    if (host.closed[fd] || (fd == 2 && host.merged_stderr)) continue;
    if (!pipes[fd].Open(fd == 0, host.nonblocking[fd])) plugin.error = errno;
  }
  std::vector<const char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(argument.c_str());
  arguments.push_back(nullptr);
  ChildSetup setup = {arguments.data(),
                      {pipes[0].plugins, pipes[1].plugins,
                       host.merged_stderr ? pipes[1].plugins : pipes[2].plugins},
                      getpid(),
                      &signals};
  if (plugin.error == 0) plugin.error = Launch(path, setup, host.inherited, &plugin.pid);
  if (plugin.error == ENOEXEC) {
    // A script without "#!": execvp(3) and every shell run it with /bin/sh, and so do we.
    arguments.insert(arguments.begin(), "/bin/sh");
    arguments[1] = path.c_str();
    setup.argv = arguments.data();
    plugin.error = Launch("/bin/sh", setup, host.inherited, &plugin.pid);
  }
  for (Pipe& pipe : pipes) {
    pipe.Close(&pipe.plugins);
    if (plugin.error != 0) pipe.Close(&pipe.ours);
  }
  plugin.in = pipes[0].ours;
  plugin.out = pipes[1].ours;
  plugin.err = pipes[2].ours;
  return plugin;
}

}  // namespace midwire::proxy
