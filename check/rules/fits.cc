// Rule type "fits": a value fits the JSON Schema that was sent for it earlier in the session.
//   {"type":"fits","at":"tools/call:/result/structuredContent","name":"tools/call:/params/name",
//    "schemas":"tools/list:/result/tools/*","key":"/name","schema":"/outputSchema",
//    "required":true,"unless":"tools/call:/result/isError"}
// Each object at "schemas" has a name at "key" and may have a schema at "schema"; the latest of a
// name counts. "name" is in the call: the value at "at", in the call or its answer, must fit the
// schema of that name. "required": a result without a value there is a violation if there is a
// schema. "unless": nothing is checked in a message that has true there. A schema that cannot be
// compiled as draft 4 is noted once, and nothing is checked against it.
#include "check/rules/types.h"
#include "wire/dialect/schema.h"
#include "wire/json/decimal.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

// A plugin offers hundreds of tools at most, and a schema has a few KiB. Further and larger ones
// are not compiled: the memory of a schema is a multiple of its text.
constexpr size_t kMaxFitSchemas = 1024, kMaxFitSchemaBytes = 64u << 10;

class FitsRule : public CheckRule {
 public:
  FitsRule(const wire::RuleSpec* rule, wire::MemberReader* in)
      : rule_(rule),
        noted_(*rule),
        at_(in->Place("at")),
        name_(in->Place("name")),
        schemas_(in->Place("schemas")),
        key_(PointerOf("key", in)),
        schema_(PointerOf("schema", in)),
        unless_(in->OptionalPlace("unless")),
        required_(in->Flag("required")) {
    noted_.severity = wire::Severity::kNote;
    if (rule->severity == wire::Severity::kOff) noted_.severity = wire::Severity::kOff;
  }

  bool Reads(std::string_view method) const override {
    return at_.OfMethod(method) || name_.OfMethod(method) || schemas_.OfMethod(method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    EachValueOf(schemas_, seen, [&](const wire::Path& path, std::string_view value) {
      Keep(seen, path, value, report);
    });
    std::optional<std::string> name;
    if (IsCall(seen)) {
      if (const auto value = ValueOf(name_, seen)) name = Kept(*value);
      if (name && schemas_by_name_.contains(*name)) asked_.Add(seen, *name);
    } else {
      name = asked_.Take(seen);
    }
    if (name) Judge(seen, *name, report);
  }

  // What was lost may have had other schemas.
  void OnGap() override { Forget(); }
  void OnSessionEnd(bool, CheckReport*) override { Forget(); }

 private:
  static wire::Pointer PointerOf(const char* member, wire::MemberReader* in) {
    const Result<wire::Pointer> pointer = wire::ParsePointer(in->Text(member));
    if (!pointer || pointer->steps.empty()) in->Expect(member, "a JSON pointer");
    return pointer ? *pointer : wire::Pointer{};
  }

  void Keep(const Observed& seen, const wire::Path& path, std::string_view object,
            CheckReport* report) {
    const auto key = wire::ValueAt(object, key_);
    if (!key) return;
    const std::string name = Kept(*key);
    schemas_by_name_.erase(name);
    const auto text = wire::ValueAt(object, schema_);
    if (!text || text->size() > kMaxFitSchemaBytes || schemas_by_name_.size() >= kMaxFitSchemas) {
      return;
    }
    const Result<wire::Json> json = wire::ParseJson(*text);
    Result<wire::Schema> schema =
        json ? wire::Schema::Compile(*json, nullptr) : Result<wire::Schema>(json.error());
    if (schema) {
      schemas_by_name_.emplace(name, std::move(*schema));
      return;
    }
    if (!not_compiled_.insert(name).second || not_compiled_.size() > kMaxFitSchemas) return;
    Violation finding = CheckReport::Of("", seen);
    finding.pointer = wire::PointerText(path) + wire::PointerText(schema_);
    finding.expected = "a schema that midwire knows (nothing is checked against this one)";
    finding.got = Kept(schema.error().Text());
    report->Add(std::move(finding), noted_);
  }

  void Judge(const Observed& seen, const std::string& name, CheckReport* report) {
    const auto schema = schemas_by_name_.find(name);
    if (schema == schemas_by_name_.end()) return;
    if (unless_ && ValueOf(*unless_, seen) == "true") return;
    Violation finding = CheckReport::Of("", seen);
    finding.pointer = wire::PointerText(at_.pointer);
    const std::string of = " (" + wire::PointerText(schema_) + " of " + name + ")";
    const auto value = ValueOf(at_, seen);
    if (!value) {
      if (!required_ || seen.kind() != wire::Kind::kResponse) return;
      finding.expected = "a value" + of;
      return report->Add(std::move(finding), *rule_);
    }
    const std::optional<wire::SchemaViolation> broken = schema->second.Validate(*value);
    if (!broken) return;
    finding.pointer += broken->pointer;
    finding.expected = schema->second.Expectation(*broken) + of;
    const auto at = wire::ParsePointer(broken->pointer);
    const auto part = at ? wire::ValueAt(*value, *at) : std::nullopt;
    finding.got = Kept(broken->pointer.empty() ? *value : part.value_or(""));
    report->Add(std::move(finding), *rule_);
  }

  void Forget() {
    schemas_by_name_.clear();
    not_compiled_.clear();
    asked_.Clear();
  }

  const wire::RuleSpec* rule_;
  wire::RuleSpec noted_;  // the rule, of schemas that do not compile
  wire::MethodPlace at_, name_, schemas_;
  wire::Pointer key_, schema_;
  std::optional<wire::MethodPlace> unless_;
  bool required_;
  std::map<std::string, wire::Schema> schemas_by_name_;  // by the spelling of the name
  std::set<std::string> not_compiled_;                   // names whose schema was noted
  Pending<std::string> asked_;                           // the name in a call
};

}  // namespace

MadeRule MakeFitsRule(const wire::RuleSpec& rule, wire::MemberReader* in) {
  return std::make_unique<FitsRule>(&rule, in);
}

}  // namespace midwire::check
