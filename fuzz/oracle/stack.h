// Stack traces of Python, node, Java, .NET, Go, Rust and sanitizers: which functions of the peer's
// own code they name. Called by panic.h. Pure; the text may be hostile.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::fuzz {

// Whose code a frame is. The first kind that a trace has names its cause: what a library for JSON
// reports is the same whatever the peer did wrong.
enum class FrameOwner : uint8_t {
  kPeer,
  kPackage,   // installed; the peer itself may be
  kPlumbing,  // a package for JSON, RPC or concurrency
  kEntry,     // where the program begins
  kRuntime    // of the language; never named
};

struct StackFrame {
  std::string function;
  FrameOwner owner;
};

// The frame on a line; `next` is the line after it, which has the place of a frame in Go and Rust.
std::optional<StackFrame> ParseFrame(std::string_view line, std::string_view next);

enum class FrameOrder : uint8_t { kInnermostFirst, kInnermostLast };

// The top functions of the trace in the text, the innermost first: at most three, all of the best
// owner.
std::vector<std::string> TopFrames(std::string_view text, FrameOrder order);

}  // namespace midwire::fuzz
