#include "fuzz/oracle/panic.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fuzz/oracle/stack.h"
#include "wire/json/ascii.h"

namespace midwire::fuzz {
namespace {

using Type = Panic::Type;

// What wrote it, which decides what of the text is the cause.
enum class Writer : uint8_t {
  kSanitizer,
  kRust,
  kGo,
  kTerminate,
  kAssert,
  kLibrary,
  kDotNet,
  kPython,
  kJava,
  kNode,
};

// The texts that runtimes print for a fault, most specific first. Text that also occurs in logs
// counts only where a runtime writes it: at the start of a line, or after a position in a source
// file (a.c:3:5: ).
enum class At : uint8_t { kAnywhere, kLineBegin, kSourcePlace };
struct Sign {
  std::string_view text;
  Type type;
  Writer writer;
  At at = At::kAnywhere;
};
constexpr Sign kSigns[] = {
    // ==7==ERROR: AddressSanitizer: heap-use-after-free
    {"Sanitizer: ", Type::kReport, Writer::kSanitizer},
    // UBSan: file.c:3:5: runtime error: ...
    {"runtime error: ", Type::kReport, Writer::kSanitizer, At::kSourcePlace},
    {"panicked at ", Type::kFatal, Writer::kRust},
    {"panic: ", Type::kFatal, Writer::kGo, At::kLineBegin},
    {"fatal error: ", Type::kFatal, Writer::kGo, At::kLineBegin},
    {"terminate called ", Type::kFatal, Writer::kTerminate},  // libstdc++
    {"Assertion `", Type::kFatal, Writer::kAssert},           // assert(3), glibc
    {"Assertion failed", Type::kFatal, Writer::kAssert},      // assert(3) of others
    {"stack smashing detected", Type::kFatal, Writer::kLibrary},
    {"malloc(): ", Type::kFatal, Writer::kLibrary},
    {"free(): ", Type::kFatal, Writer::kLibrary},
    {"double free or corruption", Type::kFatal, Writer::kLibrary},
    {"Fatal Python error", Type::kFatal, Writer::kLibrary},
    {"Unhandled exception", Type::kFatal, Writer::kDotNet},
    {"Traceback (most recent call last)", Type::kTrace, Writer::kPython},
    {"Exception in thread ", Type::kTrace, Writer::kJava},
    {"\n    at ", Type::kTrace, Writer::kNode},  // a frame
    {"UnhandledPromiseRejection", Type::kTrace, Writer::kNode},
};

// The position of the sign where it counts; npos: none. A Python trace ends with the error that
// nothing caught, so its last one counts.
size_t Find(std::string_view text, const Sign& sign) {
  if (sign.writer == Writer::kPython) return text.rfind(sign.text);
  const auto digit = [&](size_t i) { return i < text.size() && wire::IsDigit(text[i]); };
  size_t at = text.find(sign.text);
  for (; at != text.npos; at = text.find(sign.text, at + 1)) {
    if (sign.at == At::kAnywhere) break;
    if (sign.at == At::kLineBegin && (at == 0 || text[at - 1] == '\n')) break;
    if (sign.at == At::kSourcePlace && at > 3 && text.substr(at - 2, 2) == ": " && digit(at - 3)) {
      break;
    }
  }
  return at;
}

size_t LineBegin(std::string_view text, size_t at) {
  const size_t before = at == 0 ? text.npos : text.rfind('\n', at - 1);
  return before == text.npos ? 0 : before + 1;
}

std::string_view LineAt(std::string_view text, size_t at) {
  const size_t begin = LineBegin(text, at);
  return text.substr(begin, text.find('\n', at) - begin);
}

// The line after that at the position.
std::string_view NextLine(std::string_view text, size_t at) {
  const size_t end = text.find('\n', at);
  return end == text.npos || end + 1 >= text.size() ? "" : LineAt(text, end + 1);
}

std::string_view Trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

// Limits of a name in a key, and of a line for people: the text may be hostile.
constexpr size_t kMaxName = 160, kMaxLine = 1024;
// Lines above a frame among which its error is searched: a message may have several.
constexpr int kMaxErrorLines = 64;

std::string Joined(std::string_view a, std::string_view with, std::string_view b) {
  return std::string(a.substr(0, kMaxLine))
      .append(b.empty() ? "" : with)
      .append(b.substr(0, kMaxLine));
}

// "KeyError: 'path'" without its message, which has values.
std::string_view ErrorType(std::string_view error) {
  return Trim(error.substr(0, std::min(error.find(": "), kMaxName)));
}

// What a runtime has printed: the first line for people, what kind of fault it is, and what it is
// with its message. That names the cause where no frame does.
struct PrintedFault {
  std::string line, kind, whole;
  std::string_view trace;  // where the frames are
  FrameOrder order = FrameOrder::kInnermostFirst;
  bool alone = false;  // the kind names the cause already
};

// A sanitizer's report begins with the number of its process. Its summary, or else the rest of its
// first line, is nearly the same each time.
std::string_view Summary(std::string_view text, std::string_view line) {
  if (!line.starts_with("==") && !line.starts_with("WARNING: ThreadSanitizer: ")) return line;
  constexpr std::string_view kSummary = "\nSUMMARY: ";
  const size_t at = text.find(kSummary, static_cast<size_t>(line.data() - text.data()));
  if (at != text.npos) return LineAt(text, at + 1).substr(kSummary.size() - 1);
  const size_t behind = line.find("==", 2);
  return behind == line.npos ? line : line.substr(behind + 2);
}

PrintedFault ParseSanitizerFault(std::string_view text, size_t at) {
  const std::string_view line = LineAt(text, at);
  std::string kind = Normalised(Trim(line));
  // "==123==ERROR: AddressSanitizer: heap-use-after-free on address 0x..": the first words.
  const size_t colon = kind.find("Sanitizer: ");
  if (colon != std::string::npos) {
    const size_t blank = kind.rfind(' ', colon);
    const size_t begin = blank == std::string::npos ? 0 : blank + 1;
    kind = kind.substr(begin, kind.find(' ', colon + 11) - begin);
  }
  return {.line = std::string(Summary(text, line)), .kind = kind, .whole = kind, .trace = text};
}

// "thread 'main' (7) panicked at src/main.rs:7:3:", then the message; before Rust 1.73 the message
// in quotes came before the place. The place in the peer's own code is the cause.
PrintedFault ParseRustFault(std::string_view text, size_t at) {
  constexpr size_t kWords = sizeof "panicked at " - 1;
  std::string_view place = LineAt(text, at);
  place.remove_prefix(at - LineBegin(text, at) + kWords);
  std::string_view message = Trim(NextLine(text, at));
  if (const size_t quote = place.rfind("', "); quote != place.npos && place[0] == '\'') {
    message = place.substr(1, quote - 1);
    place.remove_prefix(quote + 3);
  }
  place = Trim(place);
  if (place.ends_with(':')) place.remove_suffix(1);
  const bool library = place.find("/rustc/") != place.npos || place.starts_with("library/") ||
                       place.find("/.cargo/registry/") != place.npos;
  PrintedFault fault = {.line = "panicked at " + Joined(place, ": ", message),
                        .kind = "panicked at " + std::string(place.substr(0, kMaxName)),
                        .whole = "",
                        .trace = text.substr(at),
                        .alone = !library};
  fault.whole = fault.kind;
  if (library) fault.kind = "panicked";
  return fault;
}

// "panic: runtime error: index out of range [5] with length 3".
PrintedFault ParseGoFault(std::string_view text, size_t at) {
  const std::string_view line = Trim(LineAt(text, at));
  const bool message = line.starts_with("panic: ") && !line.starts_with("panic: runtime error: ");
  return {.line = std::string(line),
          .kind = message ? "panic" : Normalised(line.substr(0, line.find(" ["))),
          .whole = Normalised(line),
          .trace = text.substr(at)};
}

// "terminate called after throwing an instance of 'T'", then maybe "  what():  message".
PrintedFault ParseTerminateFault(std::string_view text, size_t at) {
  const std::string_view line = Trim(LineAt(text, at));
  std::string_view what = Trim(NextLine(text, at));
  what = what.starts_with("what():") ? Trim(what.substr(7)) : "";
  const size_t open = line.find('\''), close = line.rfind('\'');
  if (open == line.npos || close <= open) {
    return {.line = std::string(line), .kind = Normalised(line), .whole = Normalised(line)};
  }
  const std::string thrown(line.substr(open + 1, std::min(close - open - 1, kMaxName)));
  const std::string why = Normalised(what.substr(0, what.find(": ")));
  const std::string kind = "terminate " + Joined(thrown, ": ", why);
  return {.line = Joined(line, ": ", what), .kind = kind, .whole = kind};
}

// "a.out: /src/open.c:7: Open: Assertion `size < 3' failed.": the text of the source is the cause,
// its numbers too.
PrintedFault ParseAssertFault(std::string_view text, size_t at) {
  const std::string_view line = Trim(LineAt(text, at));
  std::string_view claim = line.substr(std::min(line.find("Assertion"), line.size()));
  std::string_view file = line.substr(0, line.size() - claim.size());
  const size_t program = file.find(": ");
  file = program == file.npos ? "" : file.substr(program + 2);
  file = file.substr(0, file.find(':'));
  file.remove_prefix(file.rfind('/') + 1);
  claim = claim.substr(0, std::min(claim.find(", line "), kMaxName));
  while (claim.ends_with('.')) claim.remove_suffix(1);
  std::string kind(claim);
  std::erase_if(kind, [](unsigned char c) { return c < 0x20; });
  if (!file.empty()) kind += " (" + std::string(file.substr(0, kMaxName)) + ")";
  return {.line = std::string(line), .kind = kind, .whole = kind, .alone = true};
}

PrintedFault ParseLineFault(std::string_view text, size_t at) {
  const std::string_view line = Trim(LineAt(text, at));
  return {.line = std::string(line), .kind = Normalised(line), .whole = Normalised(line)};
}

PrintedFault ParseErrorFault(std::string_view error, std::string_view trace) {
  return {.line = std::string(error),
          .kind = std::string(ErrorType(error)),
          .whole = Normalised(error),
          .trace = trace};
}

// "Unhandled exception. System.NullReferenceException: message".
PrintedFault ParseDotNetFault(std::string_view text, size_t at) {
  std::string_view error = LineAt(text, at);
  error.remove_prefix(std::min(error.find("xception") + 8, error.size()));
  error.remove_prefix(std::min(error.find_first_not_of(".: "), error.size()));
  if (error.empty()) return ParseLineFault(text, at);
  return ParseErrorFault(Trim(error), text.substr(at));
}

// The last cause is what happened first.
PrintedFault ParseJavaFault(std::string_view text, size_t at) {
  constexpr std::string_view kCause = "\nCaused by: ";
  const size_t cause = text.rfind(kCause);
  if (cause != text.npos && cause > at) {
    const std::string_view from = text.substr(cause + 1);
    return ParseErrorFault(Trim(LineAt(from, 0).substr(kCause.size() - 1)), from);
  }
  // Exception in thread "main" java.lang.X: message
  std::string_view error = LineAt(text, at);
  const size_t name = error.find('"');
  const size_t end = name == error.npos ? name : error.find("\" ", name + 1);
  if (end != error.npos) error.remove_prefix(end + 2);
  return ParseErrorFault(Trim(error), text.substr(at));
}

// "TypeError: no path", "Error [ERR_X]: ...".
bool IsNodeError(std::string_view line) {
  const size_t end = line.find_first_of(" :");
  const std::string_view name = line.substr(0, end);
  return name.ends_with("Error") || name.ends_with("Exception");
}

// The sign is the end of the line above the first frame. The error is there, or further above: its
// message may have several lines.
PrintedFault ParseNodeFault(std::string_view text, size_t at) {
  size_t begin = LineBegin(text, at);
  const std::string_view above = LineAt(text, begin);
  for (int i = 0; i < kMaxErrorLines; ++i) {
    std::string_view line = LineAt(text, begin);
    for (const std::string_view word : {"error: ", "Uncaught ", "(in promise) "}) {
      if (line.starts_with(word)) line.remove_prefix(word.size());
    }
    if (IsNodeError(line)) return ParseErrorFault(Trim(line), text.substr(begin));
    if (begin == 0) break;
    begin = LineBegin(text, begin - 1);
  }
  return ParseErrorFault(Trim(above), text.substr(LineBegin(text, at)));
}

// The frames, the innermost last, then what was raised.
PrintedFault ParsePythonFault(std::string_view text, size_t at, bool* gone_on) {
  std::string_view raised;
  bool frames = false;
  for (size_t line_at = at; line_at < text.size();) {
    const std::string_view line = text.substr(line_at, text.find('\n', line_at) - line_at);
    line_at += line.size() + 1;
    // In a group of exceptions, each line is indented.
    std::string_view bare = line;
    const bool grouped = line.find("| ") < line.find_first_not_of(" |+-");
    if (grouped) bare.remove_prefix(line.find("| ") + 2);
    if (line.find_first_not_of(" |+-") == line.npos && line.find("+-") != line.npos) continue;
    frames = frames || ParseFrame(line, "");
    if (!frames || Trim(bare).empty() || bare[0] == ' ') continue;
    if (!raised.empty()) *gone_on = true;
    if (raised.empty()) raised = bare;
  }
  PrintedFault fault = ParseErrorFault(raised, text.substr(at));
  fault.order = FrameOrder::kInnermostLast;
  return fault;
}

PrintedFault ParseFault(const Sign& sign, std::string_view text, size_t at, bool* gone_on) {
  switch (sign.writer) {
    case Writer::kSanitizer:
      return ParseSanitizerFault(text, at);
    case Writer::kRust:
      return ParseRustFault(text, at);
    case Writer::kGo:
      return ParseGoFault(text, at);
    case Writer::kTerminate:
      return ParseTerminateFault(text, at);
    case Writer::kAssert:
      return ParseAssertFault(text, at);
    case Writer::kLibrary:
      return ParseLineFault(text, at);
    case Writer::kDotNet:
      return ParseDotNetFault(text, at);
    case Writer::kPython:
      return ParsePythonFault(text, at, gone_on);
    case Writer::kJava:
      return ParseJavaFault(text, at);
    case Writer::kNode:
      return ParseNodeFault(text, at);
  }
  return {};
}

// For a trace whose error is missing or blank: the line of the sign. Node's sign begins at the end
// of the line above the frame.
std::string SignLine(std::string_view text, size_t at) {
  std::string_view line = Trim(LineAt(text, at));
  if (line.empty()) line = Trim(NextLine(text, at));
  return std::string(line.substr(0, kMaxLine));
}

}  // namespace

std::string Normalised(std::string_view line) {
  std::string out;
  for (size_t i = 0; i < line.size() && out.size() < 160;) {
    const char c = line[i];
    if (wire::IsDigit(c)) {
      if (c == '0' && i + 1 < line.size() && line[i + 1] == 'x') i += 2;
      while (i < line.size() && wire::IsHexDigit(line[i])) ++i;
      out += '#';
    } else if (c == '"' || c == '\'' || c == '`') {
      const size_t close = line.find(c, i + 1);
      if (close == std::string_view::npos || close - i > 200) {
        out += c;
        ++i;
      } else {
        out += "..";
        i = close + 1;
      }
    } else {
      if (static_cast<unsigned char>(c) >= 0x20) out += c;
      ++i;
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

Panic FindPanic(std::string_view text) {
  Panic panic;
  for (const Sign& sign : kSigns) {
    const size_t at = Find(text, sign);
    if (at == std::string_view::npos) continue;
    PrintedFault fault = ParseFault(sign, text, at, &panic.gone_on);
    panic.type = sign.type;
    panic.line = Trim(std::string_view(fault.line).substr(0, kMaxLine));
    if (panic.line.empty()) panic.line = SignLine(text, at);
    const auto frames =
        fault.alone ? std::vector<std::string>() : TopFrames(fault.trace, fault.order);
    panic.key = frames.empty() ? fault.whole : fault.kind;
    if (panic.key.empty()) panic.key = "trace";
    for (size_t i = 0; i < frames.size(); ++i) panic.key += (i == 0 ? " in " : " < ") + frames[i];
    break;
  }
  return panic;
}

bool ReportGoesOn(std::string_view text) {
  size_t begin = text.rfind("==ERROR: ");
  if (begin == text.npos) begin = text.rfind("WARNING: ThreadSanitizer: ");
  return begin != text.npos && text.find("SUMMARY: ", begin) == text.npos;
}

}  // namespace midwire::fuzz
