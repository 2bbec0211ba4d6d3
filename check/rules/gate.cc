// Rule type "gate": methods that may be used only while they are granted or declared.
//   {"type":"gate","methods":["host/network/fetch"],"code":-32001,
//    "grant":"plugin/init:/result/manifest/capabilities/network",
//    "known":"plugin/init:/result/manifest","value":"/params/url","asking":"should"}
//   {"type":"gate","methods":["file.analyze"],
//    "grant":"plugin.init:/result/capabilities","contains":"analyze"}
// "grant": the place of the grant, in a request or an answer; the latest one applies. false, null,
// an empty list and a missing value grant nothing. Without "grant", nothing ever does. Until a
// message has a value at "known" (default: the object that holds the grant), the grants are
// unknown, and nothing is reported. "contains": the grant must be a list with this text, or an
// object with this member. "value": where the grant is a list of host names, that of the URL (or
// name) here must be in it. "at", in place of "methods": places in calls and answers. A message
// with a value there, or with one of "is", needs the grant. "from": only messages of that party.
// "also": places of methods that are granted from then on, whatever is at "grant".
// "code": the other party must answer a request that is not granted with this error. "asking" (off,
// note, should, must; default: the rule's severity) is the severity of the request, the rule's that
// of the answer.
#include <algorithm>

#include "check/rules/denial.h"
#include "wire/json/ascii.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

// "https://user@Example.com:443/path" and "example.com" are of example.com. A backslash ends the
// host, as in browsers (WHATWG URL, 4.4): otherwise a URL could hide its true host.
std::string HostOf(std::string_view url) {
  if (const size_t scheme = url.find("://"); scheme != url.npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/\\?#"));
  if (const size_t user = url.rfind('@'); user != url.npos) url.remove_prefix(user + 1);
  const size_t bracket = url.rfind(']');  // [::1]:80
  const size_t port = url.find(':', bracket == url.npos ? 0 : bracket);
  return wire::ToLower(url.substr(0, port));
}

// Where a grant is learned: at its place; where none is possible, that a session is known.
Grant GrantOf(const std::optional<RulePlace>& place, RuleReader* in) {
  const std::optional<RulePlace> known = in->OptionalPlace("known");
  if (!place && !known) in->Expect("grant", "METHOD:/pointer or /pointer");
  return Grant(place ? *place : known.value_or(RulePlace()), known, *in);
}

class GateRule : public DenialRule {
 public:
  GateRule(const wire::RuleSpec& rule, RuleReader* in)
      : DenialRule(rule, in),
        methods_(in->Texts("methods")),
        at_(in->Places("at")),
        is_(in->Texts("is")),
        place_(in->OptionalPlace("grant")),
        grant_(GrantOf(place_, in)),
        value_(in->OptionalPlace("value")),
        contains_(in->Text("contains")),
        also_(in->Places("also")) {
    grants_ = {&grant_};
    judges_answers_ = !at_.empty();
    const std::string from = in->Text("from");
    if (from == "host") from_ = wire::Direction::kHostToPlugin;
    if (from == "plugin") from_ = wire::Direction::kPluginToHost;
    if (!from.empty() && !from_) in->Expect("from", "host or plugin");
    if (methods_.empty() == at_.empty()) in->Expect("methods", "a list of methods, or \"at\"");
    if (at_.empty() && !is_.empty()) in->Expect("at", "a list of places beside \"is\"");
    if (methods_.empty() && !also_.empty()) in->Expect("also", "none beside \"at\"");
    if (!place_ && (value_ || !contains_.empty())) in->Expect("grant", "METHOD:/pointer");
    if (value_ && !contains_.empty()) in->Expect("contains", "only one of it and \"value\"");
  }

 protected:
  bool Judges(std::string_view method) const override {
    if (AnyOfMethod(also_, method)) return true;
    return at_.empty() ? wire::MatchesAny(methods_, method) : AnyOfMethod(at_, method);
  }
  std::optional<Denied> Judge(const Observed& seen) override {
    for (const RulePlace& place : also_) {
      EachValueOf(place, seen, [&](const wire::Path&, std::string_view value) {
        std::string method = Meant(value);
        // Others are granted as well, but this rule is not about them.
        if (granted_.size() < kMaxGranted && wire::MatchesAny(methods_, method))
          changes_ += granted_.insert(std::move(method)).second ? 1 : 0;
      });
    }
    if (granted_.contains(seen.method)) return std::nullopt;
    if (grant_.state() == Grant::State::kUnknown) return std::nullopt;
    const bool any_grant = place_ && contains_.empty() && !value_;
    if (any_grant && grant_.state() == Grant::State::kYes) return std::nullopt;
    if (!contains_.empty() && grant_.Names(contains_)) return std::nullopt;
    if (from_ && seen.direction() != *from_) return std::nullopt;
    std::optional<Denied> needs = NeedsGrant(seen);
    if (!needs) return std::nullopt;
    Denied denied = std::move(*needs);
    if (!place_) return denied;
    if (!contains_.empty()) {
      denied.expected = contains_ + " at " + grant_.place();
      return denied;
    }
    if (grant_.state() == Grant::State::kNo) {
      denied.expected = "a grant at " + grant_.place();
      return denied;
    }
    const auto value = value_ && grant_.is_list() ? ValueOf(*value_, seen) : std::nullopt;
    if (!value) return std::nullopt;
    const std::string host = HostOf(Meant(*value));
    if (grant_.Names(host)) return std::nullopt;
    return Denied{wire::PointerText(value_->pointer), "a host listed at " + grant_.place(), host};
  }

  bool AddJudged(const Observed& seen, RuleReads* reads) const override {
    for (const Places* places : {&also_, &at_}) {
      for (const RulePlace& place : *places) AddValuesOf(place, seen, &reads->parts);
    }
    if (value_) AddValuesOf(*value_, seen, &reads->parts);
    // Of its methods, what is granted decides.
    reads->state = at_.empty() && IsOf(methods_, seen);
    return true;
  }

  void ForgetMore() override { granted_.clear(); }

 private:
  // What in a message needs the grant: its method, or the first value at one of the places.
  std::optional<Denied> NeedsGrant(const Observed& seen) const {
    if (at_.empty()) {
      if (!IsOf(methods_, seen)) return std::nullopt;
      return Denied{seen.method_pointer(), "", std::string(seen.method)};
    }
    std::optional<Denied> first;
    for (const RulePlace& place : at_) {
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
        if (first || (!is_.empty() && !IsOneOf(Meant(value)))) return;
        first = Denied{wire::PointerText(path), "", Kept(value)};
      });
    }
    return first;
  }
  bool IsOneOf(const std::string& text) const {
    return std::find(is_.begin(), is_.end(), text) != is_.end();
  }

  std::vector<std::string> methods_;
  Places at_;
  std::vector<std::string> is_;
  std::optional<wire::Direction> from_;
  std::optional<RulePlace> place_;  // of the grant; none: nothing grants it
  Grant grant_;
  std::optional<RulePlace> value_;
  std::string contains_;
  Places also_;
  std::set<std::string, std::less<>> granted_;  // by a value at "also"
};

}  // namespace

MadeRule MakeGateRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<GateRule>(rule, in);
}

}  // namespace midwire::check
