// midwire findings: lists what midwire fuzz has saved, the worst first, and how to play it again.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/cause.h"
#include "fuzz/oracle/explain.h"
#include "fuzz/oracle/reason.h"
#include "io/files/write_file.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/console/shell_word.h"
#include "tools/fuzzing/replay_finding.h"
#include "tools/output.h"
#include "tools/output_files.h"
#include "tools/read_trace.h"
#include "tools/terminal.h"
#include "trace/event.h"
#include "view/findings/saved_findings.h"
#include "wire/counted.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

namespace fs = std::filesystem;

// Cassettes of a folder: a job keeps 1000 keys, and a longer list is not read.
constexpr size_t kMaxCassettes = 10'000;
// Of the stderr of a finding: the first part has the cause.
constexpr size_t kMaxErr = 256 * 1024;

constexpr char kFindingsFooter[] =
    R"(FOLDER is the one of midwire fuzz -o, or its findings/, or a single cassette. doc/fuzz.md has the
severities. The list of a finding has its key as the cause, and of its input at most five lines: the whole is
in the cassette (midwire show). Cassettes of one cause and command are one finding: the smallest, which names
the others (also).

Exit status: 0 no findings but notes, 1 errors or warnings, 2 no such folder or a usage error, 3 a cassette
cannot be read, or a report cannot be written.

Examples:
  midwire findings
  midwire findings midwire-fuzz --html findings.html --md findings.md
  midwire findings midwire-fuzz --sarif fuzz.sarif --junit fuzz.xml)";

struct FindingsArguments {
  std::string folder = "midwire-fuzz", html, md, sarif, junit;
  bool no_pager = false;
};

// The command, the stderr and the messages of a cassette.
class FindingListener : public TraceListener {
 public:
  explicit FindingListener(fuzz::Explainer* explainer) : explainer_(explainer) {}
  void OnRecord(const trace::Record& record) override {
    for (const auto from : {wire::Direction::kHostToPlugin, wire::Direction::kPluginToHost}) {
      if (record.stream != trace::StreamOf(from) || over_) continue;
      explainer_->On(from, std::string(record.head).append(record.body));
      any_ = true;
    }
    if (record.stream == trace::Stream::kStderr && err.size() < kMaxErr) err += record.body;
    if (record.stream != trace::Stream::kEvents || !argv.empty()) return;
    const auto event = trace::ParseEvent(record.body);
    if (!event) return;
    if (const auto* spawn = std::get_if<trace::SpawnEvent>(&*event)) argv = spawn->argv;
  }
  void OnSection() override { over_ = any_; }
  std::vector<std::string> argv;
  std::string err;

 private:
  fuzz::Explainer* explainer_;
  bool any_ = false, over_ = false;
};

// The index of the message that shows the finding. At the end of stdin none does.
std::optional<size_t> PartAtFault(const fuzz::FindingRecord& record, const fuzz::Input& input,
                                  const fuzz::Explainer& explainer) {
  if (!explainer.fault_at()) return std::nullopt;
  if (record.eof && record.oracle != fuzz::Oracle::kLostAtEof && !explainer.any()) {
    return std::nullopt;
  }
  size_t end = 0;
  for (size_t i = 0; i < input.parts.size(); ++i) {
    end += input.parts[i].bytes.size();
    if (*explainer.fault_at() < end) return i;
  }
  return std::nullopt;
}

// What explains the end of the process, else the first line that is not blank.
std::string TellingLine(std::string_view err) {
  if (fuzz::Reason reason = fuzz::ReasonOf(err); !reason.line.empty()) return reason.line;
  err.remove_prefix(std::min(err.find_first_not_of(" \t\r\n"), err.size()));
  return std::string(err.substr(0, err.find('\n')));
}

// The body alone, if its frame is as usual.
std::string ShownPart(const fuzz::Part& part) {
  if (part.junk()) return part.bytes;
  const std::string body(part.body());
  return fuzz::Framed(body, part.framing).bytes == part.bytes ? body : part.bytes;
}

std::string ReplayCommand(const std::string& cassette, const std::vector<std::string>& argv) {
  std::string command = "midwire replay " + AsShellWord(cassette) + " --";
  for (const std::string& word : argv) command += " " + AsShellWord(word);
  if (argv.empty()) command += " PLUGIN";
  return wire::Escaped(command);
}

std::string SentText(const fuzz::FindingRecord& record, const fuzz::Input& input) {
  return wire::Counted(input.parts.size(), "message") + ", " + wire::Counted(input.size(), "byte") +
         ", " + std::string(Name(record.pace)) + (record.eof ? ", then the end of stdin" : "");
}

struct RankedFinding {
  fuzz::FindingRank rank;
  // Equal for cassettes of one fault: what reduce has made of one is beside it.
  std::string fault;
  size_t messages = 0, bytes = 0;
  view::SavedFinding finding;
};

std::string FaultOf(const fuzz::FindingRecord& record, const std::vector<std::string>& argv) {
  std::string fault = record.of_host ? "host" : "plugin";
  fault += '\0' + fuzz::CauseOf(record.key);
  for (const std::string& word : argv) fault += '\0' + word;
  return fault;
}

// Of each fault the first in the order of reliability and size; it names the other cassettes.
std::vector<RankedFinding> OfEachFault(std::vector<RankedFinding> all) {
  std::stable_sort(all.begin(), all.end(), [](const RankedFinding& a, const RankedFinding& b) {
    return std::tie(a.fault, a.rank.flaky, a.messages, a.bytes) <
           std::tie(b.fault, b.rank.flaky, b.messages, b.bytes);
  });
  std::vector<RankedFinding> faults;
  for (RankedFinding& each : all) {
    if (faults.empty() || faults.back().fault != each.fault) {
      faults.push_back(std::move(each));
      continue;
    }
    view::SavedFinding& kept = faults.back().finding;
    kept.also.push_back(each.finding.cassette);
    if (each.finding.like_count <= kept.like_count) continue;
    kept.like = std::move(each.finding.like);
    kept.like_count = each.finding.like_count;
  }
  return faults;
}

bool IsFlaky(const fuzz::FindingRecord& record) {
  return record.hits == 0 || record.hits < record.tries;
}

// nullopt: a cassette without a finding.
Result<std::optional<RankedFinding>> LoadFinding(const std::string& cassette) {
  const auto record = FindingOf(cassette);
  if (!record) return record.error();
  if (!*record) return std::optional<RankedFinding>();
  const fuzz::FindingRecord& saved = **record;
  // Only what a dialect does not allow is not shown without it, which takes time to load.
  const bool of_dialect = saved.oracle == fuzz::Oracle::kDialect;
  auto loaded = LoadCase(cassette, of_dialect ? DialectOf(saved, cassette) : "none", &saved);
  if (!loaded && of_dialect) loaded = LoadCase(cassette, "none", &saved);
  if (!loaded) return loaded.error();
  if (loaded->missing) return *loaded->missing;
  fuzz::Explainer explainer(&loaded->seeds->seeds, OracleOptionsOf(saved, loaded->seeds.get()),
                            saved.probes_sync, {saved.oracle, saved.key});
  FindingListener listener(&explainer);
  const auto ending = ReadTrace(cassette, /*follow=*/false, &listener);
  if (!ending) return ending.error();
  explainer.End();
  std::vector<std::string> sent;
  for (const fuzz::Part& part : loaded->life.input.parts) sent.push_back(ShownPart(part));
  const fuzz::FaultKind kind = KindOf(saved);
  RankedFinding ranked = {.rank = {.kind = kind, .flaky = IsFlaky(saved), .key = saved.key},
                          .fault = FaultOf(saved, listener.argv),
                          .messages = loaded->life.input.parts.size(),
                          .bytes = loaded->life.input.size(),
                          .finding = {}};
  view::SavedFinding& finding = ranked.finding;
  finding.cassette = cassette;
  finding.severity = Name(SeverityOf(kind));
  finding.kind = Name(kind);
  finding.oracle = Name(saved.oracle);
  finding.key = saved.key;
  finding.text = saved.text;
  finding.err = TellingLine(listener.err);
  if (saved.text.find(finding.err) != saved.text.npos) finding.err.clear();
  finding.like = saved.like;
  finding.like_count = saved.like_count;
  finding.input = view::InputLines(sent, PartAtFault(saved, loaded->life.input, explainer));
  finding.sent = SentText(saved, loaded->life.input);
  if (IsFlaky(saved)) {
    finding.flaky = saved.hits == 0
                        ? "occurred once"
                        : std::to_string(saved.hits) + " of " + std::to_string(saved.tries);
  }
  finding.command = ReplayCommand(cassette, listener.argv);
  finding.dialect = saved.dialect;
  return std::optional<RankedFinding>(std::move(ranked));
}

// Sorted. An error: there is no such folder.
Result<std::vector<std::string>> CassettesOf(const std::string& folder) {
  std::error_code error;
  if (fs::is_regular_file(folder, error)) return std::vector<std::string>{folder};
  const fs::path below = fs::path(folder) / "findings";
  const fs::path place = fs::is_directory(below, error) ? below : fs::path(folder);
  std::vector<std::string> cassettes;
  fs::directory_iterator entry(place, error);
  if (error) {
    return Error{"cannot read the folder of findings", place.string() + ": " + error.message(),
                 "name the folder of midwire fuzz -o, or a cassette in it"};
  }
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code none;
    if (entry->path().extension() != ".jsonl" || !entry->is_regular_file(none)) continue;
    cassettes.push_back(entry->path());
  }
  std::sort(cassettes.begin(), cassettes.end());
  return cassettes;
}

// Returns kFine, or kDataLost.
int WriteFindingReports(const FindingsArguments& arguments,
                        const std::vector<view::SavedFinding>& findings) {
  int code = kFine;
  const auto write = [&](const std::string& path, const char* what, auto append) {
    if (path.empty()) return;
    std::string text;
    append(findings, &text);
    // They hold what was sent, as the cassettes do.
    if (io::WriteFile(path, text, 0600)) return;
    ReportError({std::string("cannot write the ") + what + " report", path, strerror(errno)});
    code = kDataLost;
  };
  write(arguments.html, "HTML", view::AppendSavedHtml);
  write(arguments.md, "Markdown", view::AppendSavedMarkdown);
  write(arguments.sarif, "SARIF", view::AppendSavedSarif);
  write(arguments.junit, "JUnit", view::AppendSavedJunit);
  return code;
}

int ListFindings(const FindingsArguments& arguments) {
  auto cassettes = CassettesOf(arguments.folder);
  if (!cassettes) return Fail(cassettes.error());
  if (cassettes->size() > kMaxCassettes) {
    ReportWarning("only the first " + std::to_string(kMaxCassettes) + " of " +
                  wire::Counted(cassettes->size(), "cassette") + " are read");
    cassettes->resize(kMaxCassettes);
  }
  const Status can = CanOverwrite({{"--html", arguments.html},
                                   {"--md", arguments.md},
                                   {"--sarif", arguments.sarif},
                                   {"--junit", arguments.junit}},
                                  *cassettes);
  if (!can) return Fail(can.error());
  const bool named = cassettes->size() == 1 && cassettes->front() == arguments.folder;
  int read = kFine;
  std::vector<RankedFinding> ranked;
  for (const std::string& cassette : *cassettes) {
    auto loaded = LoadFinding(cassette);
    if (!loaded && named) return Fail(loaded.error());
    if (!loaded) {
      ReportError(loaded.error());
      read = kDataLost;
    } else if (*loaded) {
      ranked.push_back(std::move(**loaded));
    } else if (named) {
      return Fail({"not a finding", cassette, "name a cassette that midwire fuzz has written"});
    }
  }
  ranked = OfEachFault(std::move(ranked));
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.rank < b.rank; });
  std::vector<view::SavedFinding> findings;
  for (RankedFinding& each : ranked) findings.push_back(std::move(each.finding));
  Output output;
  output.Page(!arguments.no_pager);
  view::AppendSavedText(findings, StyleOf(1, "never").width, output.text());
  const int written = WriteFindingReports(arguments, findings);
  const int printed = output.Finish();
  if (printed != kFine || written != kFine) return kDataLost;
  const view::SeverityCounts counts = view::CountSeverities(findings);
  return counts.errors + counts.warnings > 0 ? kDifference : read;
}

}  // namespace

std::function<int()> DeclareFindings(ArgumentParser parser) {
  auto arguments = std::make_shared<FindingsArguments>();
  parser
      .AddOption("FOLDER", &arguments->folder,
                 "where midwire fuzz has put its findings, or the cassette of one")
      .ShowDefault();
  parser.AddOption("--html", &arguments->html, "also write a page to this file");
  parser.AddOption("--md", &arguments->md, "also write Markdown to this file, for an issue");
  parser.AddOption("--sarif", &arguments->sarif, "also write a SARIF 2.1.0 report to this file");
  parser.AddOption("--junit", &arguments->junit,
                   "also write a JUnit XML report to this file, with a test per finding");
  AddNoPager(parser, &arguments->no_pager);
  parser.Footer(kFindingsFooter);
  return [arguments] { return ListFindings(*arguments); };
}

}  // namespace midwire::tools
