// Which session of its traces a mock plays. A host may start its plugin more than once, such as
// first to probe it, and each start is a process of the same command. Called by commands/mock. The
// traces are read; stdin is not: FirstMessage runs under the driver.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/machine.h"
#include "trace/reader.h"
#include "wire/decoder.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

struct RecordedSession {
  std::string trace;
  size_t index = 0;  // in the trace
  // The host's first call. Empty: there is none, or the plugin wrote before it.
  std::string method, body;
};

// The sessions of the traces, in order. Of what can be read only once, or is the log of another
// program, only the first, without its call.
std::vector<RecordedSession> SessionsOf(const std::vector<std::string>& traces);

// Whether the host's first message can decide: a host that waits for its plugin would not send one.
bool CanChoose(const std::vector<RecordedSession>& sessions);

// Index of the session whose first call differs least from this one; of several, the first. One
// with another method fits only if all have another.
size_t MostSimilar(const std::vector<RecordedSession>& sessions, std::string_view method,
                   std::string_view body);

// The records of one session of a trace, as a trace.
std::unique_ptr<trace::TraceReader> OneSession(std::unique_ptr<trace::TraceReader> reader,
                                               size_t index);

// Ends the run when the host's first message is complete, or its stream ends.
class FirstMessage : public proxy::Machine, private wire::FrameHandler {
 public:
  void OnBytes(proxy::Stream stream, std::string_view bytes, proxy::Actions* actions) override;
  void OnEof(proxy::Stream stream, proxy::Actions* actions) override;
  void OnClosed(proxy::Stream, proxy::Actions*) override {}
  void OnSignal(const io::SignalInfo& signal, proxy::Actions* actions) override;
  void OnExit(const ExitStatus&, proxy::Actions*) override {}

  // "": none.
  const std::string& method() const { return method_; }
  const std::string& body() const { return body_; }
  // All that was read: what follows the message, too.
  std::string TakeBytes() { return std::move(bytes_); }
  int interrupted() const { return interrupted_; }

 private:
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override;
  void OnJunk(const wire::Junk&) override {}

  wire::Decoder decoder_;
  std::string bytes_, method_, body_;
  bool found_ = false;
  int interrupted_ = 0;
};

}  // namespace midwire::tools
