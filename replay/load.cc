#include "replay/load.h"

#include "replay/compile.h"

namespace midwire::replay {

Result<std::unique_ptr<Loaded>> Load(trace::TraceReader* reader, Direction ours,
                                     Declarations declarations, bool keep_stderr) {
  auto loaded = std::make_unique<Loaded>(std::move(declarations), ours);
  Compiler compiler([&](std::string_view bytes) { return loaded->frames.Add(bytes); },
                    &loaded->declared, &loaded->bindings,
                    {.keep_stderr = keep_stderr, .host = &loaded->host});
  Result<Compiled> compiled = Compile(reader, &compiler);
  if (!compiled) return compiled.error();
  if (Status settled = loaded->frames.Settle(); !settled) return settled.error();
  // Otherwise a file that is cut near its beginning would replay as an empty session.
  if (compiled->torn && compiled->script.steps.empty()) {
    return Error{"the trace is cut off", "", "it ends within its first record or message"};
  }
  if (const auto& failure = loaded->host.failure()) return *failure;
  // A mock cannot know the pid of its host.
  if (ours == Direction::kPluginToHost || loaded->declared.any_pid) {
    const std::vector<Place>& pids = loaded->declared.host_pids;
    loaded->declared.ignores.insert(loaded->declared.ignores.end(), pids.begin(), pids.end());
  }
  loaded->script = std::move(compiled->script);
  loaded->damaged_bytes = compiled->damaged_bytes;
  const Status marked = MarkBound(&loaded->frames, &loaded->bindings, &loaded->script);
  if (!marked) return marked.error();
  return loaded;
}

Result<std::unique_ptr<Loaded>> Load(trace::TraceReader* reader, const std::string& path,
                                     Direction ours, Declarations declarations, bool keep_stderr) {
  auto loaded = Load(reader, ours, std::move(declarations), keep_stderr);
  if (loaded || loaded.error().where.find(path) != std::string::npos) return loaded;
  Error error = loaded.error();
  error.where = error.where.empty() ? path : path + ": " + error.where;
  return error;
}

Result<std::unique_ptr<Loaded>> Load(const std::string& path, Direction ours,
                                     Declarations declarations, bool keep_stderr) {
  Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(path);
  if (!reader) return reader.error();
  return Load(reader->get(), path, ours, std::move(declarations), keep_stderr);
}

}  // namespace midwire::replay
