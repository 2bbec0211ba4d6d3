// midwire corpus: writes seeds, messages and a dictionary for a fuzzer from traces.
#include "fuzz/corpus.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/files/new_files.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/load_dialect.h"
#include "tools/output.h"
#include "tools/read_trace.h"
#include "trace/dialect/detect.h"
#include "wire/counted.h"

namespace midwire::tools {
namespace {

constexpr char kCorpusFooter[] =
    R"(Writes to the folder:
  seeds/     wire bytes sent by one party, one file per session and one per kind of message: the corpus
             of a fuzz target
  messages/  the JSON of the first message of each kind, of both parties
Existing files stay. If a file of the same name has other contents, it is an error and nothing is
written. Seeds contain recorded data: run midwire redact on a trace before you share its corpus.

The dictionary has the vocabulary of the dialects detected from the first messages of each trace.

Exit status: 0 written, 2 no such trace, no messages in it, or a file is in the way, 3 a trace is damaged
and the corpus is from its readable part, or the corpus cannot be written.

Examples:
  midwire corpus session.pcapng -o corpus --dict corpus/fuzz.dict
  midwire corpus *.jsonl -o corpus --dialect my-protocol.json --role plugin
  ./my_decoder_fuzz -dict=corpus/fuzz.dict corpus/seeds)";

struct CorpusArguments {
  std::vector<std::string> traces;
  std::string folder, dictionary, dialect, role = "host";
};

// Collects the records of all traces into one corpus, and the opening messages of each trace.
class CorpusListener : public TraceListener, private trace::SessionHandler {
 public:
  explicit CorpusListener(wire::Direction role) : corpus_(role) {}

  void StartTrace(const std::string& path) {
    session_.OnSection();
    session_.Expect(ExpectedFraming(path));
    openings_.emplace_back();
    const std::string stem = std::filesystem::path(path).stem().string();
    corpus_.StartTrace(path == "-" ? "stdin" : stem);
  }
  void Finish() { session_.OnSection(); }
  void OnRecord(const trace::Record& record) override { session_.OnRecord(record); }
  void OnSection() override { session_.OnSection(); }
  void OnDamage(const trace::Damage&) override { session_.OnGap(); }

  fuzz::Corpus* corpus() { return &corpus_; }
  const std::vector<trace::Opening>& openings() const { return openings_; }

 private:
  void OnMessage(const trace::RecordedMessage& recorded) override {
    corpus_.OnMessage(recorded);
    if (!openings_.back().full()) openings_.back().OnMessage(recorded);
  }
  void OnElement(const trace::RecordedMessage& element) override {
    if (!openings_.back().full()) openings_.back().OnElement(element);
  }
  void OnJunk(const trace::RecordedJunk& recorded) override { corpus_.OnJunk(recorded); }
  void OnSectionEnd(const wire::Exchanges& exchanges) override { corpus_.OnSectionEnd(exchanges); }

  fuzz::Corpus corpus_;
  std::vector<trace::Opening> openings_;  // one per trace
  trace::Session session_{this, fuzz::kMaxSeedSize};
};

// Adds the vocabulary of the named dialect, or of the built-in dialects that are detected in the
// traces.
Status AddDialect(const std::string& name, CorpusListener* listener) {
  if (name == "none") return Ok{};
  if (!name.empty()) {
    const Result<wire::Dialect> dialect = LoadNamedDialect(name, /*strict=*/false);
    if (!dialect) return dialect.error();
    listener->corpus()->words()->AddDialect(*dialect);
    return Ok{};
  }
  std::map<std::string, std::string> spoken;  // by name: how sure
  for (const trace::Opening& opening : listener->openings()) {
    const trace::Detection found = trace::Detect(opening, trace::BuiltInOutlines());
    if (found.dialect != nullptr) spoken.emplace(found.name(), DetectedText(found));
  }
  std::string texts;
  for (const auto& [spoken_name, text] : spoken) {
    const Result<wire::Dialect> dialect = LoadNamedDialect(spoken_name, /*strict=*/false);
    if (!dialect) return dialect.error();
    listener->corpus()->words()->AddDialect(*dialect);
    texts += text + "; ";
  }
  if (!spoken.empty()) ReportNote(texts + "use --dialect to name another, or none");
  return Ok{};
}

// Outputs are checked before anything is read, because reading may take long.
Status HasRoomFor(const CorpusArguments& arguments) {
  const std::string seeds = arguments.folder + "/seeds", any_seed = seeds + "/x";
  if (const Status folder = io::HasRoom(any_seed); !folder) {
    Error error = folder.error();
    if (error.where == any_seed) error.where = seeds;
    return error;
  }
  if (arguments.dictionary.empty()) return Ok{};
  return io::HasRoom(arguments.dictionary);
}

int WriteCorpus(const CorpusArguments& arguments) {
  const Status has_room = HasRoomFor(arguments);
  if (!has_room) return Fail(has_room.error());
  CorpusListener listener(arguments.role == "host" ? wire::Direction::kHostToPlugin
                                                   : wire::Direction::kPluginToHost);
  int code = kFine;
  for (const std::string& path : arguments.traces) {
    listener.StartTrace(path);
    const Result<ReadOutcome> ending = ReadTrace(path, /*follow=*/false, &listener);
    if (!ending) return Fail(ending.error());
    code = std::max(code, ReportOutcome(*ending, arguments.traces.size() > 1 ? path : ""));
  }
  listener.Finish();
  fuzz::Corpus& corpus = *listener.corpus();
  if (corpus.messages() == 0) {
    return Fail(
        {"no messages in the trace", arguments.traces.front(), "look at it with midwire show"});
  }
  std::string dictionary;
  if (!arguments.dictionary.empty()) {
    const Status added = AddDialect(arguments.dialect, &listener);
    if (!added) return Fail(added.error());
    dictionary = corpus.words()->Dictionary();
  }
  if (corpus.cut_sessions() > 0) {
    ReportNote(wire::Counted(corpus.cut_sessions(), "session") +
               " longer than 1 MiB: the seed is cut");
  }
  if (corpus.left_out() > 0) {
    ReportNote(wire::Counted(corpus.left_out(), "file") + " left out, too many");
  }
  if (corpus.kinds_left_out()) {
    ReportNote("more than " + std::to_string(fuzz::kMaxCorpusFiles) +
               " kinds of messages: the first ones are in the corpus");
  }
  std::vector<io::NewFile> files;
  size_t seeds = 0;
  for (const auto& [path, bytes] : corpus.files()) {
    files.push_back({arguments.folder + "/" + path, bytes});
    seeds += path.starts_with("seeds/");
  }
  const size_t messages = files.size() - seeds;
  if (!dictionary.empty()) files.push_back({arguments.dictionary, dictionary});
  const auto missing = io::MissingFiles(files);
  if (!missing) return Fail(missing.error());
  for (const io::NewFile& file : *missing) {
    const Status written = io::WriteWithFolders(file);
    if (!written) return ReportError(written.error()), kDataLost;
  }
  const size_t there = files.size() - missing->size();
  Output output;
  std::string text = wire::Counted(seeds, "seed") + ", " + wire::Counted(messages, "message");
  if (!dictionary.empty()) {
    const auto tokens = std::count(dictionary.begin(), dictionary.end(), '\n');
    text += ", a dictionary of " + wire::Counted(static_cast<uint64_t>(tokens), "line");
  }
  if (there > 0) text += "; " + std::to_string(there) + " of the files existed already";
  output.Write(text + "\n");
  return std::max(output.Finish(), code);
}

}  // namespace

std::function<int()> DeclareCorpus(ArgumentParser parser) {
  auto arguments = std::make_shared<CorpusArguments>();
  parser.AddOption("TRACE", &arguments->traces, "tapes or cassettes, - for standard input")
      .Required();
  parser.AddOption("-o,--output", &arguments->folder, "folder to write to; created if missing")
      .TypeName("FOLDER")
      .Required();
  parser.AddOption(
      "--dict", &arguments->dictionary,
      "write a dictionary for libFuzzer or AFL++ to this file: words of the traces and "
      "of their dialect");
  parser
      .AddOption("--dialect", &arguments->dialect,
                 "for --dict: a built-in dialect, a file, or none (default: the built-in dialects "
                 "detected in the traces)")
      .Needs("--dict");
  parser
      .AddOption("--role", &arguments->role,
                 "the party whose bytes become seeds: host (default; to fuzz a plugin) or plugin")
      .OneOf({"host", "plugin"});
  parser.Footer(kCorpusFooter);
  return [arguments] { return WriteCorpus(*arguments); };
}

}  // namespace midwire::tools
