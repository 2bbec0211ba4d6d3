#include "fuzz/oracle/stack.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>

#include "wire/json/ascii.h"

namespace midwire::fuzz {
namespace {

// Where packages of Python and node are installed, and of Go and Rust when they are built.
constexpr std::string_view kPackageFolders[] = {"/site-packages/", "/dist-packages/",
                                                "/node_modules/",  "/pkg/mod/",
                                                "/vendor/",        "/.cargo/registry/"};
// Packages there that read, dispatch and check messages, or run tasks.
constexpr std::string_view kPlumbingPackages[] = {"/pydantic/",
                                                  "/pydantic_core/",
                                                  "/anyio/",
                                                  "/orjson/",
                                                  "/simplejson/",
                                                  "/jsonschema/",
                                                  "/jsonrpc/",
                                                  "/pylsp_jsonrpc/",
                                                  "/pygls/",
                                                  "/mcp/",
                                                  "/click/",
                                                  "/typer/",
                                                  "/zod/",
                                                  "/vscode-jsonrpc/",
                                                  "/raw-body/",
                                                  "/vscode-languageserver/",
                                                  "/ajv/",
                                                  "/json-rpc-2.0/",
                                                  "/@modelcontextprotocol/sdk/"};
// Files of the runtimes.
constexpr std::string_view kRuntimeFolders[] = {
    "/lib/python3", "/lib64/python3", "<frozen ", "/rustc/", "/usr/local/go/src/", "/usr/lib/go"};
// How the names of functions begin in runtimes, standard libraries and libraries for JSON.
constexpr std::string_view kRuntimeNames[] = {
    // sanitizers, C and C++
    "__", "std::", "operator ", "memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp",
    "strcpy", "strncpy",
    // Rust
    "core::", "alloc::", "rust_", "serde_json::", "tokio::", "<",
    // Go
    "runtime.", "panic(", "reflect.", "encoding/", "sync.", "bufio.", "io.Read", "io.Copy", "fmt.",
    "strings.", "bytes.", "context.",
    // node
    "JSON.", "process.processTicksAndRejections", "processTicksAndRejections", "Promise.", "Array.",
    // Java and .NET
    "java.", "javax.", "jdk.", "sun.", "com.sun.", "com.google.gson.", "com.fasterxml.jackson.",
    "org.eclipse.lsp4j.", "System.", "Microsoft."};
constexpr std::string_view kRuntimeFunctions[] = {"_start", "abort",   "raise", "malloc",
                                                  "calloc", "realloc", "free",  "strdup"};

constexpr size_t kTopFrames = 3;
// Of a name in a key: the text may be hostile.
constexpr size_t kMaxFunction = 160;

template <size_t kSize>
bool HasAny(std::string_view text, const std::string_view (&words)[kSize]) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

bool IsRuntimeName(std::string_view function) {
  if (std::find(std::begin(kRuntimeFunctions), std::end(kRuntimeFunctions), function) !=
      std::end(kRuntimeFunctions)) {
    return true;
  }
  return std::any_of(std::begin(kRuntimeNames), std::end(kRuntimeNames),
                     [&](std::string_view start) { return function.starts_with(start); });
}

FrameOwner OwnerOf(std::string_view path) {
  if (HasAny(path, kPackageFolders)) {
    return HasAny(path, kPlumbingPackages) ? FrameOwner::kPlumbing : FrameOwner::kPackage;
  }
  if (HasAny(path, kRuntimeFolders) || path.starts_with("node:")) return FrameOwner::kRuntime;
  return FrameOwner::kPeer;
}

StackFrame FrameIn(std::string_view path, std::string_view function) {
  const bool runtime = IsRuntimeName(function);
  return {std::string(function.substr(0, kMaxFunction)),
          runtime ? FrameOwner::kRuntime : OwnerOf(path)};
}

std::string_view Stripped(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

// "#1 0x4f in Handle(int) file.cc:3".
std::optional<StackFrame> SanitizerFrame(std::string_view line) {
  const size_t in = line.find(" in ");
  if (in == line.npos) return std::nullopt;
  line.remove_prefix(in + 4);
  return FrameIn("", line.substr(0, line.find_first_of(" (")));
}

// `File "x.py", line 3, in f`.
std::optional<StackFrame> PythonFrame(std::string_view line) {
  const size_t in = line.rfind(", in ");
  if (in == line.npos) return std::nullopt;
  StackFrame frame = {std::string(line.substr(in + 5, kMaxFunction)), OwnerOf(line.substr(0, in))};
  if (frame.function == "<module>" && frame.owner != FrameOwner::kRuntime) {
    frame.owner = FrameOwner::kEntry;
  }
  return frame;
}

// "/x/plugin.js:7:9" becomes "plugin.js:7": it distinguishes functions without a name.
std::string_view PlaceInFile(std::string_view location) {
  location.remove_prefix(std::min(location.rfind('/') + 1, location.size()));
  return location.substr(0, location.rfind(':'));
}

// "at f (file.js:3:1)", "at async f (...)", "at file.js:3:1", "at a.b.C.f(C.java:3)",
// "at A.B.F(String x) in /x/F.cs:line 5".
std::optional<StackFrame> AtFrame(std::string_view line) {
  for (const std::string_view word : {"at ", "async ", "new "}) {
    if (line.starts_with(word)) line.remove_prefix(word.size());
  }
  // A module of Java: "java.base/java.util.Objects.f(Objects.java:3)".
  const size_t open = line.find('(');
  const size_t slash = line.find('/');
  if (open != line.npos && slash < open && line.find(' ') > open) line.remove_prefix(slash + 1);
  const size_t end = line.find_first_of(" (");
  std::string_view function = line.substr(0, end);
  std::string_view path = end == line.npos ? line : line.substr(end);
  const size_t inside = path.find('(');
  if (inside != path.npos) path.remove_prefix(inside + 1);
  if (path.ends_with(')')) path.remove_suffix(1);
  const bool anonymous = function.find("<anonymous>") != function.npos;
  if ((end == line.npos || anonymous) && path.find(':') != path.npos) function = PlaceInFile(path);
  if (path == "<anonymous>" || path == "native") return StackFrame{"", FrameOwner::kRuntime};
  return FrameIn(path, function);
}

// "main.(*Server).Handle(0xc000, 0x5)", then its place in a file.
std::optional<StackFrame> GoFrame(std::string_view line, std::string_view next) {
  if (!line.ends_with(')') || !next.starts_with('\t') || next.find(".go:") == next.npos) {
    return std::nullopt;
  }
  return FrameIn(next, line.starts_with("panic(") ? line : line.substr(0, line.rfind('(')));
}

// "12: plugin::handle", and maybe the place on the next line. The hash behind a name changes with
// each build.
std::optional<StackFrame> RustFrame(std::string_view line, std::string_view next) {
  const size_t digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits == line.npos || !line.substr(digits).starts_with(": ")) {
    return std::nullopt;
  }
  line.remove_prefix(digits + 2);
  if (line.find("::") == line.npos && line != "main") return std::nullopt;
  const size_t hash = line.rfind("::h");
  constexpr size_t kHash = 3 + 16;
  if (hash != line.npos && line.size() - hash == kHash) line = line.substr(0, hash);
  next = Stripped(next);
  return FrameIn(next.starts_with("at ") ? next : "", line);
}

}  // namespace

std::optional<StackFrame> ParseFrame(std::string_view line, std::string_view next) {
  // Python draws the members of a group of exceptions with a line before them.
  line.remove_prefix(std::min(line.find_first_not_of(" |+-"), line.size()));
  line = Stripped(line);
  if (line.starts_with('#')) return SanitizerFrame(line);
  if (line.starts_with("File \"")) return PythonFrame(line);
  if (line.starts_with("at ")) return AtFrame(line);
  if (!line.empty() && wire::IsDigit(line[0])) return RustFrame(line, next);
  return GoFrame(line, next);
}

std::vector<std::string> TopFrames(std::string_view text, FrameOrder order) {
  std::array<std::deque<std::string>, static_cast<size_t>(FrameOwner::kRuntime)> frames;
  const auto line_at = [&](size_t at) {
    return at < text.size() ? text.substr(at, text.find('\n', at) - at) : std::string_view();
  };
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = line_at(at);
    at += line.size() + 1;
    const auto frame = ParseFrame(line, line_at(at));
    if (!frame || frame->owner == FrameOwner::kRuntime || frame->function.empty()) continue;
    auto& known = frames[static_cast<size_t>(frame->owner)];
    if (order == FrameOrder::kInnermostLast) {
      known.push_front(frame->function);
      if (known.size() > kTopFrames) known.pop_back();
    } else if (known.size() < kTopFrames) {
      known.push_back(frame->function);
    }
  }
  for (const auto& known : frames) {
    if (!known.empty()) return {known.begin(), known.end()};
  }
  return {};
}

}  // namespace midwire::fuzz
