#include "proxy/record.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <utility>

#include "proxy/driver.h"
#include "proxy/host.h"
#include "proxy/relay.h"
#include "proxy/signals.h"
#include "proxy/spawn.h"

namespace midwire::proxy {
namespace {

// The shells' codes: not found, and found but not executable.
constexpr int kNotFound = 127, kNotExecutable = 126;

RecordOutcome CannotStart(const std::string& name, int error) {
  const bool not_found = error == ENOENT || error == ENOTDIR;
  return {.status = {.code = not_found ? kNotFound : kNotExecutable},
          .cannot_start = "cannot start the plugin: " + name + ": " + strerror(error)};
}

Driver::Ends EndsOf(const HostEnds& host, const Plugin& plugin) {
  Driver::Ends ends;
  const int ours[] = {plugin.in, plugin.out, plugin.err};
  if (!host.closed[0]) {
    ends.sources[0] = ReadEnd(0, Owner::kHosts);
    ends.sinks[0] = WriteEnd(ours[0], Owner::kOurs);
  }
  for (int fd = 1; fd < 3; ++fd) {
    if (host.closed[fd]) continue;
    if (ours[fd] >= 0) ends.sources[fd] = ReadEnd(ours[fd], Owner::kOurs);
    ends.sinks[fd] = WriteEnd(fd, Owner::kHosts);
  }
  ends.plugin = plugin.pid;
  return ends;
}

}  // namespace

RecordOutcome Record(const RecordOptions& options) {
  SignalGuard signals;
  const HostEnds host = TakeHostEnds();
  const Plugin plugin = SpawnPlugin(options.argv, host, signals);
  if (plugin.error != 0) return CannotStart(options.argv[0], plugin.error);
  for (int fd : host.inherited) close(fd);  // the plugin has them; its closing must be the last

  Relay relay(options.drain_ns, host.merged_stderr);
  Driver driver(EndsOf(host, plugin), &relay, &signals);
  driver.Run();
  driver.FlushFor(Stream::kStderr, options.drain_ns);
  return {.status = driver.exit_status()};
}

}  // namespace midwire::proxy
