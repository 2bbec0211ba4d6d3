#include "tools/fuzzing/load_seeds.h"

#include <set>
#include <string_view>
#include <utility>

#include "check/checker.h"
#include "tools/choose_dialect.h"
#include "trace/reader.h"
#include "trace/session.h"

namespace midwire::tools {
namespace {

Status ReadInto(const std::string& path, const wire::Dialect* dialect,
                trace::SessionHandler* handler, uint64_t* damaged = nullptr) {
  auto reader = trace::OpenTrace(path);
  if (!reader) return reader.error();
  trace::Session session(handler);
  if (dialect != nullptr) session.Expect(dialect->framing);
  const Status played = trace::Play(reader->get(), &session);
  if (damaged != nullptr) *damaged = (*reader)->damaged_bytes();
  if (played || !played.error().where.empty()) return played;
  return Error{played.error().what, path, played.error().remedy};
}

// More is hardly read by anyone.
constexpr size_t kMaxExempt = 256;

// The clause that the fuzzer's oracle judges by, of a violation: "" if there is none.
std::string ClauseOf(const trace::Violation& finding) {
  if (finding.rule == "result" || finding.rule == "params")
    return finding.rule + ' ' + finding.method;
  if (finding.rule == "method.direction") return "direction " + finding.method;
  if (finding.rule == "error.shape" || finding.rule == "error.without-code") {
    return "error.without-code";
  }
  return "";
}

// What the recordings break of a dialect. The real program may differ from the protocol's text
// here, or the dialect from the protocol: the same again is no finding.
Result<std::vector<std::string>> BrokenClauses(const wire::Dialect& dialect,
                                               const std::vector<std::string>& traces) {
  std::set<std::string> clauses;
  auto checker = check::Checker::Create(&dialect, [&](const trace::Violation& finding) {
    const bool must = finding.severity == wire::Severity::kMust;
    if (const std::string clause = ClauseOf(finding);
        must && !clause.empty() && clauses.size() < kMaxExempt) {
      clauses.insert(clause);
    }
  });
  if (!checker) return checker.error();
  for (const std::string& path : traces) {
    const Status read = ReadInto(path, &dialect, checker->get());
    if (!read) return read.error();
  }
  (*checker)->Finish();
  return std::vector<std::string>(clauses.begin(), clauses.end());
}

}  // namespace

Result<std::unique_ptr<LoadedSeeds>> LoadSeeds(const std::vector<std::string>& traces,
                                               const std::string& dialect, wire::Direction role) {
  auto loaded = std::make_unique<LoadedSeeds>();
  loaded->seeds = fuzz::Seeds(role);
  // They are read twice, which a pipe cannot be.
  Result<ChosenDialect> chosen =
      ChooseDialect(dialect, traces, /*strict=*/false, Logs::kRefuse, Pipes::kLeave);
  if (!chosen) return chosen.error();
  loaded->dialect_name = chosen->name;
  loaded->dialect_text = chosen->Text();
  loaded->dialect = std::move(chosen->dialect);
  if (chosen->detected) {
    Result<std::vector<std::string>> broken = BrokenClauses(*loaded->dialect, traces);
    if (!broken) return broken.error();
    Exempt(*broken, loaded->dialect.get());
    loaded->exempt = std::move(*broken);
  }
  fuzz::SeedCollector collector(&loaded->seeds, loaded->dialect.get());
  for (const std::string& path : traces) {
    uint64_t damaged = 0;
    const Status read = ReadInto(path, loaded->dialect.get(), &collector, &damaged);
    if (!read) return read.error();
    loaded->damaged_bytes += damaged;
    collector.EndSession();
  }
  if (loaded->dialect != nullptr) loaded->seeds.words.AddDialect(*loaded->dialect);
  loaded->made_up = loaded->seeds.inputs.empty();
  if (loaded->made_up) fuzz::MakeSeeds(loaded->dialect.get(), &loaded->seeds);
  return loaded;
}

void Exempt(const std::vector<std::string>& clauses, wire::Dialect* dialect) {
  for (const std::string& clause : clauses) {
    if (clause == "error.without-code") dialect->error_without_code = wire::Severity::kNote;
    const size_t blank = clause.find(' ');
    if (blank == clause.npos) continue;
    const std::string_view kind = std::string_view(clause).substr(0, blank);
    const wire::MethodSpec* spec = dialect->Find(std::string_view(clause).substr(blank + 1));
    if (spec == nullptr) continue;
    wire::MethodSpec& own = dialect->methods.find(spec->name)->second;
    if (kind == "result") own.result = nullptr;
    if (kind == "params") own.params = nullptr;
    if (kind == "direction") own.from = {true, true};
  }
}

}  // namespace midwire::tools
