// midwire recover: copies what is readable in a damaged trace.
#include <memory>

#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/output.h"
#include "tools/rewrite.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

constexpr char kRecoverFooter[] =
    R"(Reports in one line how many bytes were lost and where. Each gap becomes an event in the new trace, so
that messages around it are not taken for neighbours. IN is not changed.

Exit status: 0 nothing was lost, 3 something was lost, even if it is only an unfinished record at the
end. (midwire was killed while it wrote that record, before it passed the bytes on; other commands do
not report it as damage.)

Example:
  midwire recover session.pcapng session-recovered.pcapng)";

int Recover(RewriteOptions options) {
  options.times = true;
  int exit_code = kFine;
  std::optional<Rewritten> done = RewriteOrReport(options, &exit_code);
  if (!done) return exit_code;
  std::string loss = LossText(*done);
  std::string text = std::to_string(done->copied.records) + " records written, ";
  text += loss.empty() ? "nothing was lost" : loss;
  // The report goes to stderr if the trace goes to stdout.
  Output output(options.out == "-" ? 2 : 1);
  output.Write(wire::Escaped(text) + '\n');
  const int finished = output.Finish();
  return loss.empty() ? finished : kDataLost;
}

}  // namespace

std::function<int()> DeclareRecover(ArgumentParser parser) {
  auto options = std::make_shared<RewriteOptions>();
  parser.AddOption("IN", &options->in, "tape or cassette, - for standard input").Required();
  AddOutput(parser, &options->out);
  parser.AddOption("--to", &options->to, "tape or cassette (default: by the extension of OUT)")
      .OneOf({"tape", "cassette"});
  parser.Footer(kRecoverFooter);
  return [options] { return Recover(*options); };
}

}  // namespace midwire::tools
