// A hostile trace, and a hostile plugin that it is replayed against: the compiler, the player, the
// matcher and the bindings may neither crash nor hang, and report the same twice. Input: a trace, a
// NUL, then the plugin's output, one line per message that it receives (an empty line: nothing; the
// last is repeated).
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "replay/in_process.h"
#include "tests/fuzz/require.h"
#include "trace/reader.h"
#include "view/text/replay_report.h"

namespace midwire::replay {
namespace {

class BytesSource : public trace::Source {
 public:
  explicit BytesSource(std::string_view bytes) : bytes_(bytes) {}
  Result<size_t> Read(char* to, size_t size) override {
    const size_t take = std::min(size, bytes_.size());
    std::memcpy(to, bytes_.data(), take);
    bytes_.remove_prefix(take);
    return take;
  }

 private:
  std::string_view bytes_;
};

// The most output of the plugin: the size of the report is bounded, that of the input is not.
constexpr size_t kMaxSaid = 4096;

std::string Played(std::string_view recorded, std::string_view live) {
  auto reader = trace::OpenTrace(std::make_unique<BytesSource>(recorded));
  if (!reader) return "no trace";
  auto loaded = Load(reader->get(), Direction::kHostToPlugin, Declarations());
  if (!loaded) return "refused: " + loaded.error().Text();
  size_t said = 0;
  const ReplayReport report = PlayInProcess(loaded->get(), [&](std::string_view, const Emit& emit) {
    if (live.empty() || ++said > kMaxSaid) return;
    const std::string_view line = live.substr(0, live.find('\n'));
    if (line.size() < live.size()) live.remove_prefix(line.size() + 1);
    if (!line.empty()) emit(line);
  });
  std::string text;
  view::AppendReplayText(report, {.verb = "replay"}, {}, &text);
  return text;
}

}  // namespace
}  // namespace midwire::replay

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t nul = std::min(bytes.find('\0'), bytes.size());
  const std::string_view live = bytes.substr(std::min(nul + 1, bytes.size()));
  const std::string first = midwire::replay::Played(bytes.substr(0, nul), live);
  midwire::Require(first == midwire::replay::Played(bytes.substr(0, nul), live),
                   "the same trace and the same plugin make the same report");
  return 0;
}
