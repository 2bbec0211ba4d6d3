// Makes a trace portable while it is written: {cwd} and {home} in place of the recorded working and
// home directory (doc/trace-format.md). A writer in front of another one, called by convert. Frames
// are written whole, so that the segments of a tape are lost.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "replay/paths/placeholders.h"
#include "trace/session.h"
#include "trace/writer.h"

namespace midwire::tools {

class PortableWriter : public trace::TraceWriter, private trace::SessionHandler {
 public:
  // home: used if the trace does not have it; "": not known. Errors: a trace that is portable
  // already, that does not say where it was recorded, or with a message above 64 MiB.
  PortableWriter(trace::TraceWriter* writer, std::string home)
      : writer_(writer), home_(std::move(home)), session_(this) {}

  // The framing of the protocol (Session::Expect), before the first record.
  void Expect(std::optional<wire::Framing> framing) { session_.Expect(framing); }

  Status OnRecord(const trace::Record& record) override;
  Status OnGap(const trace::Damage& damage) override;
  Status OnSection() override;
  Status OnEnd() override;
  // Whether the trace cannot be made portable.
  bool refused() const { return refused_; }

 private:
  void Refuse(Error error);
  void OnMessage(const trace::RecordedMessage& recorded) override;
  void OnJunk(const trace::RecordedJunk& junk) override;
  void OnHeader(const std::string& json);
  void OnSpawn(const trace::SpawnEvent& spawn);
  std::string Portable(std::string_view text) const;
  void Put(trace::Stream stream, std::string_view bytes, size_t head,
           trace::Hint hint = trace::Hint::kJson);

  trace::TraceWriter* writer_;
  const std::string home_;
  trace::Session session_;
  std::optional<replay::Placeholders> placeholders_;
  bool header_written_ = false, refused_ = false;
  int64_t time_ns_ = 0;
  Status status_ = Ok{};
};

}  // namespace midwire::tools
