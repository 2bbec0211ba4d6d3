// A dialect: one protocol, described once in JSON (doc/dialects.md), for check, replay, redact and
// fuzz. Plain data, made by LoadDialect; pure.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/method_place.h"
#include "wire/dialect/place_value.h"
#include "wire/dialect/schema.h"
#include "wire/dialect/severity.h"
#include "wire/exchange.h"
#include "wire/framing.h"
#include "wire/json/pointer.h"
#include "wire/json/value.h"
#include "wire/message.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

struct MethodSpec {
  std::string name;                            // may end in `*`
  std::array<bool, 2> from = {false, false};   // by Direction: which side may send it
  bool request = false, notification = false;  // which kinds it may have
  bool optional = false;                       // the receiver may not know it
  std::string since, clause;
  std::shared_ptr<Schema> params, result;  // null: anything
  bool params_required = false;
  // What its "strict" has in their place, where the dialect was loaded without. null: the same.
  std::shared_ptr<Schema> strict_params, strict_result;
  bool tolerated = false;       // only programs have it: with "strict" the dialect does not
  std::vector<int64_t> errors;  // codes of its errors, in addition to the common ones; empty: any
};

// One item of "rules". check/rules reads the members that its type needs from `json`.
struct RuleSpec {
  std::string id, type, clause, text;
  Severity severity = Severity::kMust;
  Json json;
  std::string pointer;  // where it is in the file
};

// A pointer of its places may have one step `**`, which stands for any number of steps.
struct HandleSpec {
  std::string name, clause;
  Severity severity = Severity::kMust;
  std::vector<MethodPlace> made, used, ended;
  // "call": while the request whose params made it is open; "session": until ended.
  bool of_call = false;
};
// The id of the rule on a handle of that name, for lists on command lines: "handle.progress-token"
// of "progress token". Letters, digits, ".", "_" and "-" stay, and so does what is not ASCII; what
// is between them becomes "-".
std::string HandleRuleId(std::string_view name);

// How the parties of a session agree on one of the protocol's revisions, and what else they
// declare.
struct Negotiation {
  std::vector<MethodPlace> offered;  // a proposal, which holds until one is agreed
  std::vector<MethodPlace> agreed;
  std::vector<MethodPlace> message;  // the revision of the message itself, and of its answer
  std::vector<MethodPlace> capabilities;
};

// How a party cancels a request of its own, and whether the other one answers it all the same.
struct Cancellation {
  std::vector<MethodPlace> at;  // the ids of what is cancelled
  bool answered = true;
  std::string clause;
};

// The entry of a method in a table of names and patterns, which end in `*`: by its name, else by
// the longest pattern; nullptr: it has none. Tries each beginning of the method as a pattern rather
// than each pattern, of which a hostile dialect may have a hundred thousand.
template <typename Methods>
const typename Methods::mapped_type* FindMethod(const Methods& methods, size_t longest_pattern,
                                                std::string_view method) {
  if (const auto found = methods.find(method); found != methods.end()) return &found->second;
  std::string pattern(method.substr(0, longest_pattern));
  for (size_t size = pattern.size() + 1; size-- > 0;) {
    pattern.resize(size);
    pattern += '*';
    if (const auto found = methods.find(pattern); found != methods.end()) return &found->second;
  }
  return nullptr;
}

struct Dialect {
  std::string name, title;
  // Its revision; "": it has none. A dialect with revisions is loaded as its default one, and has
  // all of them in `revisions`, also itself; they have none.
  std::string revision;
  std::vector<std::shared_ptr<const Dialect>> revisions;
  Negotiation negotiation;
  std::string file;                // its file, as errors name it
  std::vector<std::string> bases;  // names of the dialects it extends, nearest first

  std::vector<std::string> detect_methods;  // one of them early in a session identifies it
  std::optional<Framing> framing;           // none: either
  uint64_t max_header = 0, max_body = 0;    // 0: no limit
  std::string framing_clause;

  Severity jsonrpc_missing = Severity::kMust;
  Severity without_result = Severity::kMust;  // see WithoutResult
  Severity batch = Severity::kOff;
  std::vector<Id::Type> id_types;
  std::vector<MethodPlace> ids_of_sender, ids_of_receiver;
  Cancellation cancellation;

  std::map<std::string, MethodSpec, std::less<>> methods;  // by name, patterns too
  size_t longest_pattern = 0;  // of those names, in bytes without the `*`
  Severity unknown_method = Severity::kShould;

  std::map<int64_t, std::string> error_codes;
  Severity other_error_code = Severity::kOff, error_without_code = Severity::kMust;

  std::vector<std::string> first, last;    // methods that open and close a session
  Severity before_ready = Severity::kOff;  // a request before the first was answered
  int64_t grace_ms = 0;                    // from the last one's answer to the exit; 0: none
  std::optional<int> exit_code;
  std::string lifecycle_clause;

  std::vector<HandleSpec> handles;
  // For replay (doc/replay.md). As text: "PLACE=SHAPE", "FROM=TO", places.
  std::vector<MethodScope> volatile_methods, floating_methods;
  std::vector<std::string> ignores, binds, shapes, unordered, chunked;
  // Notifications of work in the background: how many come depends on the machine.
  std::vector<PlaceValue> background;
  std::vector<MethodPlace> host_pids;  // where the host's process id is
  std::vector<MethodPlace> secrets;
  std::vector<std::string> secret_keys;

  std::vector<MethodPlace> labels;  // what names a call, beside its method; the first counts
  // What makes an answer a failure although it is no error of JSON-RPC.
  std::vector<PlaceValue> failures;

  std::vector<RuleSpec> rules;
  // Severity and clause of generic rules (doc/dialects.md lists them): "answer.once", ...
  std::map<std::string, Severity, std::less<>> severities;
  std::map<std::string, std::string, std::less<>> clauses;

  const MethodSpec* Find(std::string_view method) const {
    return FindMethod(methods, longest_pattern, method);
  }

  // The severity of an answer to this method that has neither a result nor an error. Some programs
  // leave out a result that is null.
  Severity WithoutResult(const MethodSpec* spec) const;

  // The revision of this name, else the nearest: the highest below it, or the lowest
  // (CompareVersions). nullptr: the dialect has no revisions.
  const Dialect* Revision(std::string_view version) const;
};

// A version's order among others: "2025-06-18" is above "2024-11-05", and "1.10" above "1.9".
// Negative, 0 or positive, as for strings. Digits are compared as numbers.
int CompareVersions(std::string_view a, std::string_view b);

// The text of a dialect by name, for "extends"; "" when there is none.
using DialectSource = std::string_view (*)(std::string_view name);

// When the schemas of a dialect are compiled. kAtUse: a mistake in one is not reported.
enum class SchemaTime : uint8_t { kAtLoad, kAtUse };

// strict: members of "strict" objects replace the tolerant ones beside them. Errors name `file`,
// the JSON pointer and the mistake, also those in a revision.
Result<Dialect> LoadDialect(std::string_view text, std::string_view file, bool strict,
                            DialectSource bases, SchemaTime schemas = SchemaTime::kAtLoad);

}  // namespace midwire::wire
