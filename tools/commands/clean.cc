// midwire clean: removes old tapes from the default folder, and nothing else.
#include <filesystem>
#include <memory>
#include <string>

#include "io/clock.h"
#include "io/files/stored_files.h"
#include "proxy/tape_name.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/old_tapes.h"
#include "tools/output.h"
#include "wire/json/escape.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

struct CleanArguments {
  std::string folder, older, over;
  bool dry_run = false;
};

int RemoveOldTapes(const CleanArguments& arguments) {
  CleanLimits limits;
  if (!arguments.older.empty()) {
    limits.older_ns = wire::ParseDuration(arguments.older);
    if (!limits.older_ns)
      return Fail(WrongValue("--older", arguments.older, "not a duration", "try 30d, 12h"));
  }
  if (!arguments.over.empty()) {
    const auto over = wire::ParseSize(arguments.over);
    if (!over) return Fail(WrongValue("--over", arguments.over, "not a size", "try 5G, 500M"));
    limits.over = static_cast<uint64_t>(*over);
  }
  if (!limits.older_ns && !limits.over)
    return Fail({"nothing is selected", "", "name --older 30d, --over 5G or both"});
  const auto folder =
      arguments.folder.empty() ? proxy::DefaultFolder() : Result<std::string>(arguments.folder);
  if (!folder) return Fail(folder.error());
  const Status sees = io::CanSeeOpenFiles();
  if (!sees) return Fail(sees.error());
  // The first session makes the default folder.
  const bool none_yet = arguments.folder.empty() && !std::filesystem::exists(*folder);
  const auto files = none_yet ? std::vector<io::StoredFile>() : io::ListStored(*folder, ".pcapng");
  if (!files) return Fail(files.error());
  Output output;
  uint64_t bytes = 0;
  size_t count = 0;
  bool failed = false;
  for (const io::StoredFile& file : OldTapes(*files, limits, io::SystemClock().UnixNs())) {
    if (!arguments.dry_run) {
      if (const Status removed = io::RemoveStored(file); !removed) {
        ReportError(removed.error());
        failed = true;
        continue;
      }
    }
    output.Write((arguments.dry_run ? "would remove " : "removed ") + wire::Escaped(file.path) +
                 "  " + std::to_string(file.size) + " bytes\n");
    bytes += file.size;
    ++count;
  }
  output.Write(std::to_string(count) + (count == 1 ? " tape, " : " tapes, ") +
               std::to_string(bytes) + " bytes" +
               (arguments.dry_run ? "; nothing was removed\n" : "\n"));
  const int written = output.Finish();
  return failed ? kDataLost : written;
}

}  // namespace

std::function<int()> DeclareClean(ArgumentParser parser) {
  auto arguments = std::make_shared<CleanArguments>();
  parser.AddOption("FOLDER", &arguments->folder,
                   "a folder of tapes (default: where record writes)");
  parser.AddOption("--older", &arguments->older,
                   "remove tapes last written this long ago: 30d, 12h");
  parser.AddOption("--over", &arguments->over,
                   "remove the oldest ones until all together have at most this size: 5G");
  parser.AddFlag("--dry-run", &arguments->dry_run, "print what would be removed");
  parser.Footer(
      "Removes only tapes of yours (.pcapng), and none that is still being written. No other "
      "command\n"
      "of midwire removes recordings, except record --keep.\n\n"
      "Example:\n"
      "  midwire clean --older 30d --over 5G --dry-run");
  return [arguments] { return RemoveOldTapes(*arguments); };
}

}  // namespace midwire::tools
