// Connects the session model with a printer: decides which lines of the timeline are shown, and the
// time of each since the session began. Used by commands/show. Prints nothing itself, reads no
// file.
#pragma once

#include <cstdint>
#include <string>

#include "tools/output.h"
#include "tools/read_trace.h"
#include "trace/filter.h"
#include "trace/session.h"
#include "view/text/printer.h"

namespace midwire::tools {

struct ViewOptions {
  bool body = false;  // bodies are printed, so keep them
  bool stderr_lines = false;
  trace::Filter* filter = nullptr;  // nullptr: everything
};

class Viewer : public TraceListener, private trace::SessionHandler {
 public:
  // `output`: the one that the printer writes to.
  Viewer(const ViewOptions& options, view::Printer* printer, Output* output);

  void OnRecord(const trace::Record& record) override;
  void OnSection() override;
  void OnDamage(const trace::Damage& damage) override;
  void OnPause() override;
  bool stop() const override { return !output_->good(); }
  // The trace has ended: prints what is pending.
  void Finish();

 private:
  void OnMessage(const trace::RecordedMessage& recorded) override;
  void OnElement(const trace::RecordedMessage& recorded) override;
  void OnJunk(const trace::RecordedJunk& recorded) override;
  void OnStderr(int64_t time_ns, std::string_view bytes) override;
  void OnEvent(int64_t time_ns, const trace::Event& event) override;

  view::At AtOf(int64_t time_ns) const;
  bool Wanted(const trace::RecordedMessage& recorded, bool element) const;
  void PrintStderr(std::string_view line);
  void EndStderr();

  const ViewOptions options_;
  view::Printer* printer_;
  Output* output_;
  trace::Session session_;
  int64_t start_ns_ = 0;  // 0: no record with a time yet
  // An unfinished line of stderr and the time of its first byte. Plugins write a line in pieces
  // (Python's print: text, then newline).
  std::string stderr_line_;
  int64_t stderr_ns_ = 0;
};

}  // namespace midwire::tools
