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

Result<std::string> ServersText(const io::EditedFile& file) {
  const auto config = ReadConfig(file.bytes, file.path);
  if (!config) return config.error();
  const auto servers = FindServers(*config);
  if (!servers) return servers.error();
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

Result<std::string> ConfigText(const std::string& path) {
  const auto file = io::ReadEditedFile(path, kMaxConfig);
  if (!file) return file.error();
  const Result<std::string> servers = ServersText(*file);
  if (!servers) {
    Error error = servers.error();
    error.where = error.where.empty() ? path : path + ", " + error.where;
    return error;
  }
  const Host* host = HostOfPath(path);
  return (host != nullptr ? std::string(host->name) + "  " : "") + wire::Escaped(path) + "\n" +
         *servers;
}

std::string HostsText() {
  std::string text;
  for (const Host& host : Hosts()) {
    const std::string path = ConfigPathOf(host);
    if (path.empty() || access(path.c_str(), F_OK) != 0) continue;
    text += std::string(host.name) + "  " + wire::Escaped(path) + "\n";
    // One that is broken does not hide the others.
    const auto file = io::ReadEditedFile(path, kMaxConfig);
    const Result<std::string> servers = file ? ServersText(*file) : file.error();
    text += servers ? *servers : "  " + WithoutSecrets(servers.error().Text()) + "\n";
  }
  return text;
}

}  // namespace midwire::tools
