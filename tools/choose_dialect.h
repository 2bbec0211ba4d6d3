// The dialect of a command that reads traces: the named one, else the one that the first messages
// show. Called by all commands with --dialect that need it before they read the trace as a whole,
// and for the framing by those that decode a trace without its dialect. Only ReportDetected prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/dialect/detect.h"
#include "trace/dialect/negotiated.h"
#include "trace/report/session_head.h"
#include "trace/session.h"
#include "wire/dialect/dialect.h"
#include "wire/framing.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

struct ChosenDialect {
  // With revisions: as the one that the trace has agreed on, else the default. null: none.
  std::unique_ptr<wire::Dialect> dialect;
  std::string name;       // as --dialect takes it; "": none
  bool detected = false;  // not named
  trace::Detection detection;
  trace::SessionHead head;  // of the first trace

  // "dialect mcp, revision 2025-06-18, detected (certain: ...)"; "no dialect".
  std::string Text() const;
};

// What the messages of a session agree on, one after the other.
class Agreement : public trace::SessionHandler {
 public:
  // `dialect` outlives it.
  explicit Agreement(const wire::Dialect* dialect);
  void OnMessage(const trace::RecordedMessage& recorded) override;
  // What is known so far.
  void Fill(trace::SessionHead* head) const;
  const wire::Dialect* dialect() const { return negotiated_.current(); }  // of the revision
  // The host has made its offer: a revision, or what it supports where the dialect has no
  // revisions.
  bool offered() const;
  // The plugin has answered it.
  bool agreed() const;
  bool enough = false;  // more messages than an opening has

 private:
  const bool revisions_;
  trace::Negotiated negotiated_;
  trace::Capabilities capabilities_;
  size_t messages_ = 0;
};

// `name`: a built-in dialect, a file, "none", or "" to detect it: then it is none if no dialect
// fits. `logs`: whether a log of another program is taken as a trace. `pipes`: whether a trace that
// can be read only once is read ahead (read_ahead.h), or counts as one without messages. If it is
// read ahead, the caller opens it with OpenTraceOnce. Errors: a mistake in a dialect, or a regular
// file that cannot be opened.
enum class Logs : uint8_t { kRefuse, kTake };
enum class Pipes : uint8_t { kReadAhead, kLeave };
Result<ChosenDialect> ChooseDialect(const std::string& name, const std::vector<std::string>& traces,
                                    bool strict, Logs logs = Logs::kRefuse,
                                    Pipes pipes = Pipes::kReadAhead);

// What the commands say of a dialect that they have detected, in the same words: which one, and how
// sure that is. "dialect mcp, revision 2025-06-18, detected (certain: 37 of 37 calls, framing,
// handshake)". revisions: see check::Checker.
std::string DetectedText(const trace::Detection& detection, const std::string& revisions = "");

// Says it on stderr, with the revision; nothing if the dialect was named, or if none fits. `trace`:
// its name where there are several.
void ReportDetected(const ChosenDialect& chosen, const std::string& trace = "");

// Of the first messages of a trace. A caller that reads it afterwards opens it with OpenTraceOnce.
Result<trace::Detection> DetectTrace(const std::string& path);

// The framing of the protocol that a trace speaks: commands that decode it without its dialect then
// number its messages as show does. Where a language server logs JSON on stdout, lines before the
// first header are no messages. nullopt: no dialect fits, it has none, or the trace cannot be read.
std::optional<wire::Framing> ExpectedFraming(const std::string& trace);

}  // namespace midwire::tools
