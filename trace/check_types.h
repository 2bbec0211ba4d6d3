// The types of rules that a dialect can write, one maker each (doc/dialects.md says what members
// they take). Makers return an error that names the member; RuleReader reads them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trace/check.h"

namespace midwire::trace {

// Reads the members of one rule; the first mistake stays.
class RuleReader {
 public:
  explicit RuleReader(const wire::RuleSpec& rule) : rule_(rule) {}

  std::vector<std::string> Methods(std::string_view member = "methods");  // at least one
  wire::MethodPlace Place(std::string_view member);                       // needed
  std::vector<wire::MethodPlace> Places(std::string_view member);         // may be missing
  int64_t Number(std::string_view member);                                // needed
  std::optional<int64_t> OptionalNumber(std::string_view member);
  std::string Text(std::string_view member);  // "" when missing

  const std::optional<Error>& error() const { return error_; }

 private:
  void Fail(std::string_view member, const std::string& expected);

  const wire::RuleSpec& rule_;
  std::optional<Error> error_;
};

// Whether a message is of one of these methods (patterns too).
bool IsOf(const std::vector<std::string>& methods, const Observed& seen);
// The value at a place of a message, if the message is of its method and has one.
std::optional<std::string_view> ValueOf(const wire::MethodPlace& place, const Observed& seen);

using MadeRule = std::unique_ptr<CheckRule>;
MadeRule MakeSizeRule(const wire::RuleSpec& rule, RuleReader* in);

}  // namespace midwire::trace
