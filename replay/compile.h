// Compiles a session to a script: runs a trace through trace::Session, stores each message's frame
// and notes which message depends on which. Called once before a run, never during it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/host_mapper.h"
#include "replay/script/declared.h"
#include "replay/script/script.h"
#include "replay/values/bindings.h"
#include "replay/values/message_tokens.h"
#include "trace/reader.h"
#include "trace/session.h"
#include "wire/json/parts.h"

namespace midwire::replay {

struct CompileOptions {
  bool keep_stderr = false;    // for a mock, which writes it again
  HostMapper* host = nullptr;  // null: paths stay as recorded
};

// Distinct methods; a real protocol has a few hundred.
inline constexpr size_t kMaxMethods = 65536;

class Compiler : public trace::SessionHandler {
 public:
  // Stores a frame; returns the offset to pass to Frames::Get.
  using Store = std::function<Result<uint64_t>(std::string_view bytes)>;

  // Declarations in the trace's header are added to *declared. `bindings` may be null: then none
  // are inferred.
  Compiler(Store store, Declarations* declared, Bindings* bindings, CompileOptions options = {})
      : store_(std::move(store)),
        declared_(declared),
        bindings_(bindings),
        options_(options),
        scopes_(*declared) {}

  void OnMessage(const trace::RecordedMessage& recorded) override;
  void OnElement(const trace::RecordedMessage& element) override;
  void OnJunk(const trace::RecordedJunk& junk) override;
  void OnStderr(int64_t time_ns, std::string_view bytes) override;
  void OnEvent(int64_t time_ns, const trace::Event& event) override;
  void OnSectionEnd(const wire::Exchanges&) override { ++script_.sessions; }

  std::optional<wire::Framing> framing() const { return declared_->framing; }
  // Call once, at the end. Errors: a message too large to play, a full store, an unusable header.
  Result<Script> Finish();
  bool failed() const { return failure_.has_value(); }

 private:
  Step Describe(const trace::RecordedMessage& recorded);
  // `tokens`: of the body, if they are known.
  void AddStep(Step step, const trace::RecordedMessage& recorded, std::string_view body,
               const wire::JsonTokens* tokens);
  StepIndex StepOf(const wire::OpenRequest& request) const;
  std::optional<uint64_t> Keep(std::string_view bytes);
  uint32_t MethodIndex(const std::string& method);
  uint32_t ClassIndex(uint32_t method, std::string_view body);
  uint32_t ClassIndexOf(uint32_t method, CallClass of);
  void AddMark(Mark mark);
  bool skipping() const { return script_.sessions > 1 || failure_; }

  Store store_;
  Declarations* declared_;
  Bindings* bindings_;
  CompileOptions options_;
  Scopes scopes_;
  Script script_;
  std::map<std::string, uint32_t, std::less<>> methods_ = {{"", 0}};
  uint32_t latest_method_ = 0;  // messages of one method often follow each other
  static constexpr uint32_t kNoClass = UINT32_MAX;
  std::vector<uint32_t> unscoped_;  // by method: the class without scopes
  std::map<std::pair<uint32_t, std::vector<std::string>>, uint32_t> classes_ = {{{0, {}}, 0}};
  MessageTokens tokens_;  // of the step that is added
  // Of the batch that is read, if it is JSON: its elements that are not steps yet.
  std::optional<wire::JsonParts> elements_;
  Step batch_;
  std::string_view batch_bytes_;
  size_t unread_ = 0;
  bool full_ = false;  // as many as are classified: there may be more
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
// Marks the steps that hold bound values. An error: the frames cannot be read.
Status MarkBound(Frames* frames, Bindings* bindings, Script* script);

}  // namespace midwire::replay
