#include "tools/wrapping/config_tree.h"

#include <algorithm>
#include <utility>

#include "wire/json/utf8.h"

namespace midwire::tools {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// What a broken file is reported as: by content, nearly everything is YAML.
struct NameEnd {
  std::string_view end;
  Result<ConfigNode> (*read)(std::string_view text);
};
constexpr NameEnd kNameEnds[] = {{".json", ReadJsonConfig},
                                 {".jsonc", ReadJsonConfig},
                                 {".toml", ReadTomlConfig},
                                 {".yaml", ReadYamlConfig},
                                 {".yml", ReadYamlConfig}};

// Without a byte order mark, blanks and comments of any of the formats at its beginning. A comment
// without an end stays: only JSON's has one.
std::string_view ContentOf(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const size_t blanks = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    text.remove_prefix(blanks);
    std::string_view end;
    if (text.starts_with("//") || text.starts_with("#")) {
      end = "\n";
    } else if (text.starts_with("/*") && text.find("*/", 2) != std::string_view::npos) {
      end = "*/";
      text.remove_prefix(2);  // "/*/" does not end
    } else {
      break;
    }
    const size_t comment = text.find(end);
    text.remove_prefix(comment == std::string_view::npos ? text.size() : comment + end.size());
  }
  return text;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const wire::Character character = wire::FirstCharacter(text);
    if (!character.valid || text[0] == '\0') return false;
    text.remove_prefix(character.length);
  }
  return true;
}

Result<Config> ReadByContent(std::string bytes) {
  Config config;
  config.bytes = std::move(bytes);
  const auto read = [&](ConfigFormat format, auto reader) -> Result<Config> {
    Result<ConfigNode> root = reader(config.bytes);
    if (!root) return root.error();
    config.format = format;
    config.root = std::move(*root);
    return std::move(config);
  };
  // YAML includes JSON, but not its comments; a TOML file may begin with a header, which YAML takes
  // for a list.
  const std::string_view content = ContentOf(config.bytes);
  const char first = content.empty() ? '\0' : content[0];
  const bool assigns = content.substr(0, content.find('\n')).find('=') != std::string_view::npos;
  if (first == '{' || content.starts_with("/*")) return read(ConfigFormat::kJson, ReadJsonConfig);
  if (first == '\0') return Error{"there is nothing in it", "", "add a server in the host first"};
  Result<ConfigNode> toml = ReadTomlConfig(config.bytes);
  if (toml) {
    config.format = ConfigFormat::kToml;
    config.root = std::move(*toml);
    return config;
  }
  Result<Config> yaml = read(ConfigFormat::kYaml, ReadYamlConfig);
  const bool table = yaml && yaml->root.is(ConfigNode::Kind::kTable);
  // Reported as the format that the first line looks like.
  if (!table && (first == '[' || assigns)) return toml.error();
  return yaml;
}

}  // namespace

const ConfigMember* ConfigNode::Find(std::string_view name) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const ConfigMember& member) { return member.name == name; });
  return found == members.end() ? nullptr : &*found;
}

std::string PlaceIn(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(at - start + 1);
}

Result<Config> ReadConfig(std::string bytes, std::string_view name) {
  if (bytes.size() > kMaxConfig) {
    return Error{"too large for a configuration", std::to_string(bytes.size()) + " bytes",
                 "edit it by hand"};
  }
  if (!IsUtf8(bytes)) return Error{"not a text in UTF-8", "", "it was not changed"};
  const bool empty = ContentOf(bytes).empty();
  Result<Config> config = ReadByContent(bytes);
  if (config || empty) return config;
  for (const NameEnd& named : kNameEnds) {
    if (!name.ends_with(named.end)) continue;
    if (const Result<ConfigNode> root = named.read(bytes); !root) return root.error();
  }
  return config;
}

}  // namespace midwire::tools
