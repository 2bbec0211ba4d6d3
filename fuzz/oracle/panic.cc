#include "fuzz/oracle/panic.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace midwire::fuzz {
namespace {

using Type = Panic::Type;

// The texts that runtimes print for a fault, most specific first. Text that also occurs in logs
// counts only where a runtime writes it: at the start of a line, or after a position in a source
// file (a.c:3:5: ).
enum class At : uint8_t { kAnywhere, kLineBegin, kSourcePlace };
struct Sign {
  std::string_view text;
  Type type;
  At at = At::kAnywhere;
};
constexpr Sign kSigns[] = {
    {"Sanitizer: ", Type::kReport},  // ==7==ERROR: AddressSanitizer: heap-use-after-free
    {"runtime error: ", Type::kReport, At::kSourcePlace},  // UBSan: file.c:3:5: runtime error: ...
    {"panicked at ", Type::kFatal},                        // Rust
    {"panic: ", Type::kFatal, At::kLineBegin},             // Go
    {"fatal error: ", Type::kFatal, At::kLineBegin},       // Go's runtime
    {"terminate called ", Type::kFatal},                   // libstdc++
    {"Assertion `", Type::kFatal},                         // assert(3), glibc
    {"Assertion failed", Type::kFatal},                    // assert(3) of others
    {"stack smashing detected", Type::kFatal},             // glibc
    {"malloc(): ", Type::kFatal},
    {"free(): ", Type::kFatal},
    {"double free or corruption", Type::kFatal},
    {"Fatal Python error", Type::kFatal},
    {"Unhandled exception", Type::kFatal},  // .NET
    {"Traceback (most recent call last)", Type::kTrace},
    {"Exception in thread ", Type::kTrace},  // Java
    {"\n    at ", Type::kTrace},             // node, Java: a frame
    {"UnhandledPromiseRejection", Type::kTrace},
};

// The first position of the sign where it counts; npos: none.
size_t Find(std::string_view text, const Sign& sign) {
  const auto digit = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
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

std::string_view LineAt(std::string_view text, size_t at) {
  size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1);
  begin = begin == std::string_view::npos || at == 0 ? 0 : begin + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

std::string_view Trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

// The function of a stack frame: "#1 0x4f in Handle(int) file.cc:3" (sanitizers), "  File "x.py",
// line 3, in f" (Python), "    at f (file.js:3:1)" (node). Empty: the line is not a frame.
std::string_view FrameOf(std::string_view line) {
  line = Trim(line);
  if (line.starts_with('#')) {
    const size_t in = line.find(" in ");
    if (in == std::string_view::npos) return "";
    line.remove_prefix(in + 4);
    return line.substr(0, line.find_first_of(" ("));
  }
  if (line.starts_with("File \"")) {
    const size_t in = line.rfind(", in ");
    return in == std::string_view::npos ? "" : line.substr(in + 5);
  }
  if (line.starts_with("at ")) {
    line.remove_prefix(3);
    return line.substr(0, line.find_first_of(" ("));
  }
  return "";
}

// Frames of runtimes and sanitizers are the same for different faults.
bool IsRuntime(std::string_view frame) {
  for (const std::string_view start :
       {"__asan", "__interceptor", "__sanitizer", "__ubsan", "__GI_",    "__pthread", "std::",
        "__libc", "_start",        "abort",       "raise",   "__assert", "operator",  "malloc",
        "free",   "mem",           "str",         "node:",   "core::",   "rust_",     "runtime."}) {
    if (frame.starts_with(start)) return true;
  }
  return false;
}

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

constexpr size_t kFrames = 3;
// Limits of a frame or name in a key, and of a line for people: the text may be hostile.
constexpr size_t kMaxName = 160, kMaxLine = 1024;

}  // namespace

std::string Normalised(std::string_view line) {
  std::string out;
  for (size_t i = 0; i < line.size() && out.size() < 160;) {
    const char c = line[i];
    const auto digit = [&](size_t at) {
      return at < line.size() && line[at] >= '0' && line[at] <= '9';
    };
    if (digit(i)) {
      if (c == '0' && i + 1 < line.size() && line[i + 1] == 'x') i += 2;
      while (i < line.size() && isxdigit(static_cast<unsigned char>(line[i]))) ++i;
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
    // The sign of a frame begins with the newline before it; the line above it is the error.
    const std::string_view line = LineAt(text, sign.text[0] == '\n' ? at : at + 1);
    panic.type = sign.type;
    const bool report = sign.type == Type::kReport;
    panic.line = std::string(Trim(report ? Summary(text, line) : line).substr(0, kMaxLine));
    panic.key = Normalised(Trim(line));
    break;
  }
  if (panic.type == Type::kNone) return panic;
  // A Python trace ends with the innermost frame and the exception; other traces begin with them.
  std::vector<std::string_view> frames;
  std::string_view raised;
  const size_t trace = text.rfind("Traceback (most recent call last)");
  const bool python = panic.type == Type::kTrace && trace != std::string_view::npos;
  for (size_t at = python ? trace : 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::string_view frame = FrameOf(line).substr(0, kMaxName);
    if (!frame.empty() && !IsRuntime(frame)) frames.push_back(frame);
    if (frames.size() > 4096) frames.erase(frames.begin(), frames.begin() + 2048);
    if (!python || frames.empty() || line.empty() || line[0] == ' ') continue;
    if (!raised.empty()) panic.gone_on = true;
    if (raised.empty()) raised = line;
  }
  if (python) {
    panic.line = std::string(raised.substr(0, kMaxLine));
    panic.key = std::string(raised.substr(0, std::min(raised.find(':'), kMaxName)));
    const size_t count = std::min(kFrames, frames.size());
    for (size_t i = 0; i < count; ++i) {
      panic.key += " < " + std::string(frames[frames.size() - 1 - i]);
    }
    return panic;
  }
  // "==123==ERROR: AddressSanitizer: heap-use-after-free on address 0x..": the first words.
  const size_t colon = panic.key.find("Sanitizer: ");
  if (colon != std::string::npos) {
    size_t begin = panic.key.rfind(' ', colon);
    begin = begin == std::string::npos ? 0 : begin + 1;
    const size_t end = panic.key.find(' ', colon + 11);
    panic.key = panic.key.substr(begin, end - begin);
  }
  for (size_t i = 0; i < std::min(kFrames, frames.size()); ++i) {
    panic.key += (i == 0 ? " in " : " < ") + std::string(frames[i]);
  }
  return panic;
}

bool ReportGoesOn(std::string_view text) {
  size_t begin = text.rfind("==ERROR: ");
  if (begin == text.npos) begin = text.rfind("WARNING: ThreadSanitizer: ");
  return begin != text.npos && text.find("SUMMARY: ", begin) == text.npos;
}

}  // namespace midwire::fuzz
