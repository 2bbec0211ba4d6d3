#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "view/text/append.h"
#include "view/text/folded.h"
#include "view/text/printer.h"
#include "view/text/stats_report.h"
#include "view/text/table.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

using trace::DirectionTally;
using trace::Latencies;
using trace::MethodTally;
using trace::SessionTally;
using trace::Tally;
using trace::UnansweredRequest;
using wire::Direction;
using Row = TableRow;

constexpr Direction kDirections[] = {Direction::kHostToPlugin, Direction::kPluginToHost};
// Labels of a method that are listed in the table; --json has more.
constexpr size_t kMaxListedLabels = 20;

// The columns of methods. On a narrow terminal what most readers need least goes first.
const std::vector<TableColumn> kMethodColumns = {
    {.name = "method", .least = 28},
    {.name = "dir", .rank = 6},
    {.name = "count", .number = true},
    {.name = "errors", .number = true, .rank = 2},
    {.name = "failed", .number = true, .rank = 3},
    {.name = "unanswered", .number = true, .rank = 4},
    {.name = "p50", .number = true, .rank = 1},
    {.name = "p90", .number = true, .rank = 7},
    {.name = "p99", .number = true, .rank = 5},
    {.name = "max", .number = true, .rank = 5},
    {.name = "bytes", .number = true, .rank = 8},
    {.name = "answer bytes", .number = true, .rank = 9}};
const std::vector<TableColumn> kOpenColumns = {{.name = "unanswered", .least = 16},
                                               {.name = "dir", .rank = 1},
                                               {.name = "id", .least = 8},
                                               {.name = "number", .number = true}};
const std::vector<TableColumn> kDirectionColumns = {{.name = "", .least = 12},
                                                    {.name = "host-to-plugin", .number = true},
                                                    {.name = "plugin-to-host", .number = true}};

// "dialect    mcp 2025-06-18; host: roots": a name, and a text that may be long.
void AppendFact(std::string_view name, std::string_view text, const Style& style,
                std::string* out) {
  constexpr size_t kColumn = 11;
  const size_t start = out->size();
  *out += name;
  PadRight(start, kColumn, out);
  AppendFolded(wire::Escaped(text), kColumn, kColumn, style.width, out);
  *out += '\n';
}

// The readers that did not read.
void AppendUnread(const SessionTally& session, std::string* out) {
  static constexpr const char* kReaders[] = {"plugin: stdin", "host: stdout", "host: stderr"};
  for (size_t i = 0; i < session.stalls.size(); ++i) {
    if (session.stalls[i].count == 0) continue;
    *out += std::string("not read   ") + kReaders[i] + ", for ";
    AppendSeconds(session.stalls[i].ms * 1'000'000, out);
    *out += " s, " + Grouped(session.stalls[i].count);
    *out += session.stalls[i].count == 1 ? " time\n" : " times\n";
  }
  for (size_t i = 0; i < session.never_read.size(); ++i) {
    if (session.never_read[i] == 0) continue;
    *out += std::string("never read ") + kReaders[i] + ", the last " +
            Grouped(session.never_read[i]) + " messages\n";
  }
}

void AppendSessions(const Tally& tally, const Style& style, std::string* out) {
  if (!tally.trace.empty()) AppendFact("trace", tally.trace, style, out);
  if (!tally.head.dialect.empty()) AppendFact("dialect", tally.head.Text(), style, out);
  for (const SessionTally& session : tally.sessions) {
    AppendFact("session", session.spawn.empty() ? "no spawn event" : session.spawn, style, out);
    if (session.start_ns != 0) {
      *out += "started    ";
      AppendUtc(session.start_ns, out);
      *out += "\nduration   ";
      AppendSeconds(session.last_ns - session.start_ns, out);
      *out += " s\n";
    }
    const std::string ended = session.exit.empty() ? "no exit event" : session.exit;
    // Only a recording has an end that can be missing.
    const bool cut_off = !session.ended && !session.spawn.empty();
    AppendFact("ended", ended + (cut_off ? ", cut off" : ""), style, out);
    AppendUnread(session, out);
    *out += '\n';
  }
  if (tally.session_count > tally.sessions.size()) {
    *out += "and " + Grouped(tally.session_count - tally.sessions.size()) + " more sessions\n\n";
  }
}

void AppendDirections(const Tally& tally, const Style& style, std::string* out) {
  static constexpr const char* kKindNames[] = {"  requests",      "  responses", "  errors",
                                               "  notifications", "  batches",   "  invalid"};
  std::vector<Row> rows;
  const auto add = [&](std::string name, auto value, bool always) {
    const uint64_t values[] = {value(tally.direction(kDirections[0])),
                               value(tally.direction(kDirections[1]))};
    if (!always && values[0] == 0 && values[1] == 0) return;
    rows.push_back({{std::move(name)}, {Grouped(values[0])}, {Grouped(values[1])}});
  };
  add(
      "bytes", [](const DirectionTally& d) { return d.bytes; }, true);
  add(
      "messages", [](const DirectionTally& d) { return d.messages; }, true);
  for (int kind = 0; kind < DirectionTally::kKinds; ++kind) {
    add(
        kKindNames[kind], [kind](const DirectionTally& d) { return d.kinds[kind]; }, false);
  }
  add(
      "failed answers", [](const DirectionTally& d) { return d.failed; }, false);
  add(
      "messages in batches", [](const DirectionTally& d) { return d.batched; }, false);
  add(
      "requests unanswered", [](const DirectionTally& d) { return d.unanswered; }, true);
  add(
      "requests cancelled", [](const DirectionTally& d) { return d.cancelled; }, false);
  add(
      "answers to no request", [](const DirectionTally& d) { return d.answers_to_nothing; }, false);
  add(
      "junk", [](const DirectionTally& d) { return d.junk; }, true);
  add(
      "junk bytes", [](const DirectionTally& d) { return d.junk_bytes; }, false);
  for (int bit = 0; bit < DirectionTally::kOddityBits; ++bit) {
    add(
        wire::OdditiesText(1u << bit), [bit](const DirectionTally& d) { return d.oddities[bit]; },
        false);
  }
  for (const FlagName& row : RemarkedFlags()) {
    const int bit = std::countr_zero(static_cast<uint32_t>(row.flag));
    add(
        std::string(row.name), [bit](const DirectionTally& d) { return d.flags[bit]; }, false);
  }
  rows.push_back({{"stderr bytes"}, {""}, {Grouped(tally.stderr_bytes)}});
  AppendTable(kDirectionColumns, rows, style, out);
}

Row MethodRow(const MethodTally& tally, std::string name, std::string direction) {
  const uint64_t open = tally.requests - std::min(tally.requests, tally.answers + tally.cancelled);
  const auto count = [](uint64_t value, Paint paint) {
    return TableCell{Grouped(value), value == 0 ? Paint::kNone : paint};
  };
  Row row = {{std::move(name)},
             {std::move(direction)},
             {Grouped(tally.requests + tally.notifications)},
             count(tally.errors, Paint::kRed),
             count(tally.failed, Paint::kRed),
             count(open, Paint::kYellow)};
  const Latencies& latencies = tally.latencies;
  for (const int percent : {50, 90, 99}) {
    row.push_back({latencies.count() == 0
                       ? "-"
                       : (latencies.exact() ? "" : "~") + Duration(latencies.Percentile(percent))});
  }
  row.push_back({latencies.count() == 0 ? "-" : Duration(latencies.max())});
  row.push_back({Grouped(tally.bytes)});
  row.push_back({Grouped(tally.answer_bytes)});
  return row;
}

// The rows of a method's labels, below its own.
void AppendLabels(const MethodTally& method, std::vector<Row>* rows) {
  const size_t listed = std::min(method.labels.size(), kMaxListedLabels);
  for (size_t i = 0; i < listed; ++i) {
    const MethodTally& label = method.labels[i];
    rows->push_back(MethodRow(label, "  " + CutToColumns(label.label, kMaxMethodColumns), ""));
  }
  if (listed == method.labels.size()) return;
  uint64_t calls = 0;
  for (size_t i = listed; i < method.labels.size(); ++i) {
    calls += method.labels[i].requests + method.labels[i].notifications;
  }
  rows->push_back({{"  (" + Grouped(method.labels.size() - listed) + " other labels)"},
                   {""},
                   {Grouped(calls)}});
}

void AppendMethods(const Tally& tally, const Style& style, std::string* out) {
  if (tally.methods.empty()) return;
  std::vector<TableColumn> columns = kMethodColumns;
  if (tally.labelled()) columns[0].name = "method and label";
  std::vector<Row> rows;
  bool exact = true;
  for (const MethodTally& method : tally.methods) {
    rows.push_back(MethodRow(method, CutToColumns(method.method, kMaxMethodColumns),
                             std::string(wire::ShortName(method.direction))));
    exact = exact && method.latencies.exact();
    AppendLabels(method, &rows);
  }
  const MethodTally& other = tally.other_methods;
  if (other.requests + other.notifications + other.answers > 0) {
    rows.push_back(MethodRow(other, "(all other methods)", "any"));
    exact = exact && other.latencies.exact();
  }
  *out += '\n';
  AppendTable(columns, rows, style, out);
  if (!exact) {
    *out += "~ of more than ";
    AppendNumber(Latencies::kExactSamples, out);
    *out += " answers: from a histogram, within 1.6 %\n";
  }
}

void AppendUnanswered(const Tally& tally, const Style& style, std::string* out) {
  if (tally.unanswered.empty()) return;
  std::vector<Row> rows;
  for (const UnansweredRequest& open : tally.unanswered) {
    rows.push_back({{CutToColumns(open.request.method, kMaxMethodColumns)},
                    {std::string(wire::ShortName(open.direction))},
                    {CutToColumns(open.request.id, kMaxMethodColumns)},
                    {Grouped(open.request.number)}});
  }
  *out += '\n';
  AppendTable(kOpenColumns, rows, style, out);
  uint64_t total = 0;
  for (const Direction direction : kDirections) total += tally.direction(direction).unanswered;
  if (total > tally.unanswered.size()) {
    *out += "and " + Grouped(total - tally.unanswered.size()) + " more\n";
  }
}

}  // namespace

void AppendStatsText(const Tally& tally, const Style& style, std::string* out) {
  AppendSessions(tally, style, out);
  AppendDirections(tally, style, out);
  AppendMethods(tally, style, out);
  AppendUnanswered(tally, style, out);
}

}  // namespace midwire::view
