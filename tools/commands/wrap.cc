// midwire wrap and midwire unwrap: midwire record in front of the plugins that a host's
// configuration names, and out again.
#include "tools/wrapping/wrap.h"

#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "io/files/edited_file.h"
#include "io/files/part_file.h"
#include "io/signals.h"
#include "proxy/tape_name.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/console/shell_word.h"
#include "tools/output.h"
#include "tools/sample.h"
#include "tools/wrapping/hosts.h"
#include "tools/wrapping/in_place.h"
#include "tools/wrapping/listing.h"
#include "tools/wrapping/snippets.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

struct WrapArguments {
  std::vector<std::string> words;  // CONFIG SERVER..., with --host SERVER...
  std::string host;
  std::string command;
  std::string snippet;
  std::string in_place;
  bool list = false;
  bool dry_run = false;
  bool by_hand = false;
};

std::string HostNames() {
  std::string names;
  for (const Host& host : Hosts()) names += (names.empty() ? "" : ", ") + std::string(host.name);
  return names;
}

// The file that the command line means; the words left are servers.
Result<std::string> TakePath(const WrapArguments& arguments, std::vector<std::string>* servers) {
  *servers = arguments.words;
  if (!arguments.host.empty()) {
    const Host* host = FindHost(arguments.host);
    if (host == nullptr) {
      return Error{"--host: no such host: \"" + arguments.host + "\"", "", "one of " + HostNames()};
    }
    const std::string path = ConfigPathOf(*host);
    if (path.empty()) return Error{"--host: HOME is not set", "", "name the file"};
    if (access(path.c_str(), F_OK) != 0) {
      return Error{std::string(host->title) + " has no configuration here", path,
                   "add a plugin in the host first, or name the file"};
    }
    return path;
  }
  if (servers->empty()) {
    return Error{"no configuration is named", "", "name its file, or --host: " + HostNames()};
  }
  const std::string path = servers->front();
  servers->erase(servers->begin());
  return path;
}

Error At(const std::string& path, Error error) {
  error.where = error.where.empty() ? path : path + ", " + error.where;
  return error;
}

void PrintNotes(const std::vector<WrapNote>& notes, const char* changed, const char* already,
                Output* output) {
  for (const WrapNote& note : notes) {
    const char* kind = note.kind == WrapNote::Kind::kChanged   ? changed
                       : note.kind == WrapNote::Kind::kAlready ? already
                                                               : "skipped";
    output->Write(std::string(kind) + ": " + WithoutSecrets(note.server) + "  (" +
                  WithoutSecrets(note.text) + ")\n");
  }
}

std::string RestartText(const std::string& path) {
  const Host* host = HostOfPath(path);
  return "restart " + (host != nullptr ? std::string(host->title) : "the host");
}

// Of the file that is named, or of all hosts that are known.
int List(const WrapArguments& arguments) {
  Output output;
  if (!arguments.words.empty() || !arguments.host.empty()) {
    std::vector<std::string> more;
    const auto path = TakePath(arguments, &more);
    if (!path) return Fail(path.error());
    if (!more.empty()) {
      return Fail({"--list: one argument too many", '"' + more.front() + '"',
                   "it lists all plugins of one configuration"});
    }
    const auto text = ConfigText(*path);
    if (!text) return Fail(text.error());
    output.Write(*text);
    return output.Finish();
  }
  const std::string hosts = HostsText();
  output.Write(hosts.empty() ? "no host that midwire knows has a configuration here\n" : hosts);
  return output.Finish();
}

int PrintSnippet(const WrapArguments& arguments, const std::string& midwire) {
  const auto text = MakeSnippet(arguments.snippet, {midwire, "record", "--"}, PluginCommand());
  if (!text) return Fail(text.error());
  Output output;
  output.Write(*text);
  return output.Finish();
}

std::string TapesNote() {
  const auto folder = proxy::DefaultFolder();
  return "tapes    " + (folder ? wire::Escaped(*folder) : "in the folder of MIDWIRE_OUTPUT") +
         ", one per session; they may contain secrets; midwire clean removes old ones\n";
}

// What a killed run has left beside the file: a copy of a configuration, with its secrets, or of a
// launcher, which a host may find.
void RemovePartsBeside(const std::string& path, const WrapArguments& arguments) {
  if (!arguments.dry_run) io::RemoveAbandonedParts(path.substr(0, path.rfind('/') + 1));
}

// Both: of the plugin's file itself.
int InPlace(const WrapArguments& arguments, const Result<bool>& done, bool wrap) {
  if (!done) return Fail(done.error());
  const std::string& path = arguments.in_place;
  Output output;
  const std::string shown = wire::Escaped(path);
  if (!*done) {
    output.Write((wrap ? "already wrapped: " : "not wrapped: ") + shown + "\n");
  } else if (arguments.dry_run) {
    const std::string aside = wire::Escaped(AsidePath(path));
    output.Write("would rename " + (wrap ? shown + " to " + aside : aside + " to " + shown) + "\n");
  } else if (wrap) {
    output.Write("wrapped: " + shown + "\n\nplugin   " + wire::Escaped(AsidePath(path)) + "\n" +
                 TapesNote() + "undo     midwire unwrap --in-place " +
                 wire::Escaped(AsShellWord(path)) + "\n");
  } else {
    output.Write("unwrapped: " + shown + "\n");
  }
  return output.Finish();
}

// The file, and what becomes of it.
struct WrapPlan {
  io::EditedFile file;
  EditedConfig made;
};

template <typename Rewrite>
Result<WrapPlan> MakePlan(const WrapArguments& arguments, const Rewrite& rewrite) {
  std::vector<std::string> servers;
  const auto path = TakePath(arguments, &servers);
  if (!path) return path.error();
  auto file = io::ReadEditedFile(*path, kMaxConfig);
  if (!file) return file.error();
  const auto config = ReadConfig(file->bytes, *path);
  if (!config) return At(*path, config.error());
  auto made = rewrite(*config, servers);
  if (!made) return At(*path, made.error());
  return WrapPlan{std::move(*file), std::move(*made)};
}

// Removes the copies that have nothing which the file, as unwrap leaves it, has not. They have the
// same bytes, or differ only by midwire; wrap makes such ones if plugins are wrapped one by one.
// The others stay, and are named, because only the user knows what they are worth.
void RemoveCopies(const std::string& path, const std::string& bytes, Output* output) {
  if (WithoutMidwire(bytes) != bytes) return;  // the next unwrap is the last one
  for (const std::string& copy : io::CopiesOf(path)) {
    const std::string shown = wire::Escaped(copy);
    const auto there = io::ReadEditedFile(copy, kMaxConfig);
    if (there && WithoutMidwire(there->bytes) == bytes && unlink(copy.c_str()) == 0) {
      output->Write(
          "removed  " + shown +
          (there->bytes == bytes ? ", which is the same\n" : ", the same with midwire\n"));
    } else {
      output->Write("kept     " + shown + ", which differs: remove it if you do not need it\n");
    }
  }
}

// Prints the plan; false: that is all, as the file stays as it is.
bool Show(const WrapPlan& plan, const WrapArguments& arguments, const char* changed,
          const char* unchanged, Output* output) {
  const std::string& path = plan.file.path;
  if (arguments.dry_run) {
    output->Write(UnifiedDiff(plan.file.bytes, plan.made.edits, path));
    return false;
  }
  PrintNotes(plan.made.notes, changed, unchanged, output);
  if (!plan.made.changed()) output->Write("unchanged: " + wire::Escaped(path) + "\n");
  return plan.made.changed();
}

int Wrap(const WrapArguments& arguments) {
  // As in commands that take no plugin's words: none is started, which would inherit it.
  io::IgnoreSignals({SIGXFSZ});
  if (arguments.list) return List(arguments);
  WrapOptions options;
  options.midwire = arguments.command.empty() ? OwnPath() : arguments.command;
  if (!arguments.snippet.empty()) return PrintSnippet(arguments, options.midwire);
  if (!arguments.in_place.empty()) {
    RemovePartsBeside(arguments.in_place, arguments);
    return InPlace(arguments, WrapInPlace(arguments.in_place, options.midwire, arguments.dry_run),
                   true);
  }
  options.is_file = [](const std::string& name) { return access(name.c_str(), F_OK) == 0; };
  const auto plan = MakePlan(arguments, [&](const Config& config, const auto& servers) {
    return WrapServers(config, servers, options);
  });
  if (!plan) return Fail(plan.error());
  const std::string& path = plan->file.path;
  RemovePartsBeside(path, arguments);
  Output output;
  if (!Show(*plan, arguments, "wrapped", "already wrapped", &output)) return output.Finish();
  const auto copy = io::KeepCopy(plan->file);
  const Status written =
      copy ? io::ReplaceEditedFile(plan->file, plan->made.bytes) : Status(copy.error());
  if (!written) {
    // A copy of a file that is as it was says nothing.
    if (copy && copy->made) (void)unlink(copy->path.c_str());
    return Fail(written.error());
  }
  output.Write("\nwrote    " + wire::Escaped(path) + "\nbefore   " + wire::Escaped(copy->path) +
               "\n" + TapesNote() + "now      " + RestartText(path) + "\nundo     midwire unwrap " +
               wire::Escaped(AsShellWord(path)) + "\n");
  return output.Finish();
}

int Unwrap(const WrapArguments& arguments) {
  if (!arguments.in_place.empty()) {
    RemovePartsBeside(arguments.in_place, arguments);
    return InPlace(arguments, UnwrapInPlace(arguments.in_place, arguments.dry_run), false);
  }
  const auto plan = MakePlan(arguments, [&](const Config& config, const auto& servers) {
    return UnwrapServers(config, servers, arguments.by_hand);
  });
  if (!plan) return Fail(plan.error());
  const std::string& path = plan->file.path;
  RemovePartsBeside(path, arguments);
  Output output;
  if (!Show(*plan, arguments, "unwrapped", "not wrapped", &output)) {
    // What an unwrap that was killed has left.
    if (!arguments.dry_run) RemoveCopies(path, plan->made.bytes, &output);
    return output.Finish();
  }
  if (Status written = io::ReplaceEditedFile(plan->file, plan->made.bytes); !written)
    return Fail(written.error());
  output.Write("\nwrote    " + wire::Escaped(path) + "\n");
  RemoveCopies(path, plan->made.bytes, &output);
  output.Write("now      " + RestartText(path) + "\n");
  return output.Finish();
}

void DeclareShared(ArgumentParser parser, WrapArguments* arguments) {
  parser.AddOption("CONFIG", &arguments->words,
                   "the host's configuration, and then the names of plugins in it (default: all)");
  parser.AddOption("--host", &arguments->host,
                   "instead of CONFIG, this host's own file: " + HostNames());
  parser.AddOption(
      "--in-place", &arguments->in_place,
      "for a host that finds plugins as files: the plugin's file, which gives its name "
      "to a launcher");
  parser.AddFlag("--dry-run", &arguments->dry_run, "print a diff, and change nothing");
}

}  // namespace

std::function<int()> DeclareWrap(ArgumentParser parser) {
  auto arguments = std::make_shared<WrapArguments>();
  DeclareShared(parser, arguments.get());
  parser.AddFlag("--list", &arguments->list,
                 "print what CONFIG or --host runs and what is wrapped there (default: all hosts "
                 "that are configured here)");
  parser.AddOption("--command", &arguments->command,
                   "what the host starts as midwire (default: the absolute path of this program)");
  std::string editors;
  for (const Snippet& snippet : Snippets()) {
    editors += (editors.empty() ? "" : ", ") + std::string(snippet.name);
  }
  parser.AddOption("--snippet", &arguments->snippet,
                   "print what to paste into an editor that is configured by code, with the "
                   "plugin's command after --: " +
                       editors);
  parser.Footer(
      "Changes only what has to change, keeps a copy of the file, and says how to undo it.\n"
      "The page doc/wrap.md has a recipe for each host. The file then names midwire by its path:\n"
      "unwrap before you remove midwire.\n\n"
      "Example:\n"
      "  midwire wrap --host claude-desktop\n"
      "  midwire wrap .vscode/mcp.json my-plugin\n"
      "  midwire wrap --snippet nvim -- clangd");
  return [arguments] { return Wrap(*arguments); };
}

std::function<int()> DeclareUnwrap(ArgumentParser parser) {
  auto arguments = std::make_shared<WrapArguments>();
  DeclareShared(parser, arguments.get());
  parser.AddFlag("--by-hand", &arguments->by_hand,
                 "also take out midwire record where midwire wrap did not put it");
  parser.Footer(
      "The file is again what it was before midwire wrap, byte for byte; other changes stay.\n\n"
      "Example:\n"
      "  midwire unwrap --host claude-desktop");
  return [arguments] { return Unwrap(*arguments); };
}

}  // namespace midwire::tools
