#include "proxy/plugin_name.h"

#include <cstddef>
#include <string_view>

#include "wire/json/ascii.h"

namespace midwire::proxy {
namespace {

enum class Runs { kPackage, kScript };

// A program whose first argument that is no option names what is run. Lists are words between
// blanks.
struct Runner {
  std::string_view name;
  Runs runs;
  std::string_view subcommands = "";  // one of them comes first; "": there is no subcommand
  std::string_view with_value = "";   // options whose value is the next word
  std::string_view names_it = "";     // options whose value names what is run
};

constexpr std::string_view kPythonValues = " -W -X --check-hash-based-pycs ";
constexpr std::string_view kNodeValues = " -r --require --import --loader -C --conditions ";
constexpr std::string_view kNpmValues = " -p --package -w --workspace ";
constexpr std::string_view kUvValues =
    " --from --with -w -p --python --index --index-url --directory --project --env-file --extra "
    "--group --color --config-file ";
constexpr Runner kRunners[] = {
    {"npx", Runs::kPackage, "", kNpmValues},
    {"bunx", Runs::kPackage, "", kNpmValues},
    {"pnpx", Runs::kPackage, "", kNpmValues},
    {"npm", Runs::kPackage, " exec x ", kNpmValues},
    {"pnpm", Runs::kPackage, " dlx exec ", kNpmValues},
    {"yarn", Runs::kPackage, " dlx exec ", kNpmValues},
    {"uvx", Runs::kPackage, "", kUvValues},
    {"uv", Runs::kScript, " run ", kUvValues, " -m --module "},
    {"pipx", Runs::kPackage, " run ", " --spec --python "},
    {"python", Runs::kScript, "", kPythonValues, " -m "},
    {"pypy", Runs::kScript, "", kPythonValues, " -m "},
    {"node", Runs::kScript, "", kNodeValues},
    {"tsx", Runs::kScript, "", kNodeValues},
    {"ts-node", Runs::kScript, "", " -P --project "},
    {"bun", Runs::kScript, " run x "},
    {"deno", Runs::kScript, " run ", " -c --config --import-map "},
    {"ruby", Runs::kScript, "", " -I -r "},
    {"java", Runs::kScript, "", " -cp -classpath ", " -jar "},
    {"dotnet", Runs::kScript, "", "", " --project "},
    {"bash", Runs::kScript, "", " -o --rcfile "},
    {"sh", Runs::kScript, "", " -o "},
};

// Names of scripts and of folders that do not tell one plugin from another.
constexpr std::string_view kCommonScripts = " index main server cli __main__ app ";
constexpr std::string_view kCommonFolders = " dist build src bin lib out . .. ";

bool Has(std::string_view list, std::string_view word) {
  return list.find(" " + std::string(word) + " ") != list.npos;
}

std::string_view LastComponent(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
}

// "python3.11" and "node22" are versions of python and node.
std::string_view WithoutVersion(std::string_view program) {
  while (!program.empty() && (program.back() == '.' || wire::IsDigit(program.back()))) {
    program.remove_suffix(1);
  }
  return program;
}

const Runner* FindRunner(std::string_view program) {
  for (const Runner& runner : kRunners) {
    if (WithoutVersion(program) == runner.name) return &runner;
  }
  return nullptr;
}

// "@scope/weather@1.2", "weather[extra]==1.2" and "git+https://host/weather.git" are "weather".
std::string PackageName(std::string_view package) {
  if (package.size() > 1) package = package.substr(0, package.find_first_of("@[=<>~#", 1));
  package = LastComponent(package);
  if (package.ends_with(".git")) package.remove_suffix(4);
  return std::string(package);
}

// "weather/dist/index.js" is "weather", "tools/weather.py" is "weather.py".
std::string ScriptName(std::string_view path) {
  const std::string_view script = LastComponent(path);
  if (!Has(kCommonScripts, script.substr(0, script.find('.')))) return std::string(script);
  std::string_view folder = path.substr(0, path.size() - script.size());
  while (!folder.empty()) {
    folder.remove_suffix(1);  // the slash
    const std::string_view name = LastComponent(folder);
    if (!name.empty() && !Has(kCommonFolders, name)) return std::string(name);
    folder.remove_suffix(name.size());
  }
  return std::string(script);
}

// "": not found; then the plugin has the name of the program that runs it.
std::string NameOfWhatRuns(const Runner& runner, const std::vector<std::string>& argv, size_t at) {
  if (!runner.subcommands.empty()) {
    if (at == argv.size() || !Has(runner.subcommands, argv[at])) return "";
    ++at;
  }
  for (; at < argv.size(); ++at) {
    const std::string& word = argv[at];
    if (Has(runner.names_it, word)) {
      return at + 1 == argv.size() ? "" : std::string(LastComponent(argv[at + 1]));
    }
    // Code in place of a script.
    if (word == "-c" || word == "-e" || word == "-" || word == "--eval") return "";
    if (Has(runner.with_value, word)) {
      ++at;
    } else if (!word.starts_with('-')) {
      return runner.runs == Runs::kPackage ? PackageName(word) : ScriptName(word);
    }
  }
  return "";
}

// Where the command begins behind `env NAME=VALUE`.
size_t BehindEnv(const std::vector<std::string>& argv) {
  if (argv.empty() || LastComponent(argv[0]) != "env") return 0;
  size_t at = 1;
  while (at < argv.size() && (argv[at].starts_with('-') || argv[at].find('=') != std::string::npos))
    ++at;
  return at < argv.size() ? at : 0;
}

// ".weather.midwire", which `midwire wrap --in-place` has put aside, is "weather".
std::string NameBeforeWrap(const std::string& name) {
  constexpr std::string_view kAside = ".midwire";
  if (!name.starts_with('.') || !name.ends_with(kAside) || name.size() < kAside.size() + 2)
    return name;
  return name.substr(1, name.size() - 1 - kAside.size());
}

}  // namespace

std::string PluginName(const std::vector<std::string>& argv) {
  const size_t at = BehindEnv(argv);
  if (at == argv.size()) return "";
  const std::string program(LastComponent(argv[at]));
  const Runner* const runner = FindRunner(program);
  const std::string name = runner == nullptr ? "" : NameOfWhatRuns(*runner, argv, at + 1);
  return NameBeforeWrap(name.empty() ? program : name);
}

}  // namespace midwire::proxy
