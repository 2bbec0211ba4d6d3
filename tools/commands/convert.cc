// midwire convert: writes a tape as a cassette, or a cassette as a tape.

#include <memory>

#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/import_log.h"
#include "tools/rewrite.h"
#include "trace/reader.h"

namespace midwire::tools {
namespace {

constexpr char kConvertFooter[] =
    R"(A tape (.pcapng) holds everything. A cassette (.jsonl) holds one message per line, for people, jq and
git. It keeps every byte and the order of messages. With --times it also keeps times and segments, and
converting it back gives the same tape, byte for byte. A log of another program becomes a trace as with
midwire import, which also joins two files of tee (stdin and stdout).

Examples:
  midwire convert session.pcapng session.jsonl
  midwire convert --portable session.pcapng session.jsonl
  midwire convert session.pcapng - --to cassette | jq -c .message
  midwire convert session.jsonl session.pcapng && tshark -r session.pcapng)";

// A log of another program is imported: users have one file and want a trace.
bool IsLog(const RewriteOptions& options) {
  return !options.portable && !LogTitle(options.in).empty() && !trace::OpenTrace(options.in);
}

int Convert(const RewriteOptions& options) {
  if (IsLog(options)) {
    ImportOptions log;
    log.logs = {options.in};
    log.out = options.out;
    log.to = options.to;
    return ImportOrReport(log);
  }
  int exit_code = kFine;
  std::optional<Rewritten> done = RewriteOrReport(options, &exit_code);
  if (!done) return exit_code;
  std::string loss = LossText(*done);
  if (done->lost()) {
    ReportWarning(loss);
  } else if (!loss.empty()) {
    ReportNote(loss);
  }
  return done->lost() ? kDataLost : kFine;
}

}  // namespace

std::function<int()> DeclareConvert(ArgumentParser parser) {
  auto options = std::make_shared<RewriteOptions>();
  parser.AddOption("IN", &options->in, "tape or cassette, - for standard input").Required();
  AddOutput(parser, &options->out);
  parser.AddOption("--to", &options->to, "tape or cassette (default: by the extension of OUT)")
      .OneOf({"tape", "cassette"});
  parser.AddFlag("--times", &options->times, "keep times and segments in a cassette");
  parser.AddFlag(
      "--portable", &options->portable,
      "write {cwd} and {home} in place of the recorded working and home directory, so that "
      "the cassette replays and mocks in another checkout and for another person");
  parser.Footer(kConvertFooter);
  return [options] { return Convert(*options); };
}

}  // namespace midwire::tools
