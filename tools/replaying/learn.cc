#include "tools/replaying/learn.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "io/files/file_sink.h"
#include "io/files/replace_file.h"
#include "io/signals.h"
#include "proxy/tape_name.h"
#include "replay/learn/background.h"
#include "replay/learn/call_names.h"
#include "replay/learn/learner.h"
#include "replay/learn/lesson.h"
#include "replay/load.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/console/shell_word.h"
#include "tools/output.h"
#include "tools/replaying/options.h"
#include "tools/replaying/plugin_run.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/writer.h"
#include "wire/counted.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

using replay::Evidence;
using replay::Lesson;

// The plugin's notifications by method, or by what declarations call them.
std::map<std::string, std::vector<std::string>> Notifications(
    replay::Loaded* loaded, const replay::CallNames* names = nullptr) {
  std::map<std::string, std::vector<std::string>> bodies;
  size_t bytes = 0;
  for (replay::StepIndex i = 0; i < loaded->script.steps.size(); ++i) {
    const replay::Step& step = loaded->script.steps[i];
    if (step.direction != wire::Direction::kPluginToHost ||
        step.kind != wire::Kind::kNotification) {
      continue;
    }
    bytes += step.size;
    if (bytes > replay::kMaxEvidence) break;
    const auto frame = loaded->frames.Get(step.at, step.size);
    if (!frame) continue;
    bodies[names ? names->OfStep(i) : loaded->script.methods[step.method]].emplace_back(
        replay::BodyOf(step, *frame));
  }
  return bodies;
}

// Without the methods that the trace's header or an option declares already.
std::vector<Lesson> UndeclaredOf(std::vector<Lesson> lessons,
                                 const replay::Declarations& declared) {
  std::erase_if(lessons, [&](const Lesson& lesson) {
    return declared.Volatile({lesson.text, {}});
  });
  return lessons;
}

void Append(const Lesson& lesson, std::string* out) {
  *out += "--" + std::string(Name(lesson.kind)) + " " + ShellQuoted(wire::Escaped(lesson.text)) +
          "\n    " + wire::Escaped(lesson.reason);
  for (size_t i = 0; i < lesson.values.size(); ++i) {
    *out += (i == 0 ? ": " : ", ") + wire::Escaped(lesson.values[i]);
  }
  if (lesson.value_count > lesson.values.size()) {
    *out += " and " + std::to_string(lesson.value_count - lesson.values.size()) + " more";
  }
  *out += "\n";
}

// Writing what was learned into the header of a cassette: in place, or for a tape into a cassette
// beside it. Everything after the first line stays byte for byte.

// As long as a line of a cassette may be (doc/trace-format.md).
constexpr size_t kMaxHeader = 8u << 20;
constexpr std::string_view kTapeEnd = ".pcapng", kCassetteEnd = ".jsonl";

// Passes everything on, the first line with the lessons in it.
class HeaderSink : public Sink {
 public:
  HeaderSink(const std::vector<replay::Lesson>* lessons, Sink* to) : lessons_(lessons), to_(to) {}

  Status Write(std::string_view bytes) override {
    if (passed_) return to_->Write(bytes);
    header_.append(bytes);
    const size_t end = header_.find('\n');
    if (end == header_.npos) {
      return header_.size() > kMaxHeader ? Status(TooLong()) : Status(Ok{});
    }
    const size_t size = end > 0 && header_[end - 1] == '\r' ? end - 1 : end;
    Result<std::string> header =
        replay::HeaderWith(std::string_view(header_).substr(0, size), *lessons_);
    if (!header) return header.error();
    if (header->size() > kMaxHeader) return TooLong();
    passed_ = true;
    return to_->Write(*header + header_.substr(size));
  }
  bool passed() const { return passed_; }

 private:
  static Error TooLong() { return {"the header is too long", "", "a line has at most 8 MiB"}; }

  const std::vector<replay::Lesson>* lessons_;
  Sink* to_;
  std::string header_;
  bool passed_ = false;
};

// "session.pcapng" -> "session.jsonl", or the next free name.
std::string FreeName(const std::string& tape) {
  const std::string stem(tape.ends_with(kTapeEnd) ? tape.substr(0, tape.size() - kTapeEnd.size())
                                                  : tape);
  std::string name = stem + std::string(kCassetteEnd);
  std::error_code error;
  for (int64_t i = 2; std::filesystem::exists(name, error); ++i) {
    name = proxy::PartName(stem + std::string(kCassetteEnd), i);
  }
  return name;
}

Status CopyBytes(trace::Source* from, std::string piece, Sink* to) {
  if (Status written = to->Write(piece); !written) return written;
  piece.resize(256 * 1024);
  while (true) {
    const Result<size_t> size = from->Read(piece.data(), piece.size());
    if (!size) return size.error();
    if (*size == 0) return Ok{};
    if (Status written = to->Write({piece.data(), *size}); !written) return written;
  }
}

// Into `to`: the cassette with another header, or a tape as a cassette, which keeps its times.
Status CopyWith(const std::vector<replay::Lesson>& lessons, const std::string& path, bool is_tape,
                std::unique_ptr<trace::Source> source, std::string start, Sink* to) {
  HeaderSink sink(&lessons, to);
  if (is_tape) {
    Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(path);
    if (!reader) return reader.error();
    const auto writer = trace::MakeWriter(trace::Format::kCassette, /*times=*/true, &sink);
    const Result<trace::CopyOutcome> copied = trace::Copy(reader->get(), writer.get());
    if (!copied) return copied.error();
    if (copied->failure) return *copied->failure;
  } else if (Status copied = CopyBytes(source.get(), std::move(start), &sink); !copied) {
    return copied;
  }
  if (!sink.passed()) {
    return Error{"the trace has no header", path, "name a tape, or a cassette with its first line"};
  }
  return Ok{};
}

struct WrittenHeader {
  std::string path;
  std::string old;  // the previous version; "" if `path` is new
};

Result<WrittenHeader> WriteLessons(const std::string& trace,
                                   const std::vector<replay::Lesson>& lessons) {
  const std::string path = io::FollowLink(trace);
  Result<std::unique_ptr<trace::Source>> source = trace::OpenSource(path);
  if (!source) return source.error();
  std::string start(64 * 1024, '\0');
  const Result<size_t> size = (*source)->Read(start.data(), start.size());
  if (!size) return size.error();
  start.resize(*size);
  const bool is_tape = start.starts_with("\x0A\x0D\x0D\x0A");
  const std::string written = is_tape ? FreeName(trace) : trace;
  Result<std::unique_ptr<io::FileSink>> sink =
      is_tape ? io::FileSink::Create(written) : io::FileSink::CreateVersion(path);
  if (!sink) return sink.error();
  const Status copied =
      CopyWith(lessons, path, is_tape, std::move(*source), std::move(start), sink->get());
  if (!copied) return copied.error();
  if (Status closed = (*sink)->Close(); !closed) return closed.error();
  return WrittenHeader{written, (*sink)->old_name()};
}

// The command that finds no difference from now on: of a tape, it names another file than before.
std::string GreenCommand(const LearnRequest& request, const std::string& path) {
  std::string text = "from now on: midwire replay " + wire::Escaped(AsShellWord(path)) + " --";
  for (const std::string& word : PluginCommand()) text += " " + wire::Escaped(AsShellWord(word));
  return text + (request.other_options ? "   (with the other options)\n" : "\n");
}

// Of 1024 orders of two items that are random, this many runs miss one.
constexpr size_t kEnoughRuns = 10;

// What fewer runs do not show: "" for enough of them.
std::string Unseen(size_t runs) {
  if (runs >= kEnoughRuns) return "";
  return "what is as recorded in half of all runs, such as the order of two items, stays unseen "
         "in " +
         std::to_string(runs) + " runs once in " + std::to_string(1u << runs) +
         " times (--learn=" + std::to_string(kEnoughRuns) + ": once in " +
         std::to_string(1u << kEnoughRuns) + ")\n";
}

// `runs`: all that were made.
int Finish(const LearnRequest& request, const std::vector<Lesson>& lessons, size_t runs) {
  Output output;
  std::string* out = output.text();
  if (lessons.empty()) {
    *out += "nothing varies: " + std::to_string(runs) + " runs are the same as the recording\n" +
            Unseen(runs);
    return output.Finish();
  }
  const Result<WrittenHeader> written = WriteLessons(request.trace, lessons);
  if (!written) return Fail(written.error(), kDifference);
  for (const Lesson& lesson : lessons) Append(lesson, out);
  *out += "wrote " + wire::Counted(lessons.size(), "declaration") + " to " +
          wire::Escaped(written->path) +
          (written->old.empty() ? " (a new cassette)"
                                : " (previous version: " + wire::Escaped(written->old) + ")") +
          "\nsame: " + std::to_string(request.runs) + " more runs with them\n" + Unseen(runs) +
          GreenCommand(request, written->path);
  return output.Finish();
}

// That --learn takes.
constexpr size_t kMostRuns = 1000;
// Places that a refusal lists.
constexpr size_t kMaxListed = 5;

// On stderr, below the error: what differs where, how to declare it, and what else to do.
void Explain(const std::vector<replay::Unlearned>& unlearned, size_t runs) {
  for (size_t i = 0; i < std::min(unlearned.size(), kMaxListed); ++i) {
    const replay::Unlearned& item = unlearned[i];
    const std::string option = "--" + std::string(Name(item.kind)) + " " + ShellQuoted(item.text);
    if (item.message == 0) {
      ReportNote(item.what + "; to accept that: " + option);
      continue;
    }
    const auto value = [](const std::string& text) { return text.empty() ? "nothing" : text; };
    ReportNote("message " + std::to_string(item.message) + ", " + item.what +
               (item.shown.line == 0 ? "" : ", line " + std::to_string(item.shown.line)) + ", in " +
               std::to_string(item.differed) + " of " + std::to_string(item.runs) + " runs:");
    ReportNote("  expected " + value(item.shown.expected));
    ReportNote("  got      " + value(item.shown.got));
    ReportNote("  to accept any value there: " + option);
  }
  if (unlearned.size() > kMaxListed) {
    ReportNote("and " + std::to_string(unlearned.size() - kMaxListed) + " more");
  }
  ReportNote("if the plugin has changed, accept that with --update");
  ReportNote("if it finds what the recorded session left, restore that with --before COMMAND");
  ReportNote("if it seldom varies, try more runs: --learn=" +
             std::to_string(std::min(runs * 4, kMostRuns)));
}

// What is still different after the last round.
std::string FirstDifference(const std::vector<Evidence>& runs) {
  for (const Evidence& run : runs) {
    for (const trace::Difference& item : run.report().differences) {
      return (item.frame == 0 ? "" : "message " + std::to_string(item.frame) + ", ") +
             std::string(trace::Name(item.difference)) + " " + item.method + item.pointer;
    }
  }
  return "";
}

}  // namespace

int Learn(const LearnRequest& request) {
  auto loaded = replay::Load(request.trace, request.options.ours, request.declared);
  if (!loaded) return Fail(loaded.error(), kUsage);
  if (request.options.speed > 0 && !(*loaded)->script.timed) {
    return Fail({"--timing: the trace has no times", request.trace,
                 "learn from the tape, or from a cassette made by midwire convert --times"},
                kUsage);
  }
  ReportWarnings(request.trace, (*loaded)->declared);
  const Result<replay::CallNames> names = replay::CallNames::Of(loaded->get(), request.labels);
  if (!names) return Fail(names.error(), kUsage);
  replay::Learner learner(Notifications(loaded->get(), &*names));
  learner.Settle(
      UndeclaredOf(replay::BackgroundLessons(Notifications(loaded->get()), request.background),
                   (*loaded)->declared));
  std::vector<Lesson> lessons;
  std::vector<Evidence> runs;
  for (size_t round = 0; round <= kMaxRounds; ++round) {
    lessons = learner.Lessons();
    replay::Declarations declared = request.declared;
    for (const Lesson& lesson : lessons) {
      if (Status added = Declare(lesson, &declared); !added)
        return Fail(added.error(), kDifference);
    }
    loaded = replay::Load(request.trace, request.options.ours, std::move(declared));
    if (!loaded) return Fail(loaded.error(), kUsage);
    if (round > 0) {
      ReportNote("round " + std::to_string(round + 1) + ": " + wire::Counted(request.runs, "run") +
                 " with " + wire::Counted(lessons.size(), "declaration"));
    }
    runs = std::vector<Evidence>(request.runs, Evidence(&*names));
    for (Evidence& evidence : runs) {
      replay::PlayerOptions options = request.options;
      options.variations = &evidence;
      Result<PluginRun> run = RunOnce({.before = request.before, .pass_stderr = false}, options,
                                      loaded->get(), nullptr);
      if (!run) return Fail(run.error(), kUsage);
      if (run->interrupted != 0) io::DieBy(run->interrupted);
      evidence.End((*loaded)->bindings, std::move(run->report));
    }
    const Result<bool> same = learner.Learn(runs, (*loaded)->script, (*loaded)->declared);
    if (!same) {
      ReportError(same.error());
      if (!learner.unlearned().empty()) Explain(learner.unlearned(), runs.size());
      return kDifference;
    }
    if (*same) {
      if (learner.only_first_as_recorded()) {
        ReportNote(
            "only the first run was as recorded: if the others found what a run before them left, "
            "restore that before each run with --before COMMAND, and learn again");
      }
      return Finish(request, lessons, request.runs * (round + 1));
    }
  }
  return Fail({"cannot learn: still not the same after " + std::to_string(kMaxRounds + 1) +
                   " rounds of runs",
               FirstDifference(runs), "nothing is changed"},
              kDifference);
}

}  // namespace midwire::tools
