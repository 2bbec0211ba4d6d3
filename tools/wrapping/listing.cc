#include "tools/wrapping/listing.h"

#include <unistd.h>

#include "io/files/edited_file.h"
#include "tools/wrapping/hosts.h"
#include "tools/wrapping/wrap.h"
#include "trace/redact/patterns.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

const char* StateText(ServerState state) {
  switch (state) {
    case ServerState::kWrapped:
      return "  [wrapped]";
    case ServerState::kByHand:
      return "  [wrapped by hand]";
    case ServerState::kRemote:
      return "  [remote]";
    case ServerState::kPlain:
    case ServerState::kOther:
      break;
  }
  return "";
}

std::string ServersText(const std::string& path) {
  const auto file = io::ReadEditedFile(path, kMaxConfig);
  if (!file) return "  " + WithoutSecrets(file.error().Text()) + "\n";
  const auto config = ReadConfig(file->bytes, path);
  if (!config) return "  " + WithoutSecrets(config.error().Text()) + "\n";
  const auto servers = FindServers(*config);
  if (!servers) return "  " + WithoutSecrets(servers.error().Text()) + "\n";
  std::string text;
  for (const Server& server : *servers) {
    const std::string runs = server.table != nullptr ? CommandText(server) : server.reason;
    text += "  " + WithoutSecrets(FullName(server)) + "  " + WithoutSecrets(runs) +
            StateText(server.state) + "\n";
  }
  return text.empty() ? "  no plugins\n" : text;
}

}  // namespace

std::string WithoutSecrets(const std::string& text) {
  static const trace::redact::Patterns shapes = [] {
    trace::redact::Patterns made;
    made.AddShapes();
    return made;
  }();
  std::string shown;
  size_t at = 0;
  for (const trace::redact::Patterns::Match& match : shapes.Find(text)) {
    shown += text.substr(at, match.at - at) + "***";
    at = match.end();
  }
  return wire::Escaped(shown + text.substr(at));
}

std::string HostsText() {
  std::string text;
  for (const Host& host : Hosts()) {
    const std::string path = ConfigPathOf(host);
    if (path.empty() || access(path.c_str(), F_OK) != 0) continue;
    text += std::string(host.name) + "  " + wire::Escaped(path) + "\n" + ServersText(path);
  }
  return text;
}

}  // namespace midwire::tools
