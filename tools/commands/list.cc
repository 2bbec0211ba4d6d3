// midwire list: prints the recorded sessions of a folder, the newest last.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/files/stored_files.h"
#include "io/local_time.h"
#include "io/signals.h"
#include "proxy/tape_name.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/showing/tape_summary.h"
#include "tools/terminal.h"
#include "view/text/sessions_report.h"

namespace midwire::tools {
namespace {

constexpr char kListFooter[] =
    R"(Tapes above 64 MiB, and older ones when 256 MiB were read, are listed without counts, so that the list is
quick; --exact counts them too. A session that is still recorded is "running"; one whose recording did not end
as it should is "cut off".

Examples:
  midwire list
  midwire list -n 20 build/tapes
  midwire list --json | jq -r 'select(.failed > 0) | .file')";

// A tape that takes longer to read than anyone wants to wait for a list, and all tapes together.
constexpr uint64_t kMaxCountedTape = 64u << 20, kMaxCountedBytes = 256u << 20;
constexpr uint64_t kMostListed = 1'000'000;

struct ListArguments {
  std::string folder, color = "auto";
  uint64_t last = 0;
  bool no_pager = false, exact = false, utc = false, json = false;
};

// Tapes and cassettes, by their last write.
Result<std::vector<io::StoredFile>> TracesIn(const std::string& folder) {
  std::vector<io::StoredFile> all;
  for (const char* suffix : {".pcapng", ".jsonl"}) {
    Result<std::vector<io::StoredFile>> files = io::ListStored(folder, suffix);
    if (!files) return files.error();
    all.insert(all.end(), std::make_move_iterator(files->begin()),
               std::make_move_iterator(files->end()));
  }
  std::stable_sort(all.begin(), all.end(), [](const io::StoredFile& a, const io::StoredFile& b) {
    return a.modified_ns < b.modified_ns;
  });
  return all;
}

int64_t NoOffset(int64_t) { return 0; }

int List(const ListArguments& arguments) {
  const Result<std::string> folder =
      arguments.folder.empty() ? proxy::DefaultFolder() : arguments.folder;
  if (!folder) return Fail(folder.error());
  // The first session makes the default folder.
  const bool none_yet = arguments.folder.empty() && !std::filesystem::exists(*folder);
  const auto files = none_yet ? std::vector<io::StoredFile>() : TracesIn(*folder);
  if (!files) return Fail(files.error());
  io::IgnoreSignals({SIGIO});  // of has_writer.h
  const size_t listed =
      arguments.last == 0 ? files->size() : std::min<size_t>(files->size(), arguments.last);
  TapeSummarizer summarizer;
  std::vector<view::ListedSession> sessions;
  uint64_t read = 0, uncounted = 0;
  // The newest first, as they are counted before the others.
  for (size_t i = 0; i < listed; ++i) {
    const io::StoredFile& file = (*files)[files->size() - 1 - i];
    const bool count =
        arguments.exact || (file.size <= kMaxCountedTape && read + file.size <= kMaxCountedBytes);
    if (count) read += file.size;
    uncounted += !count;
    sessions.push_back(summarizer.Summarize(file, count));
  }
  std::reverse(sessions.begin(), sessions.end());
  std::stable_sort(sessions.begin(), sessions.end(),
                   [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
  Output output;
  output.Page(!arguments.no_pager);
  if (arguments.json) {
    view::AppendSessionsJson(sessions, output.text());
  } else if (!sessions.empty()) {
    view::AppendSessionsText(sessions, arguments.utc ? NoOffset : io::LocalOffset,
                             StyleOf(1, arguments.color), output.text());
  }
  const int written = output.Finish();
  if (sessions.empty()) {
    ReportNote("no sessions in " + *folder + "; record one with: midwire record -- PLUGIN");
  } else if (uncounted > 0) {
    ReportNote(std::to_string(uncounted) + (uncounted == 1 ? " large tape was" : " tapes were") +
               " not counted; --exact counts all");
  }
  return written;
}

}  // namespace

std::function<int()> DeclareList(ArgumentParser parser) {
  auto arguments = std::make_shared<ListArguments>();
  parser.AddOption("FOLDER", &arguments->folder,
                   "a folder of tapes (default: where record writes)");
  parser.AddOption("-n,--last", &arguments->last, "print only the last N sessions")
      .TypeName("N")
      .Between(1, kMostListed);
  parser.AddFlag("--exact", &arguments->exact, "count the messages of all tapes, however large");
  parser.AddFlag("--utc", &arguments->utc, "print UTC times instead of local ones");
  parser.AddFlag("--json", &arguments->json, "print one JSON object per line (doc/show-json.md)");
  parser
      .AddOption("--color", &arguments->color,
                 "use colors; auto: if the output is a terminal and NO_COLOR is not set")
      .OneOf({"auto", "always", "never"});
  AddNoPager(parser, &arguments->no_pager);
  parser.Footer(kListFooter);
  return [arguments] { return List(*arguments); };
}

}  // namespace midwire::tools
