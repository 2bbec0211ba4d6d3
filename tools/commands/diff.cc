// midwire diff: compares two traces.
#include "replay/diff.h"

#include <memory>
#include <string>
#include <utility>

#include "io/clock.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output_files.h"
#include "tools/read_ahead.h"
#include "tools/replaying/options.h"
#include "tools/replaying/trace_host.h"
#include "view/text/replay_report.h"
#include "wire/counted.h"

namespace midwire::tools {
namespace {

constexpr char kDiffFooter[] =
    R"(Compares both directions by the rules of a replay: the order of members, blanks, ids chosen by a peer
and values that follow from them do not count (doc/replay.md). Ignores and other declarations in A's
header apply.

Examples:
  midwire diff old.pcapng new.pcapng
  midwire diff golden.jsonl session.pcapng --ignore /result/pid --json)";

// The dialect of B where it is another one, or another revision; empty: it is not, or is not known.
// The one that both are compared by is that of A.
trace::SessionHead OtherDialect(const std::string& b, const trace::SessionHead& of_a) {
  Result<ChosenDialect> chosen = ChooseDialect("", {b}, /*strict=*/false);
  if (!chosen || chosen->dialect == nullptr) return {};
  trace::SessionHead& head = chosen->head;
  return head.dialect == of_a.dialect && head.revision == of_a.revision ? trace::SessionHead()
                                                                        : std::move(head);
}

struct DiffArguments {
  std::string a, b;
  DeclareArguments declare;
  ReportArguments report;
};

int Diff(const DiffArguments& arguments) {
  const Status can_report = CanOverwrite({{"--junit", arguments.report.junit}},
                                         {arguments.a, arguments.b, arguments.declare.dialect});
  if (!can_report) return Fail(can_report.error());
  Result<ParsedDeclarations> parsed = arguments.declare.ParseOptions({arguments.a, arguments.b});
  const int64_t start_ns = io::MonotonicNow();
  const trace::SessionHead other = parsed && arguments.declare.dialect.empty()
                                       ? OtherDialect(arguments.b, parsed->head)
                                       : trace::SessionHead();
  const auto unreadable = [&](const Error& error) {
    return FailUnreadable(error, "diff", arguments.a + " " + arguments.b, arguments.report);
  };
  if (!parsed) {
    const std::string& where = parsed.error().where;
    const bool trace = where == arguments.a || where == arguments.b;
    return trace ? unreadable(parsed.error()) : Fail(parsed.error());
  }
  replay::Declarations& declared = parsed->declared;
  Result<replay::HostIdentity> host = HostOfTrace(arguments.b);
  if (!host) return unreadable(host.error());
  declared.host = std::move(*host);
  declared.any_pid = true;
  const auto a = LoadTrace(arguments.a, replay::Direction::kHostToPlugin, declared);
  if (!a) return unreadable(a.error());
  ReportWarnings(arguments.a, (*a)->declared);
  ReportUnusedMaps(**a);
  LookForUnused(a->get(), &parsed->unused);
  const auto b = OpenTraceOnce(arguments.b);
  if (!b) return unreadable(b.error());
  const Result<trace::ReplayReport> report =
      replay::Diff(a->get(), b->get(), nullptr, &parsed->unused);
  if (!report) return unreadable(report.error());
  ReportUnused(parsed->unused);
  const view::ReportContext context = {
      .trace = arguments.a + " " + arguments.b,
      .verb = "diff",
      .head = std::move(parsed->head),
      .other = other,
      .methods = (*a)->script.methods,
      .seconds = static_cast<double>(io::MonotonicNow() - start_ns) / 1e9};
  const int written = WriteReport(*report, context, arguments.report);
  if (written != kFine) return written;
  const uint64_t damaged = (*a)->damaged_bytes + (*b)->damaged_bytes();
  if (damaged != 0) {
    ReportNote("the traces are damaged: " + wire::Counted(damaged, "byte") +
               " unreadable (midwire show reports where)");
  }
  if (!report->same()) return kDifference;
  return damaged == 0 ? kFine : kDataLost;
}

}  // namespace

std::function<int()> DeclareDiff(ArgumentParser parser) {
  auto arguments = std::make_shared<DiffArguments>();
  parser.AddOption("A", &arguments->a, "the reference trace, - for standard input").Required();
  parser.AddOption("B", &arguments->b, "the trace to compare with it, - for standard input")
      .Required();
  arguments->declare.AddTo(parser);
  arguments->report.AddTo(parser);
  parser.Footer(kDiffFooter);
  return [arguments] { return Diff(*arguments); };
}

}  // namespace midwire::tools
