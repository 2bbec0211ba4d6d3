// Loads a trace for playing: one call makes the script, its frames and its bindings, on which the
// rest of replay/ works. Called by commands and the test kit. Starts and plays nothing.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "replay/host_mapper.h"
#include "replay/script/declared.h"
#include "replay/script/script.h"
#include "replay/values/bindings.h"
#include "trace/frame_store.h"
#include "trace/reader.h"

namespace midwire::replay {

// What frames and steps may take before frames go to a file. A trace of 1 GB in messages of 1,000
// bytes then takes less than 64 MiB: most of that is steps, at its end.
inline constexpr size_t kMostInMemory = 48u << 20;

class StoredFrames : public Frames {
 public:
  Result<std::string_view> Get(uint64_t at, size_t size) override { return store_.Get(at, size); }
  Result<uint64_t> Add(std::string_view bytes) { return store_.Add(bytes); }
  Status Settle() { return store_.Settle(); }

 private:
  trace::FrameStore store_{trace::FrameStore::kInMemory, kMostInMemory, sizeof(Step)};
};

// Its parts point to one another, so it is never moved.
struct Loaded {
  Loaded(Declarations declarations, Direction ours)
      : declared(std::move(declarations)), bindings(&declared, ours), host(&declared) {}
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  Declarations declared;
  Bindings bindings;
  HostMapper host;
  StoredFrames frames;
  Script script;
  uint64_t damaged_bytes = 0;
};

// `declarations`: in addition to the trace's header. The bindings hold the live values of one run:
// load again (or copy them before) for another run.
Result<std::unique_ptr<Loaded>> Load(trace::TraceReader* reader, Direction ours,
                                     Declarations declarations, bool keep_stderr = false);
// The same; `path` is for errors.
Result<std::unique_ptr<Loaded>> Load(trace::TraceReader* reader, const std::string& path,
                                     Direction ours, Declarations declarations,
                                     bool keep_stderr = false);
Result<std::unique_ptr<Loaded>> Load(const std::string& path, Direction ours,
                                     Declarations declarations, bool keep_stderr = false);

}  // namespace midwire::replay
