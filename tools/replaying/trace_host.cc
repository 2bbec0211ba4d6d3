#include "tools/replaying/trace_host.h"

#include <variant>

#include "replay/script/declared.h"
#include "tools/read_ahead.h"
#include "tools/replaying/options.h"
#include "trace/event.h"
#include "trace/reader.h"

namespace midwire::tools {
namespace {

// A spawn event is the first of a trace, or the second after a header.
constexpr int kMaxEventsBefore = 100;

}  // namespace

Result<replay::HostIdentity> HostOfTrace(const std::string& path) {
  const auto reader = LookAtTrace(path);
  if (!reader) return reader.error();
  replay::Declarations header;
  trace::Record record;
  for (int i = 0; i < kMaxEventsBefore; ++i) {
    const Result<trace::Step> step = (*reader)->Next(&record);
    if (!step || *step == trace::Step::kWait) break;
    if (*step != trace::Step::kRecord) continue;
    if (record.stream != trace::Stream::kEvents) break;
    const Result<trace::Event> event = trace::ParseEvent(record.body);
    if (!event) continue;
    if (const auto* read = std::get_if<trace::HeaderEvent>(&*event)) {
      if (!replay::ReadHeader(read->json, &header)) header.portable = false;  // of A only it counts
    } else if (const auto* spawn = std::get_if<trace::SpawnEvent>(&*event)) {
      if (header.portable) break;
      return replay::HostIdentity{.cwd = spawn->cwd, .home = replay::HomeOf(*spawn)};
    }
  }
  return header.portable ? CurrentHost(/*with_pid=*/false) : replay::HostIdentity();
}

}  // namespace midwire::tools
