// Rule type "gate": methods that may be used only while they are granted or declared.
//   {"type":"gate","methods":["host/network/fetch"],"code":-32001,
//    "grant":"plugin/init:/result/manifest/capabilities/network",
//    "known":"plugin/init:/result/manifest","value":"/params/url","asking":"should"}
//   {"type":"gate","methods":["file.analyze"],
//    "grant":"plugin.init:/result/capabilities","contains":"analyze"}
// "grant": the place of the grant, in a request or an answer; the latest one applies. false, null,
// an empty list and a missing value grant nothing. Until a message has a value at "known" (default:
// the object that holds the grant), the grants are unknown, and nothing is reported.
// "contains": the grant must be a list with this text, or an object with this member.
// "value": where the grant is a list of host names, that of the URL (or name) here must be in it.
// "code": the other party must answer a request that is not granted with this error. "asking" (off,
// note, should, must; default: the rule's severity) is the severity of the request, the rule's that
// of the answer.
#include <algorithm>

#include "check/rules/denial.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// "https://user@Example.com:443/path" and "example.com" are of example.com. A backslash ends the
// host, as in browsers (WHATWG URL, 4.4): otherwise a URL could hide its true host.
std::string HostOf(std::string_view url) {
  if (const size_t scheme = url.find("://"); scheme != url.npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/\\?#"));
  if (const size_t user = url.rfind('@'); user != url.npos) url.remove_prefix(user + 1);
  const size_t bracket = url.rfind(']');  // [::1]:80
  const size_t port = url.find(':', bracket == url.npos ? 0 : bracket);
  return Lower(url.substr(0, port));
}

class GateRule : public DenialRule {
 public:
  GateRule(const wire::RuleSpec& rule, wire::MemberReader* in)
      : DenialRule(rule, in),
        methods_(in->Methods()),
        grant_(in->Place("grant"), in->OptionalPlace("known")),
        value_(in->OptionalPlace("value")),
        contains_(in->Text("contains")) {
    grants_ = {&grant_};
    if (value_ && !contains_.empty()) in->Expect("contains", "only one of it and \"value\"");
  }

 protected:
  std::optional<Denied> Judge(const Observed& seen) override {
    if (grant_.state() == Grant::State::kUnknown || !IsOf(methods_, seen)) return std::nullopt;
    Denied denied = {seen.method_pointer(), "", std::string(seen.method)};
    if (!contains_.empty()) {
      if (grant_.Names(contains_)) return std::nullopt;
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

 private:
  std::vector<std::string> methods_;
  Grant grant_;
  std::optional<wire::MethodPlace> value_;
  std::string contains_;
};

}  // namespace

MadeRule MakeGateRule(const wire::RuleSpec& rule, wire::MemberReader* in) {
  return std::make_unique<GateRule>(rule, in);
}

}  // namespace midwire::check
