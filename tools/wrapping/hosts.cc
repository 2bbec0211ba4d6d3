#include "tools/wrapping/hosts.h"

#include <cstdlib>

namespace midwire::tools {
namespace {

constexpr std::string_view kXdg = "XDG_CONFIG_HOME", kConfig = ".config";

constexpr Host kHosts[] = {
    {"claude-desktop", "Claude Desktop", kXdg, kConfig, "Claude/claude_desktop_config.json"},
    {"claude-code", "Claude Code", "", "", ".claude.json"},
    {"cursor", "Cursor", "", "", ".cursor/mcp.json"},
    {"windsurf", "Windsurf", "", "", ".codeium/windsurf/mcp_config.json"},
    {"vscode", "VS Code", kXdg, kConfig, "Code/User/mcp.json"},
    {"vscode-settings", "VS Code", kXdg, kConfig, "Code/User/settings.json"},
    {"zed", "Zed", kXdg, kConfig, "zed/settings.json"},
    {"codex", "Codex CLI", "CODEX_HOME", ".codex", "config.toml"},
    {"gemini", "Gemini CLI", "", "", ".gemini/settings.json"},
    {"helix", "Helix", kXdg, kConfig, "helix/languages.toml"},
    {"continue", "Continue", "CONTINUE_GLOBAL_DIR", ".continue", "config.yaml"},
};

std::string Variable(std::string_view name) {
  const char* value = name.empty() ? nullptr : std::getenv(std::string(name).c_str());
  return value != nullptr && value[0] == '/' ? value : "";
}

}  // namespace

std::span<const Host> Hosts() { return kHosts; }

const Host* FindHost(std::string_view name) {
  for (const Host& host : kHosts) {
    if (host.name == name) return &host;
  }
  return nullptr;
}

std::string ConfigPathOf(const Host& host) {
  std::string folder = Variable(host.variable);
  if (folder.empty()) {
    folder = Variable("HOME");
    if (folder.empty()) return "";
    if (!host.instead.empty()) folder += "/" + std::string(host.instead);
  }
  return folder + "/" + std::string(host.file);
}

const Host* HostOfPath(const std::string& path) {
  for (const Host& host : kHosts) {
    if (ConfigPathOf(host) == path) return &host;
  }
  return nullptr;
}

}  // namespace midwire::tools
