// What a plugin is called by its command.
#include "proxy/plugin_name.h"

#include <gtest/gtest.h>

#include <sstream>

namespace midwire::proxy {
namespace {

std::string NameOf(const std::string& command) {
  std::istringstream words(command);
  std::vector<std::string> argv;
  for (std::string word; words >> word;) argv.push_back(word);
  return PluginName(argv);
}

TEST(PluginNameTest, AProgramHasItsOwnName) {
  EXPECT_EQ(NameOf("/opt/bin/clangd --log=error"), "clangd");
  EXPECT_EQ(NameOf("a/"), "");
  EXPECT_EQ(NameOf(""), "");
}

TEST(PluginNameTest, PackagesThatNpxAndItsKindRun) {
  EXPECT_EQ(NameOf("npx -y @modelcontextprotocol/server-memory@1.2"), "server-memory");
  EXPECT_EQ(NameOf("/usr/bin/npx --package @a/b -- weather --port 1"), "weather");
  EXPECT_EQ(NameOf("npm exec -y weather@latest"), "weather");
  EXPECT_EQ(NameOf("pnpm dlx weather"), "weather");
  EXPECT_EQ(NameOf("bunx weather"), "weather");
}

TEST(PluginNameTest, PackagesThatUvRuns) {
  EXPECT_EQ(NameOf("uvx mcp-server-git[all]==1.0 --repository x"), "mcp-server-git");
  EXPECT_EQ(NameOf("uvx --from git+https://example.org/weather.git weather"), "weather");
  EXPECT_EQ(NameOf("uvx git+https://example.org/a/weather.git"), "weather");
  EXPECT_EQ(NameOf("uv --version"), "uv");
  EXPECT_EQ(NameOf("uv run --directory /srv weather.py"), "weather.py");
  EXPECT_EQ(NameOf("pipx run weather"), "weather");
}

TEST(PluginNameTest, ModulesAndScripts) {
  EXPECT_EQ(NameOf("python3.11 -u -m weather.server --port 1"), "weather.server");
  EXPECT_EQ(NameOf("python -X utf8 tools/weather.py -m other"), "weather.py");
  EXPECT_EQ(NameOf("node --inspect -r ./hook.js weather.mjs"), "weather.mjs");
  EXPECT_EQ(NameOf("java -jar lib/weather.jar"), "weather.jar");
  EXPECT_EQ(NameOf("env -i A=1 python3 weather.py"), "weather.py");
}

TEST(PluginNameTest, AScriptOfACommonNameIsNamedByItsFolder) {
  EXPECT_EQ(NameOf("node /srv/weather/build/index.js"), "weather");
  EXPECT_EQ(NameOf("node /srv/weather/./index.js"), "weather");
  EXPECT_EQ(NameOf("python3 weather/__main__.py"), "weather");
  EXPECT_EQ(NameOf("node index.js"), "index.js");
  EXPECT_EQ(NameOf("node ../dist/index.js"), "index.js");
}

TEST(PluginNameTest, APluginThatWrapHasPutAsideHasItsOwnName) {
  EXPECT_EQ(NameOf("/opt/plugins/.weather.midwire --flag"), "weather");
  EXPECT_EQ(NameOf("python3 plugins/.weather.py.midwire"), "weather.py");
  EXPECT_EQ(NameOf(".midwire"), ".midwire");
  EXPECT_EQ(NameOf("weather.midwire"), "weather.midwire");
}

TEST(PluginNameTest, ARunnerWithoutAScriptKeepsItsName) {
  EXPECT_EQ(NameOf("python3"), "python3");
  EXPECT_EQ(NameOf("python3 -c print(1)"), "python3");
  EXPECT_EQ(NameOf("python3 -m"), "python3");
  EXPECT_EQ(NameOf("npm start"), "npm");
  EXPECT_EQ(NameOf("sh -c exec weather"), "sh");
  EXPECT_EQ(NameOf("env A=1"), "env");
}

}  // namespace
}  // namespace midwire::proxy
