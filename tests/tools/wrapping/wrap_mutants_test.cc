// wrap and unwrap of damaged configurations: no crash, and what is changed can be changed back.
#include "tests/tools/wrapping/wrapped.h"

namespace midwire::tools {
namespace {

constexpr std::string_view kConfigs[] = {
    "// c\n{\"mcpServers\": {\"a\": {\"command\": \"n\\u0070x\", \"args\": [\"-y\", 1,], \"env\": "
    "{}},\n"
    "  \"b\": {\"command\": \"x y | z\"}, \"c\": {\"url\": \"u\"}},\n \"projects\": {\"/p\": "
    "{}}}\n",
    "[mcp_servers.'a b']\ncommand = \"npx\" # c\nargs = [\n  \"-y\", 'x',\n]\nenv = {A = \"1\"}\n"
    "[[l]]\nx = '''\ny'''\n[mcp_servers]\nd.command = 'd'\n\"e\" = {command = \"e f\"}\n",
    "mcpServers:\n  - name: a\n    command: npx # c\n    args:\n    - -y\n    - 'x'\n"
    "  - {name: b, command: &c \"b\", args: [a]}\n  - command: *c\n    env: {A: b}\n",
};
// What matters to the readers, more often than other bytes.
constexpr std::string_view kBytes = "\"'{}[]:,=#-&*\\\n\r\t .|>x\xef";
constexpr int kMutants = 4000;

// A small generator of our own: the same mutants with every library.
class Random {
 public:
  size_t Below(size_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state_ >> 33) % limit;
  }

 private:
  uint64_t state_ = 1;
};

std::string Mutant(std::string text, Random* random) {
  for (size_t i = 0, count = 1 + random->Below(2); i < count && !text.empty(); ++i) {
    const size_t at = random->Below(text.size());
    const std::string byte(1, kBytes[random->Below(kBytes.size())]);
    const size_t size = std::min(1 + random->Below(8), text.size() - at);
    switch (random->Below(4)) {
      case 0:
        text.replace(at, 1, byte);
        break;
      case 1:
        text.insert(at, byte);
        break;
      case 2:
        text.erase(at, size);
        break;
      default:
        text.insert(random->Below(text.size()), text.substr(at, size));
    }
  }
  return text;
}

TEST(WrapMutantsTest, WhatIsWrappedCanBeUnwrapped) {
  Random random;
  size_t wrapped = 0;
  for (const std::string_view config : kConfigs) {
    for (int i = 0; i < kMutants; ++i) {
      const std::string text = Mutant(std::string(config), &random);
      const auto read = ReadConfig(text);
      if (!read) continue;
      const auto made = WrapServers(*read, {}, {.midwire = kMidwire});
      if (!made || !made->changed()) continue;
      ++wrapped;
      ASSERT_EQ(Unwrapped(made->bytes), Unwrapped(text)) << text;
      ASSERT_EQ(Wrapped(made->bytes), made->bytes) << text;
    }
  }
  EXPECT_GT(wrapped, 2000u);
}

}  // namespace
}  // namespace midwire::tools
