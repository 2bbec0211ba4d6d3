#include "tools/rewrite.h"

#include "io/current_host.h"
#include "io/files/file_sink.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/portable.h"
#include "tools/read_ahead.h"
#include "trace/cassette_writer.h"
#include "wire/counted.h"

namespace midwire::tools {

using trace::Format;

void AddOutput(ArgumentParser parser, std::string* out) {
  parser.AddOption(
      "OUT", out,
      "the file to write, - for standard output; an existing file is never overwritten");
  parser.AddOption("-o,--output", out, "the file to write, in place of OUT").Excludes("OUT");
}

Result<Format> OutputFormat(const RewriteOptions& options) {
  if (options.out.empty()) return Error{"missing OUT", "", "name a file, or - for standard output"};
  if (options.portable && (options.to == "tape" || options.out.ends_with(".pcapng"))) {
    return Error{"--portable: only a cassette can be portable", options.out, "name it .jsonl"};
  }
  if (options.to == "tape") return Format::kTape;
  if (options.to == "cassette") return Format::kCassette;
  if (options.out.ends_with(".pcapng")) return Format::kTape;
  if (options.out.ends_with(".jsonl")) return Format::kCassette;
  return Error{"unknown output format", options.out,
               "name it .pcapng or .jsonl, or add --to tape or --to cassette"};
}

namespace {

// An error about the content of the trace names it.
Error Named(Error error, const std::string& path) {
  if (error.where.empty()) error.where = path;
  return error;
}

}  // namespace

std::unique_ptr<trace::TraceWriter> WriterOf(Format format, bool times,
                                             std::optional<wire::Framing> framing, Sink* sink) {
  if (format == Format::kTape) return trace::MakeWriter(format, times, sink);
  auto writer = std::make_unique<trace::CassetteWriter>(sink, times);
  writer->Expect(framing);
  return writer;
}

Result<Rewritten> Rewrite(const RewriteOptions& options, Format format, bool* writing) {
  *writing = false;
  const std::optional<wire::Framing> framing = ExpectedFraming(options.in);
  Result<std::unique_ptr<trace::TraceReader>> reader = OpenTraceOnce(options.in);
  if (!reader) return reader.error();
  Result<std::unique_ptr<io::FileSink>> sink = io::FileSink::Create(options.out);
  if (!sink) return sink.error();
  *writing = true;
  std::unique_ptr<trace::TraceWriter> writer =
      WriterOf(format, options.times, framing, sink->get());
  PortableWriter portable(writer.get(), io::GetCurrentHost().home);
  portable.Expect(framing);
  trace::TraceWriter* const to = options.portable ? &portable : writer.get();
  Result<trace::CopyOutcome> copied = trace::Copy(reader->get(), to);
  // On an error the sink is not closed and so leaves no file: half a trace under the name of a
  // whole one would be worse than none.
  if (portable.refused()) *writing = false;
  if (!copied) return Named(copied.error(), options.in);
  // Such as a cassette of a later version: an empty trace would seem to be one.
  if (copied->failure && copied->records == 0) {
    *writing = false;
    return Named(*copied->failure, options.in);
  }
  if (Status closed = (*sink)->Close(); !closed) return closed.error();
  return Rewritten{*copied, (*reader)->damaged_bytes(), (*reader)->torn_bytes()};
}

std::optional<Rewritten> RewriteOrReport(const RewriteOptions& options, int* exit_code) {
  bool writing = false;
  Result<Format> format = OutputFormat(options);
  Result<Rewritten> done = format ? Rewrite(options, *format, &writing) : format.error();
  if (done) return *done;
  ReportError(done.error());
  *exit_code = writing ? kDataLost : kUsage;
  return std::nullopt;
}

std::string LossText(const Rewritten& rewritten) {
  const trace::CopyOutcome& copied = rewritten.copied;
  std::string text;
  if (copied.gaps > 0) {
    text = "lost " + wire::Counted(rewritten.damaged_bytes, "byte") + " in " +
           std::to_string(copied.gaps) +
           (copied.gaps == 1 ? " place, at" : " places, the first at") + " " +
           copied.first_gap.Place() + " (" + copied.first_gap.reason + ")";
  }
  if (rewritten.torn_bytes > 0) {
    if (!text.empty()) text += ", and ";
    text += "left out " + wire::Counted(rewritten.torn_bytes, "byte") +
            " of an unfinished record at the end";
  }
  if (copied.failure) {
    if (!text.empty()) text += ", and ";
    text += "reading stopped: " + copied.failure->Text();
  }
  return text;
}

}  // namespace midwire::tools
