// Hosts whose configuration midwire finds: a table. Where the servers are in it is in servers.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::tools {

struct Host {
  std::string_view name;      // of --host
  std::string_view title;     // for people
  std::string_view variable;  // of the folder, such as XDG_CONFIG_HOME
  std::string_view instead;   // where that variable is not set: in HOME
  std::string_view file;      // in that folder
};

std::span<const Host> Hosts();
const Host* FindHost(std::string_view name);
// "": neither its variable nor HOME is set. Reads the environment.
std::string ConfigPathOf(const Host& host);
// The host whose file this is; nullptr: of none.
const Host* HostOfPath(const std::string& path);

}  // namespace midwire::tools
