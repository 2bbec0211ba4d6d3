#include "tools/fuzzing/load_seeds.h"

#include <utility>

#include "check/checker.h"
#include "tools/load_dialect.h"
#include "trace/dialect/detect.h"
#include "trace/reader.h"
#include "trace/session.h"

namespace midwire::tools {
namespace {

Status ReadInto(const std::string& path, trace::SessionHandler* handler,
                uint64_t* damaged = nullptr) {
  auto reader = trace::OpenTrace(path);
  if (!reader) return reader.error();
  trace::Session session(handler);
  const Status played = trace::Play(reader->get(), &session);
  if (damaged != nullptr) *damaged = (*reader)->damaged_bytes();
  if (played || !played.error().where.empty()) return played;
  return Error{played.error().what, path, played.error().remedy};
}

// A dialect detected from a few names may be that of another protocol. Then the recording itself
// violates it.
Result<bool> Fits(const wire::Dialect& dialect, const std::vector<std::string>& traces) {
  uint64_t broken = 0;
  auto checker = check::Checker::Create(&dialect, [&](const trace::Violation& finding) {
    if (finding.severity == wire::Severity::kMust) ++broken;
  });
  if (!checker) return checker.error();
  for (const std::string& path : traces) {
    const Status read = ReadInto(path, checker->get());
    if (!read) return read.error();
  }
  (*checker)->Finish();
  return broken == 0;
}

}  // namespace

Result<std::unique_ptr<LoadedSeeds>> LoadSeeds(const std::vector<std::string>& traces,
                                               const std::string& dialect, wire::Direction role) {
  auto loaded = std::make_unique<LoadedSeeds>();
  loaded->seeds = fuzz::Seeds(role);
  if (!dialect.empty() && dialect != "none") {
    Result<wire::Dialect> named = LoadNamedDialect(dialect, /*strict=*/false);
    if (!named) return named.error();
    loaded->dialect = std::make_unique<wire::Dialect>(std::move(*named));
    loaded->dialect_name = dialect;
  } else if (dialect.empty() && !traces.empty()) {
    trace::Opening opening;
    for (const std::string& path : traces) {
      const Status read = ReadInto(path, &opening);
      if (!read) return read.error();
      if (opening.full()) break;
    }
    std::vector<wire::Dialect> candidates = LoadBuiltInDialects(/*strict=*/false);
    const wire::Dialect* detected = trace::Detect(opening, candidates);
    if (detected != nullptr) {
      const Result<bool> fits = Fits(*detected, traces);
      if (!fits) return fits.error();
      if (!*fits) detected = nullptr;
    }
    if (detected != nullptr) {
      loaded->dialect_name = detected->name;
      loaded->dialect_detected = true;
      loaded->dialect =
          std::make_unique<wire::Dialect>(std::move(candidates[detected - candidates.data()]));
    }
  }
  fuzz::SeedCollector collector(&loaded->seeds, loaded->dialect.get());
  for (const std::string& path : traces) {
    uint64_t damaged = 0;
    const Status read = ReadInto(path, &collector, &damaged);
    if (!read) return read.error();
    loaded->damaged_bytes += damaged;
    collector.EndSession();
  }
  if (loaded->dialect != nullptr) loaded->seeds.words.AddDialect(*loaded->dialect);
  loaded->made_up = loaded->seeds.inputs.empty();
  if (loaded->made_up) fuzz::MakeSeeds(loaded->dialect.get(), &loaded->seeds);
  return loaded;
}

}  // namespace midwire::tools
