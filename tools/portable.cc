#include "tools/portable.h"

#include <algorithm>
#include <utility>

#include "replay/host_mapper.h"
#include "replay/paths/json_edits.h"
#include "replay/play/rewrite.h"
#include "trace/event.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::tools {

using trace::Stream;

namespace {

constexpr std::string_view kHeaderStart = "{\"event\":\"header\"";
constexpr std::string_view kPortable = ",\"portable\":true";

}  // namespace

void PortableWriter::Refuse(Error error) {
  if (!status_) return;
  refused_ = true;
  status_ = std::move(error);
}

Status PortableWriter::OnRecord(const trace::Record& record) {
  time_ns_ = record.time_ns;
  session_.OnRecord(record);  // messages before this record are written first
  if (record.stream == Stream::kEvents) {
    const Result<trace::Event> event = trace::ParseEvent(record.body);
    const auto* header = event ? std::get_if<trace::HeaderEvent>(&*event) : nullptr;
    const auto* spawn = event ? std::get_if<trace::SpawnEvent>(&*event) : nullptr;
    if (header) {
      OnHeader(header->json);
    } else if (spawn) {
      OnSpawn(*spawn);
    } else {
      Put(record.stream, record.body, 0);
    }
  } else if (record.stream == Stream::kStderr) {
    Put(record.stream, Portable(std::string(record.head) + std::string(record.body)), 0,
        trace::Hint::kText);
  }
  return status_;
}

Status PortableWriter::OnGap(const trace::Damage& damage) {
  session_.OnGap();
  if (status_) status_ = writer_->OnGap(damage);
  return status_;
}

Status PortableWriter::OnSection() {
  session_.OnSection();
  header_written_ = false;
  if (status_) status_ = writer_->OnSection();
  return status_;
}

Status PortableWriter::OnEnd() {
  session_.OnEnd();
  if (!placeholders_) {
    Refuse({"not made portable", "", "the trace does not say in which directory it was recorded"});
  }
  if (status_) status_ = writer_->OnEnd();
  return status_;
}

void PortableWriter::OnHeader(const std::string& json) {
  if (header_written_ || !json.starts_with(kHeaderStart)) return Put(Stream::kEvents, json, 0);
  replay::Declarations declared;
  if (replay::ReadHeader(json, &declared) && declared.portable) {
    return Refuse({"the trace is portable already", "", "use it as it is"});
  }
  header_written_ = true;
  std::string portable = json;
  portable.insert(kHeaderStart.size(), kPortable);
  Put(Stream::kEvents, portable, 0);
}

void PortableWriter::OnSpawn(const trace::SpawnEvent& recorded) {
  trace::SpawnEvent spawn = recorded;
  std::string home = replay::HomeOf(recorded);
  if (home.empty()) home = home_;
  placeholders_.emplace(replay::Directories{.cwd = spawn.cwd, .home = std::move(home)});
  spawn.cwd = Portable(spawn.cwd);
  spawn.home = Portable(spawn.home);
  for (std::string& argument : spawn.argv) argument = Portable(argument);
  Put(Stream::kEvents, trace::ToJson(spawn), 0);
}

void PortableWriter::OnMessage(const trace::RecordedMessage& recorded) {
  const wire::Frame& frame = *recorded.frame;
  time_ns_ = recorded.time_ns;
  if (!frame.whole()) {
    return Refuse({"a message is too large to be made portable",
                   "message " + std::to_string(recorded.number), "the limit is 64 MiB"});
  }
  const Stream stream = trace::StreamOf(recorded.direction);
  const std::string_view body = wire::Trimmed(frame.body());
  replay::TextEdits edits;
  if (placeholders_ && !body.empty() && wire::IsLooseJson(body)) {
    replay::EditStrings(
        body,
        [&](std::string_view text, replay::TextEdits* to) { placeholders_->Collapse(text, to); },
        &edits);
  }
  if (edits.empty()) return Put(stream, frame.bytes, frame.head().size());
  std::string portable;
  replay::RewriteBody(frame.bytes, frame.head().size(), body, edits, &portable);
  const size_t rest = frame.bytes.size() - frame.head().size();
  int64_t growth = 0;
  for (const replay::TextEdit& edit : edits) {
    growth += static_cast<int64_t>(edit.with.size()) - static_cast<int64_t>(edit.end - edit.begin);
  }
  Put(stream, portable, portable.size() - static_cast<size_t>(static_cast<int64_t>(rest) + growth));
}

void PortableWriter::OnJunk(const trace::RecordedJunk& junk) {
  time_ns_ = junk.time_ns;
  Put(trace::StreamOf(junk.direction), Portable(junk.junk->bytes), 0, trace::Hint::kText);
}

std::string PortableWriter::Portable(std::string_view text) const {
  replay::TextEdits edits;
  if (placeholders_) placeholders_->Collapse(text, &edits);
  return replay::Edited(text, edits);
}

void PortableWriter::Put(Stream stream, std::string_view bytes, size_t head, trace::Hint hint) {
  if (!std::exchange(header_written_, true)) {
    const std::string header = std::string(kHeaderStart) + std::string(kPortable) + "}";
    if (status_) {
      status_ = writer_->OnRecord({.stream = Stream::kEvents, .time_ns = time_ns_, .body = header});
    }
  }
  if (status_) {
    status_ = trace::WriteInSegments({.stream = stream, .hint = hint, .time_ns = time_ns_}, bytes,
                                     head, writer_);
  }
}

}  // namespace midwire::tools
