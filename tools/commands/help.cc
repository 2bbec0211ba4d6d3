// midwire help: prints the help of a command, or writes the manual pages of all.
#include "tools/console/help.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/files/write_file.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/console/man_page.h"
#include "tools/output.h"
#include "tools/terminal.h"
#include "wire/near_names.h"

namespace midwire::tools {
namespace {

constexpr char kHelpFooter[] = R"(midwire COMMAND --help prints the same.

Examples:
  midwire help show
  midwire help dialect show)";

struct HelpArguments {
  std::vector<std::string> shown_only;
  std::string man_pages;
};

Status WriteManPage(const ArgumentParser& command, const std::string& folder) {
  const std::string path = folder + "/" + ManPageName(command) + ".1";
  if (io::WriteFile(path, ManPage(command, "midwire " MIDWIRE_VERSION))) return Ok{};
  return Error{"cannot write the manual page", path, "name a folder that can be written"};
}

int WriteManPages(const ArgumentParser& root, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Fail({"cannot create the folder", folder, error.message()}, kDataLost);
  std::vector<ArgumentParser> pages = {root};
  for (const ArgumentParser& command : root.subcommands()) pages.push_back(command);
  for (const ArgumentParser& page : pages) {
    if (const Status written = WriteManPage(page, folder); !written)
      return Fail(written.error(), kDataLost);
  }
  return kFine;
}

int PrintHelpOf(const ArgumentParser& root, const std::vector<std::string>& words) {
  ArgumentParser command = root;
  for (const std::string& word : words) {
    const Result<ArgumentParser> sub = FindSubcommand(command, word);
    if (!sub) return Fail(sub.error());
    command = *sub;
  }
  return PrintHelp(command, words.empty());
}

}  // namespace

Result<ArgumentParser> FindSubcommand(const ArgumentParser& parent, const std::string& name) {
  std::vector<std::string> names;
  for (const ArgumentParser& command : parent.subcommands()) {
    if (command.name() == name) return command;
    names.push_back(command.name());
  }
  if (names.empty())
    return Error{parent.path() + ": has no subcommands", "\"" + name + "\"", "name one command"};
  const std::string near = wire::NearNames(name, names);
  return Error{
      "no such command", "\"" + name + "\"",
      (near.starts_with("did you mean") ? near + " see: " : "see: ") + parent.path() + " --help"};
}

int PrintHelp(const ArgumentParser& command, bool root) {
  // Longer lines are hard to read.
  constexpr size_t kMostColumns = 100, kColumnsOfFile = 80;
  const view::Style style = StyleOf(1, "auto");
  const HelpStyle help = {
      .width = style.width == 0 ? kColumnsOfFile : std::min(style.width, kMostColumns),
      .bold = style.color};
  Output output;
  output.Write(root ? OverviewHelp(command, help) : CommandHelp(command, help));
  return output.Finish();
}

std::function<int()> DeclareHelp(ArgumentParser parser) {
  auto arguments = std::make_shared<HelpArguments>();
  // Declared for the help text only: CLI11 would take the word for a command to run, so main
  // removes it before the rest is parsed.
  parser.AddOption("COMMAND", &arguments->shown_only, "the command (default: a list of all)");
  parser.AddOption(
      "--man-pages", &arguments->man_pages,
      "write the manual pages of all commands to this folder, which is made if there is "
      "none");
  parser.Footer(kHelpFooter);
  return [arguments, parser] {
    if (arguments->man_pages.empty()) return PrintHelpOf(parser.parent(), PluginCommand());
    return WriteManPages(parser.parent(), arguments->man_pages);
  };
}

}  // namespace midwire::tools
