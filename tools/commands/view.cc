// midwire view: serves a page that shows recorded and running sessions, to this user's browser.
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "io/files/write_file.h"
#include "io/http/http_server.h"
#include "io/interrupt.h"
#include "io/process/detached.h"
#include "io/process/launcher.h"
#include "io/random_key.h"
#include "io/signals.h"
#include "proxy/tape_name.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/import_log.h"
#include "tools/output.h"
#include "tools/reporting/temporary_folder.h"
#include "tools/sample.h"
#include "tools/viewing/trace_files.h"
#include "tools/viewing/view_service.h"
#include "trace/reader.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

constexpr char kViewFooter[] =
    R"(The page lists the sessions of the folder, and follows those that are being recorded. The server answers
only this machine, and only requests with the key in the address that it opens or prints; it writes nothing,
and reads no file outside the folder. Ctrl-C ends it.

--listen ADDRESS, such as 0.0.0.0, serves other machines too. It speaks HTTP, so programs that read the
network then see sessions and key. Better: ssh -L 4000:127.0.0.1:4000 HOST, and --port 4000 there.

Exit status: 0 ended, 2 no such trace or folder, bad option, or the port is taken; 3 the address could not be
printed.

Examples:
  midwire view
  midwire view --sample
  midwire view session.pcapng
  midwire view build/tapes --no-open --port 4000)";

// Opens the user's browser at an address that holds a key, so that no process has the key among its
// arguments: they are public.
class Browser {
 public:
  // Writes a file of the user's own (0600) that leads to the address, and opens it with xdg-open.
  // The file is there until this object goes. An error: no browser can be opened.
  Status Open(const std::string& address) {
    const std::string opener = io::FindExecutable("xdg-open");
    if (opener.empty()) {
      return Error{"cannot open a browser", "xdg-open is not installed",
                   "open the address yourself"};
    }
    const std::string file = folder_.path() + "/midwire.html";
    const Status written =
        folder_.path().empty()
            ? Error{"cannot create a temporary folder", "", "set TMPDIR to a folder that exists"}
            : io::WriteNewFile(file,
                               "<!DOCTYPE html>\n<meta charset=\"utf-8\">"
                               "<meta name=\"referrer\" content=\"no-referrer\">"
                               "<meta http-equiv=\"refresh\" content=\"0;url=" +
                                   address + "\"><title>midwire</title>\n");
    if (!written) return written;
    if (const int error = io::StartDetached(opener, {"xdg-open", file}); error != 0) {
      return Error{"cannot open a browser", opener, strerror(error)};
    }
    return Ok{};
  }

 private:
  TemporaryFolder folder_;
};

// Bytes of random numbers. A key of 128 bits is not guessed.
constexpr size_t kKeyBytes = 16, kFolderBytes = 6;

struct ViewArguments {
  std::string trace, port = "0", listen = "127.0.0.1";
  bool no_open = false, once = false, sample = false;
};

bool IsLoopback(const std::string& address) { return address == "127.0.0.1" || address == "::1"; }

// The host of an address that leads here.
std::string HostOf(const std::string& listen) {
  if (listen == "0.0.0.0") return "127.0.0.1";
  if (listen == "::") return "[::1]";
  return listen.find(':') == listen.npos ? listen : "[" + listen + "]";
}

// So that a mistake is reported here, and not by a page without a session. Of a folder, the page
// says which files it cannot read. What is still empty may be the tape of a session that begins.
Status CanShow(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return Ok{};
  const auto reader = trace::OpenTrace(path);
  if (reader || std::filesystem::file_size(path, ignored) == 0) return Ok{};
  return WithImport(reader.error(), path);
}

int View(ViewArguments arguments) {
  const std::optional<int64_t> port = wire::ParseCount(arguments.port);
  if (!port || *port < 0 || *port > 65535)
    return Fail(WrongValue("--port", arguments.port, "not a port", "try 4000"));
  if (arguments.trace == "-")
    return Fail({"not a regular file", "standard input", "save the trace to a file first"});
  if (arguments.sample && !arguments.trace.empty())
    return Fail({"--sample: names the trace", arguments.trace, "leave one of them out"});
  if (arguments.sample) {
    Result<std::string> sample = SampleTrace();
    if (!sample) return Fail(sample.error());
    arguments.trace = *sample;
  }
  if (arguments.trace.empty()) {
    // Made if no session was recorded yet, because one may be.
    Result<std::string> folder = proxy::MakeDefaultFolder();
    if (!folder) return Fail(folder.error());
    arguments.trace = *folder;
  }
  if (const Status can = CanShow(arguments.trace); !can) return Fail(can.error());
  Result<TraceFiles> files = TraceFiles::Of(arguments.trace);
  if (!files) return Fail(files.error());
  const std::optional<std::string> key = io::RandomHexKey(kKeyBytes);
  const std::optional<std::string> folder = io::RandomHexKey(kFolderBytes);
  if (!key || !folder) {
    return Fail({"no random numbers for the key", "getrandom(2) failed",
                 "allow that system call in the sandbox around midwire"});
  }
  auto server = io::HttpServer::Open(arguments.listen, static_cast<uint16_t>(*port));
  if (!server) return Fail(server.error());

  const ViewAccess access = {.key = *key,
                             .folder = "/" + *folder + "/",
                             .port = (*server)->port(),
                             .any_address = !IsLoopback(arguments.listen)};
  const std::string page =
      "http://" + HostOf(arguments.listen) + ":" + std::to_string(access.port) + access.folder;
  const std::string address = page + "?key=" + access.key;
  // SIGIO: of has_writer.h. SIGPIPE: of a browser that goes while it is answered.
  io::IgnoreSignals({SIGIO, SIGPIPE});
  io::CatchInterrupts({SIGINT, SIGTERM, SIGHUP});
  ViewService service(access, std::move(*files), arguments.once);
  if (access.any_address) {
    ReportNote("listening at " + arguments.listen +
               ": other machines on this network can connect, "
               "and what they send and get is not encrypted");
  }
  Browser browser;
  if (!arguments.no_open) {
    if (Status opened = browser.Open(address); !opened) {
      ReportNote(opened.error().Text());
      arguments.no_open = true;
    } else {
      ReportNote("showing " + service.folder() + " at " + page + " until Ctrl-C");
    }
  }
  if (arguments.no_open) {
    Output output;
    *output.text() += address + "\n";
    if (const int code = output.Finish(); code != kFine) return code;
  }
  (*server)->Run(&service);
  return kFine;
}

}  // namespace

std::function<int()> DeclareView(ArgumentParser parser) {
  auto arguments = std::make_shared<ViewArguments>();
  parser
      .AddOption("TRACE", &arguments->trace,
                 "a tape, a cassette, or a folder of them (default: the folder of recorded "
                 "sessions)")
      .TypeName("TRACE|FOLDER");
  parser.AddFlag("--sample", &arguments->sample, "show the sample session that comes with midwire");
  parser.AddFlag("--no-open", &arguments->no_open,
                 "print the address in place of opening a browser");
  parser.AddOption("--port", &arguments->port, "the port to listen at (default: any that is free)");
  parser
      .AddOption("--listen", &arguments->listen,
                 "the numeric address to listen at (default: 127.0.0.1)")
      .TypeName("ADDRESS");
  parser.AddFlag("--once", &arguments->once,
                 "end when the last page has gone, or if none comes within 5 minutes");
  parser.Footer(kViewFooter);
  return [arguments] { return View(*arguments); };
}

}  // namespace midwire::tools
