// A trace as values, for writers of other formats, and the writers. Filled by tools/reporting from
// the rows of a page. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "view/page/index.h"
#include "view/page/rows.h"

namespace midwire::view {

inline constexpr size_t kNoExport = SIZE_MAX;

// A message or an element of a batch. Other rows are not exported.
struct ExportRow {
  RowKind kind = RowKind::kRequest;
  uint8_t direction = 0;  // 0 host to plugin, 1 plugin to host
  bool failed = false, cancelled = false;
  size_t session = 0;  // in ExportTrace::sessions
  uint64_t number = 0;
  int64_t at_ns = 0;  // since its session began
  std::string method, label, id, failure, error;
  std::optional<int64_t> code;
  uint64_t size = 0;
  // In ExportTrace::rows; kNoExport: none.
  size_t request = kNoExport, answer = kNoExport, parent = kNoExport;
  std::string traceparent;  // W3C Trace Context, as the request has it; "" if it is not valid
};

struct ExportTrace {
  std::string version;  // of midwire
  std::vector<PageSession> sessions;
  std::vector<ExportRow> rows;  // in order
};

// More than this is refused by the programs that read the formats.
inline constexpr size_t kMaxExportRows = kMaxPageRows;

// JSON trace events (the "Trace Event Format" document): Perfetto and chrome://tracing read it.
// Calls are async events, because they overlap; flows lead from a call to its reverse calls.
std::string PerfettoJson(const ExportTrace& trace);
// OTLP 1.x in JSON (opentelemetry-proto, JSON mapping): a span for each call. A call without an
// answer ends with its session; if it was not cancelled, its status is an error.
std::string OtlpJson(const ExportTrace& trace);
// A sequence diagram of at most kMaxArrows messages. Notes name the calls without an answer, and
// how each session ended.
std::string MermaidText(const ExportTrace& trace);
// What Mermaid draws by default ("maxEdges").
inline constexpr size_t kMaxArrows = 500;
// A summary for an issue, in GitHub's Markdown: the sessions, calls by method, failures, calls
// without an answer.
std::string MarkdownText(const ExportTrace& trace);

// "tools/call read_file"; of messages without a method, their kind.
std::string NameOf(const ExportRow& row);
// Version 00 of W3C Trace Context, lower case, ids that are not zero.
bool IsTraceparent(std::string_view text);

}  // namespace midwire::view
