// midwire bundle: writes a ZIP archive of a trace for a bug report.
#include "tools/bundling/bundle.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "io/files/write_file.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/output_files.h"
#include "tools/read_trace.h"
#include "wire/counted.h"

namespace midwire::tools {
namespace {

constexpr char kBundleFooter[] =
    R"(The archive has the session without its secrets, as tape and as cassette, its page for a browser, what
check finds, the versions of midwire and the system, the plugin's command, and a README that says how to
replay it. Secrets are found and replaced as by midwire redact without options: what was replaced, and what
only looks like a secret and stays, is printed before the archive is written. To replace more, run midwire
redact with --secret, --secret-key or --secret-regex first, and bundle its output.

Exit status: 0 written, 2 no such trace, bad option, or FILE exists without --force; 3 written, but the trace is
damaged, or FILE cannot be written. With --audit: 0 no secrets, 1 secrets found.

Examples:
  midwire bundle session.pcapng --audit
  midwire bundle session.pcapng -o bug.zip)";

struct BundleArguments {
  std::string trace, output, dialect;
  bool force = false, audit = false;
};

Status CanWriteArchive(const BundleArguments& arguments) {
  if (arguments.audit) {
    if (arguments.output.empty()) return Ok{};
    return Error{"--audit: writes no file", arguments.output, "leave -o out"};
  }
  if (arguments.output.empty() || arguments.output == "-") {
    return Error{"no output is named", "", "midwire bundle TRACE -o bug.zip"};
  }
  const Status can = CanOverwrite({{"-o", arguments.output}}, {arguments.trace, arguments.dialect});
  if (!can) return can;
  return CanCreateOutput(arguments.output,
                         arguments.force ? OldOutput::kReplaced : OldOutput::kNeedsForce);
}

Status WriteArchive(const BundleArguments& arguments, const std::string& archive) {
  if (!arguments.force) return io::WriteNewFile(arguments.output, archive);
  if (io::WriteFile(arguments.output, archive, 0600)) return Ok{};
  return Error{"cannot write the archive", arguments.output, strerror(errno)};
}

int BundleTrace(BundleArguments arguments) {
  if (arguments.trace.empty()) {
    Result<std::string> newest = NewestTrace();
    if (!newest) return Fail(newest.error());
    arguments.trace = *newest;
  }
  if (Status can = CanWriteArchive(arguments); !can) return Fail(can.error());
  const Result<Bundle> bundle = MakeBundle(arguments.trace, arguments.dialect);
  if (!bundle) return Fail(bundle.error());
  Output output;
  output.Write(bundle->audit);
  if (const int shown = output.Finish(); shown != kFine) return shown;
  if (arguments.audit) return bundle->secrets > 0 ? kDifference : bundle->code;
  const Result<std::string> archive = ZipArchive(bundle->files);
  if (!archive) return Fail(archive.error(), kDataLost);
  if (Status written = WriteArchive(arguments, *archive); !written)
    return Fail(written.error(), kDataLost);
  ReportNote("wrote " + wire::Counted(bundle->files.size(), "file") + ", " +
             wire::Counted(archive->size(), "byte") + ": " + arguments.output);
  return bundle->code;
}

}  // namespace

std::function<int()> DeclareBundle(ArgumentParser parser) {
  auto arguments = std::make_shared<BundleArguments>();
  parser.AddOption("TRACE", &arguments->trace,
                   "tape or cassette; must be a file, is not changed (default: the newest tape)");
  parser
      .AddOption("-o,--output", &arguments->output,
                 "the ZIP archive to write; an existing file is an error")
      .InUsage();
  parser.AddFlag("--force", &arguments->force, "replace an existing file, but never a trace");
  parser.AddFlag("--audit", &arguments->audit, "write nothing; only list what would be replaced");
  parser.AddOption(
      "--dialect", &arguments->dialect,
      "a built-in dialect, a file, or none; default: detected from the first messages");
  parser.Footer(kBundleFooter);
  return [arguments] { return BundleTrace(*arguments); };
}

}  // namespace midwire::tools
