// Compiles a session to a script: runs a trace through trace::Session, keeps each message's frame
// and notes what follows from what. Called once before a run; never looks at what is live.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "replay/bindings.h"
#include "replay/declared.h"
#include "replay/script.h"
#include "trace/reader.h"
#include "trace/session.h"

namespace midwire::replay {

struct CompileOptions {
  bool keep_stderr = false;  // for a mock, which says it again
};

// Distinct methods; a real protocol has some hundred.
inline constexpr size_t kMaxMethods = 65536;

class Compiler : public trace::SessionHandler {
 public:
  // Where frames go; returns the place that Frames::Get will be asked for.
  using Store = std::function<Result<uint64_t>(std::string_view bytes)>;

  // Declarations in the trace's header are added to *declared. `bindings` may be null: then none
  // are inferred.
  Compiler(Store store, Declarations* declared, Bindings* bindings, CompileOptions options = {})
      : store_(std::move(store)), declared_(declared), bindings_(bindings), options_(options) {}

  void OnMessage(const trace::SaidMessage& said) override;
  void OnJunk(const trace::SaidJunk& junk) override;
  void OnStderr(int64_t time_ns, std::string_view bytes) override;
  void OnEvent(int64_t time_ns, const trace::Event& event) override;
  void OnSectionEnd(const wire::Exchanges&) override { ++script_.sessions; }

  // Once, at the end. An error: a message too large to be played, a store that is full, a header
  // that cannot be used.
  Result<Script> Finish();
  bool failed() const { return failure_.has_value(); }

 private:
  Step Describe(const trace::SaidMessage& said, const wire::Message& message);
  void AddStep(Step step, const wire::Message& message, std::string_view body);
  void AddElements(const trace::SaidMessage& said, const Step& batch);
  std::optional<uint64_t> Keep(std::string_view bytes);
  uint32_t MethodIndex(const std::string& method);
  void AddMark(Mark mark);
  bool skipping() const { return script_.sessions > 1 || failure_; }

  Store store_;
  Declarations* declared_;
  Bindings* bindings_;
  CompileOptions options_;
  Script script_;
  std::map<std::string, uint32_t, std::less<>> methods_ = {{"", 0}};
  wire::Exchanges exchanges_;
  int64_t latest_ns_ = 0;
  std::optional<Error> failure_;
};

struct Compiled {
  Script script;
  uint64_t damaged_bytes = 0;
  bool torn = false;  // the trace ends in an unfinished record
};
// Reads a whole trace.
Result<Compiled> Compile(trace::TraceReader* reader, Compiler* compiler);
// Marks the steps that hold what the bindings have found. An error: the frames cannot be read.
Status MarkBound(Frames* frames, Bindings* bindings, Script* script);

}  // namespace midwire::replay
