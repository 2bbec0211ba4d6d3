#include "proxy/spawn.h"

#include <errno.h>

#include <utility>

#include "io/pipe.h"
#include "io/process/launcher.h"

namespace midwire::proxy {

Plugin SpawnPlugin(const std::vector<std::string>& argv, const io::HostEnds& host,
                   const io::SignalGuard& signals) {
  Plugin plugin;
  // argv stays verbatim: argv[0] is what the host wrote, not the path that was found.
  io::LaunchOptions options = {.path = io::FindExecutable(argv[0], &plugin.error),
                               .argv = argv,
                               .dies_with_us = true,
                               .signals = io::LaunchOptions::Signals::kHosts,
                               .host_signals = &signals};
  if (options.path.empty()) return plugin;

  io::Pipe pipes[3];
  int* const ours[] = {&pipes[0].writer, &pipes[1].reader, &pipes[2].reader};
  const int* const plugins[] = {&pipes[0].reader, &pipes[1].writer, &pipes[2].writer};
  for (int fd = 0; fd < 3; ++fd) {
    if (host.closed[fd] || (fd == 2 && host.merged_stderr)) continue;
    if (!pipes[fd].Open()) return {.error = errno};
    // Each end has its own flags: ours does not block, the plugin's is as the host's was.
    io::SetNonBlocking(*ours[fd]);
    if (host.nonblocking[fd]) io::SetNonBlocking(*plugins[fd]);
    options.ends[fd] = *plugins[fd];
  }
  if (host.merged_stderr) options.ends[2] = options.ends[1];

  plugin.error = io::Launch(options, &plugin.pid);
  if (plugin.error == ENOEXEC) {
    // A script without "#!" is run with /bin/sh, as by execvp(3) and every shell.
    options.argv[0] = std::exchange(options.path, "/bin/sh");
    options.argv.insert(options.argv.begin(), "/bin/sh");
    plugin.error = io::Launch(options, &plugin.pid);
  }
  if (plugin.error != 0) return {.error = plugin.error};
  plugin.in = std::exchange(*ours[0], -1);
  plugin.out = std::exchange(*ours[1], -1);
  plugin.err = std::exchange(*ours[2], -1);
  return plugin;
}

}  // namespace midwire::proxy
