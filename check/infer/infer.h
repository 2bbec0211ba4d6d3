// Drafts the dialect of an unknown protocol from its sessions (doc/dialects.md, "infer"). These
// sessions pass a check against the draft; those of a plugin that changed do not. Called by
// `midwire infer`. Memory does not grow with the sessions: what is beyond a cap is left out of the
// draft.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "trace/session.h"

namespace midwire::check {

struct DraftOptions {
  std::string name;
  bool closed = false;  // the schemas refuse members that were not seen
};

class Inference {
 public:
  Inference();
  ~Inference();
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  // The handler for a Session, for one trace after another (Session::OnSection in between).
  trace::SessionHandler* handler();
  // Damage in a trace: call before the session's OnGap.
  void OnGap();
  // The last trace is over. Call once, before the functions below.
  void Finish();

  uint64_t messages() const;  // that were understood
  uint64_t sessions() const;
  // JSON, indented. The same sessions in the same order make the same text.
  std::string Draft(const DraftOptions& options) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace midwire::check
