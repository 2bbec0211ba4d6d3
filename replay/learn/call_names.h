// What declarations call the messages of a trace: their method, with a scope where a member of the
// request labels the calls of the method differently. So what --learn declares for one tool leaves
// the others strict. Made once per trace, before the runs; read by the evidence and by
// --suggest-ignores. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/load.h"
#include "wire/dialect/method_place.h"

namespace midwire::replay {

// Labels of one method that may become scopes. More are no names of kinds of calls, but data.
inline constexpr size_t kMaxLabelsOfMethod = 64;

class CallNames {
 public:
  // `labels`: of the dialect. Names that are other values in each run, such as handles and paths,
  // and values that are not strings are no scopes: then the whole method is declared.
  static Result<CallNames> Of(Loaded* loaded, const std::vector<wire::MethodPlace>& labels);

  // "tools/call[/params/name=rand]"; an answer has its request's.
  const std::string& OfStep(StepIndex step) const { return names_[by_step_[step]]; }
  // Of a live message that is no answer.
  std::string OfLive(std::string_view method, std::string_view body) const;
  // Of the first message with that number and method.
  std::string OfNumber(uint32_t number, const std::string& method) const;

 private:
  struct Seen {
    std::set<std::string> members;  // as in a scope; "": a call without a label
    bool usable = true;
  };
  // The member of the label as in a scope. "": there is none, or *usable becomes false.
  std::string MemberOf(std::string_view method, std::string_view body, bool* usable) const;
  uint32_t Index(std::string name);

  std::vector<wire::MethodPlace> labels_;
  std::set<std::string> bound_;                // values of slots, as JSON
  std::set<std::string, std::less<>> scoped_;  // methods
  std::vector<std::string> names_;
  std::map<std::string, uint32_t> index_;  // of names_
  std::vector<uint32_t> by_step_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> by_number_;  // and method
};

}  // namespace midwire::replay
