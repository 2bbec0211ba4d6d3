// Shared by the rule types "gate", "path" and "closed": requests that must be denied with one error
// code. Each of these only decides which requests those are. Also grants, which "granted" and
// "requires" read too. Never reads a dialect's file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/rules/types.h"

namespace midwire::check {

// Names in the list of a grant that are kept; a manifest lists some ten.
inline constexpr size_t kMaxGranted = 4096;
// A longer one is not a host name or a capability.
inline constexpr size_t kMaxGrantedName = 1024;
// What declares grants has hundreds of bytes. In some protocols each request repeats it: only this
// needs to be recognized.
inline constexpr size_t kMaxRepeated = 4096;

// What one party granted or declared: the latest value at a place. Unknown until a message has the
// place, or the object around it ("known"). A message with that object but without the place grants
// nothing.
class Grant {
 public:
  enum class State : uint8_t { kUnknown, kNo, kYes };

  // `known`: nullopt for the object that should hold the place.
  Grant(RulePlace place, std::optional<RulePlace> known, const RuleReader& in);
  bool Reads(std::string_view method) const {
    return place_.OfMethod(method) || (known_ && known_->OfMethod(method));
  }
  void Learn(const Observed& seen);
  // How often it has changed.
  uint64_t changes() const { return changes_; }
  // The values that Learn reads. Of the same ones, it learns nothing new.
  void AddRead(const Observed& seen, RuleReads* reads) const {
    AddValuesOf(place_, seen, &reads->parts);
    if (known_) AddValuesOf(*known_, seen, &reads->parts);
  }
  void Forget();
  State state() const { return state_; }  // true, a list or an object with something in it, a text
  bool is_list() const { return list_; }
  // Whether the list contains the name, or the object has a member of that name that is neither
  // false nor null.
  bool Names(std::string_view name) const;
  const std::string& place() const { return place_.text; }

 private:
  void Take(std::optional<std::string_view> value);

  RulePlace place_;
  std::optional<RulePlace> known_;
  // The place is below `known_`, and both are of one value: what is there decides alone.
  bool below_ = false;
  // The value that was read last, if it is short: at `known_` if it is below_, else at the place.
  std::optional<std::string> latest_;
  uint64_t changes_ = 0;
  State state_ = State::kUnknown;
  bool list_ = false;
  std::vector<std::string> names_;
};

// By the value or method that needs it: the member "grants", an object of places, with "known".
using Grants = std::map<std::string, Grant, std::less<>>;
Grants ReadGrants(RuleReader* in);

class DenialRule : public CheckRule {
 public:
  // Reads "code" (optional: without it answers are not checked) and "asking", the severity of the
  // request itself (default: the rule's).
  DenialRule(const wire::RuleSpec& rule, RuleReader* in);

  bool Reads(std::string_view method) const final;
  void OnMessage(const Observed& seen, CheckReport* report) final;
  bool ReadsOnly(const Observed& seen, RuleReads* reads) const final;
  uint64_t state() const final;
  void OnSessionEnd(bool whole, CheckReport* report) final;

 protected:
  struct Denied {
    std::string pointer;  // of what is denied
    std::string expected, got;
  };
  // Whether Judge can find something in messages of that method.
  virtual bool Judges(std::string_view method) const = 0;
  // Why a call must be denied, or why an answer is wrong; nullopt: nothing is.
  virtual std::optional<Denied> Judge(const Observed& seen) = 0;

  // Adds what Judge reads in the message, beside the grants. False: that is not known.
  virtual bool AddJudged(const Observed& seen, RuleReads* reads) const {
    return (void)seen, (void)reads, false;
  }

  // A session is over: drops what the rule keeps beside its grants.
  virtual void ForgetMore() {}

  std::vector<Grant*> grants_;  // those that Judge reads; kept up to date here
  bool judges_answers_ = false;
  uint64_t changes_ = 0;  // in what Judge keeps beside the grants

 private:
  const wire::RuleSpec* rule_;
  wire::RuleSpec asking_;  // the rule with the severity of asking
  std::optional<int64_t> code_;
  Pending<std::string> denied_;  // and what was requested
};

}  // namespace midwire::check
