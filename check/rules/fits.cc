// Rule type "fits": a value fits a JSON Schema that was sent for it in the session.
//   {"type":"fits","at":"tools/call:/result/structuredContent","name":"tools/call:/params/name",
//    "schemas":"tools/list:/result/tools/*","key":"/name","schema":"/outputSchema",
//    "required":true,"unless":"tools/call:/result/isError"}
//   {"type":"fits","at":"elicitation/create:/result/content","request":"/params/requestedSchema"}
// Each object at "schemas" has a name at "key" and may have a schema at "schema". Of a name, those
// in the latest message that has some count; a value must fit one of them. "name" is in the
// call: the value at "at", in the call or its answer, must fit the schema of that name. "request":
// the schema is there in the request that the value answers. "required": a result without a value
// there is a violation if there is a schema. "otherwise": what a call without a value has.
// "unless": nothing is checked in a message that has a value there, except false and null.
// "refused": severity if a call was answered with an error, or with a value at "unless"; the
// violation waits for the answer, and without one is none. A schema that cannot be compiled, or is
// beyond the limits, is noted once, and nothing is checked against it. So is a value that is beyond
// the limits of wire::Schema.
#include <algorithm>

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
// The texts of schemas that are kept compiled for later sessions: the tools of a large plugin.
constexpr size_t kMaxCompiledBytes = 1u << 20;

// Of a schema that cannot be used: whether it, or midwire, is at fault.
constexpr char kNotRead[] = "midwire does not read this schema, so nothing is checked against it";
constexpr char kNotWhole[] = "midwire does not check all of this value against its schema";
constexpr char kMistaken[] = "the schema has a mistake, so nothing is checked against it";
// Of a name that a list has twice.
constexpr char kEither[] = "two have this name, and the schema of only one of them fits";
constexpr char kAnything[] = "two have this name, one without a schema that midwire reads";

// Of a schema that does not say it.
wire::Json::Member NamedDraftOf2020() {
  wire::Json uri;
  uri.type = wire::Json::Type::kString;
  uri.text = "https://json-schema.org/draft/2020-12/schema";
  return {"$schema", std::move(uri)};
}

class FitsRule : public CheckRule {
 public:
  FitsRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        noted_(*rule),
        refused_(*rule),
        at_(in->Place("at")),
        request_(in->OptionalPlace("request")),
        unless_(in->Places("unless")),
        otherwise_(in->Value("otherwise")),
        required_(in->Flag("required")),
        waits_(in->Has("refused")) {
    refused_.severity = in->Severity("refused", rule->severity);
    noted_.severity = wire::Severity::kNote;
    if (rule->severity == wire::Severity::kOff) noted_.severity = wire::Severity::kOff;
    if (request_) {
      if (request_->scope.method.empty()) request_->scope = at_.scope;
      return;
    }
    name_ = in->Place("name");
    schemas_ = in->Place("schemas");
    key_ = PointerOf("key", in);
    schema_ = PointerOf("schema", in);
  }

  bool Reads(std::string_view method) const override {
    if (request_) return request_->OfMethod(method);
    return at_.OfMethod(method) || name_.OfMethod(method) || schemas_.OfMethod(method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (request_) return OnOwn(seen, report);
    EachValueOf(schemas_, seen, [&](const wire::Path& path, std::string_view value) {
      Keep(seen, path, value, report);
    });
    if (auto waited = waiting_.Take(seen)) Settle(std::move(*waited), seen, report);
    std::optional<std::string> name;
    if (IsCall(seen)) {
      if (const auto value = ValueOf(name_, seen)) name = Kept(*value);
      if (name && by_name_.contains(*name)) asked_.Add(seen, *name);
    } else {
      name = asked_.Take(seen);
    }
    if (!name) return;
    const auto schema = by_name_.find(*name);
    if (schema == by_name_.end()) return;
    Judge(seen, schema->second, *name, report);
  }

  bool ReadsOnly(const Observed& seen, RuleReads* reads) const override {
    if (request_) return IsCall(seen) && HasNone(*request_, seen);
    AddValuesOf(schemas_, seen, &reads->parts);
    reads->state = !reads->parts.empty();
    if (!name_.OfMethod(seen.method)) return true;
    // An answer settles what was kept of a call.
    if (!IsCall(seen)) return false;
    const auto name = ValueOf(name_, seen);
    if (!name) return true;
    if (by_name_.contains(Kept(*name))) return false;
    reads->parts.push_back(*name);
    reads->state = true;
    return true;
  }
  uint64_t state() const override { return changes_; }

  // What was lost may have had other schemas.
  void OnGap() override { Forget(); }
  // What became of calls without an answer is not known: the plugin may have crashed at one.
  void OnSessionEnd(bool, CheckReport*) override { Forget(); }

 private:
  using SentSchema = std::shared_ptr<wire::Schema>;
  struct Named {
    std::vector<SentSchema> schemas;  // several: of objects of one name in one message
    std::vector<std::string> texts;   // of these
    uint64_t list = 0;                // that message
    bool anything = false;            // one of these objects has no schema that is read
  };

  static wire::Pointer PointerOf(const char* member, RuleReader* in) {
    const Result<wire::Pointer> pointer = wire::ParsePointer(in->Text(member));
    if (!pointer || pointer->steps.empty()) in->Expect(member, "a JSON pointer");
    return pointer ? *pointer : wire::Pointer{};
  }

  // The request of the answer has the schema.
  void OnOwn(const Observed& seen, CheckReport* report) {
    if (!IsCall(seen)) {
      const auto schema = own_.Take(seen);
      if (!schema) return;
      --own_count_;
      return Judge(seen, Named{.schemas = {*schema}}, "", report);
    }
    const auto text = ValueOf(*request_, seen);
    if (!text || seen.kind() != wire::Kind::kRequest) return;
    const auto pointer = [&] { return wire::PointerText(request_->pointer); };
    if (own_count_ >= kMaxFitSchemas) return NoteMore(seen, pointer(), report);
    if (SentSchema schema = Compile(seen, pointer, *text, "", report)) {
      own_.Add(seen, std::move(schema));
      ++own_count_;
    }
  }

  void Keep(const Observed& seen, const wire::Path& path, std::string_view object,
            CheckReport* report) {
    const auto key = wire::ValueAt(object, key_);
    if (!key) return;
    if (std::exchange(list_, seen.number()) != seen.number()) bare_.clear();
    const std::string name = Kept(*key);
    const auto text = wire::ValueAt(object, schema_);
    auto known = by_name_.find(name);
    if (known != by_name_.end() && known->second.list != list_) {
      const Named& before = known->second;
      if (text && !before.anything && before.texts.size() == 1 && before.texts.front() == *text) {
        known->second.list = list_;
        return;
      }
      known = Drop(known);
    }
    const bool again = known != by_name_.end();
    if (text && again && Contains(known->second.texts, *text)) return;
    const auto pointer = [&] { return wire::PointerText(path) + wire::PointerText(schema_); };
    if (text && held_ >= kMaxFitSchemas) return NoteMore(seen, pointer(), report);
    const SentSchema schema = text ? Compile(seen, pointer, *text, name, report) : nullptr;
    if (!again && !schema) {
      if (bare_.size() < kMaxFitSchemas) bare_.insert(name);
      return;
    }
    ++changes_;
    Named& named = again ? known->second : by_name_[name];
    named.list = list_;
    if (!schema || bare_.contains(name)) named.anything = true;
    if (!schema) return;
    named.schemas.push_back(schema);
    named.texts.emplace_back(*text);
    ++held_;
  }

  static bool Contains(const std::vector<std::string>& texts, std::string_view text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  }

  using ByName = std::map<std::string, Named>;
  // Returns the end of the table.
  ByName::iterator Drop(ByName::iterator known) {
    ++changes_;
    held_ -= known->second.schemas.size();
    by_name_.erase(known);
    return by_name_.end();
  }

  // Null: it is too large, or cannot be compiled, which is noted once per name. pointer(): where it
  // is, for the note.
  template <typename Pointer>
  SentSchema Compile(const Observed& seen, const Pointer& pointer, std::string_view text,
                     const std::string& name, CheckReport* report) {
    if (text.size() > kMaxFitSchemaBytes) {
      const std::string got = "a schema of " + std::to_string(text.size()) + " bytes";
      Note(seen, pointer(), name, {kNotRead, "at most 65536 bytes", got}, report);
      return nullptr;
    }
    // Each session of a trace has the same ones: compiling takes as long as checking forty
    // messages.
    const auto compiled = compiled_.find(text);
    if (compiled != compiled_.end()) return compiled->second;
    Result<wire::Schema> schema = Error{};
    if (Result<wire::Json> json = wire::ParseJson(text); !json) {
      schema = json.error();
    } else {
      if (json->Find("$schema") == nullptr) json->members.push_back(NamedDraftOf2020());
      schema = wire::Schema::Compile(*json, nullptr);
    }
    if (schema) return Remember(text, std::make_shared<wire::Schema>(std::move(*schema)));
    const bool mistaken =
        schema.error().what == "wrong schema" || schema.error().what == "not JSON";
    Note(seen, pointer(), name, {mistaken ? kMistaken : kNotRead, "", Kept(schema.error().Text())},
         report);
    return nullptr;
  }

  struct Unusable {
    const char* text;
    std::string expected, got;
  };
  // Once per name.
  void Note(const Observed& seen, const std::string& pointer, const std::string& name,
            Unusable schema, CheckReport* report) {
    if (!not_compiled_.insert(name).second || not_compiled_.size() > kMaxFitSchemas) return;
    Violation violation = CheckReport::Of("", seen);
    violation.pointer = pointer;
    violation.text = schema.text;
    violation.expected = std::move(schema.expected);
    violation.got = std::move(schema.got);
    violation.unchecked = true;
    report->Add(std::move(violation), noted_);
  }

  // Once per session.
  void NoteMore(const Observed& seen, const std::string& pointer, CheckReport* report) {
    if (std::exchange(more_, true)) return;
    Violation violation = CheckReport::Of("", seen);
    violation.pointer = pointer;
    violation.text = kNotRead;
    violation.expected = "at most 1024 schemas";
    violation.unchecked = true;
    report->Add(std::move(violation), noted_);
  }

  SentSchema Remember(std::string_view text, SentSchema schema) {
    if (compiled_bytes_ + text.size() <= kMaxCompiledBytes) {
      compiled_bytes_ += text.size();
      compiled_.emplace(text, schema);
    }
    return schema;
  }

  // Where a schema comes from.
  std::string Of(const std::string& name) const {
    return request_ ? request_->text : wire::PointerText(schema_) + " of " + name;
  }

  // A message with a value at one of unless_ that is neither false nor null.
  bool Spared(const Observed& seen) const {
    return std::any_of(unless_.begin(), unless_.end(), [&](const RulePlace& place) {
      const auto value = ValueOf(place, seen);
      return value && *value != "false" && *value != "null";
    });
  }

  // The value must fit one of the schemas. That it does not fit all is noted once per name. name:
  // theirs, if they have one.
  void Judge(const Observed& seen, const Named& named, const std::string& name,
             CheckReport* report) {
    if (Spared(seen)) return;
    auto value = ValueOf(at_, seen);
    const bool sent = value.has_value();
    if (!value && !otherwise_.empty() && IsCall(seen)) value = otherwise_;
    std::optional<wire::SchemaViolation> broken;
    const wire::Schema* breaks = nullptr;
    bool fits = named.anything;
    if (value) {
      for (const SentSchema& schema : named.schemas) {
        if (auto mismatch = schema->Validate(*value)) {
          broken = std::move(mismatch);
          breaks = schema.get();
          continue;
        }
        fits = true;
        if (!schema->gave_up()) continue;
        Note(seen, wire::PointerText(at_.pointer), name,
             {kNotWhole, "a value within midwire's limits (" + Of(name) + ")", ""}, report);
      }
      if (!broken) return;
    } else if (fits || !required_ || seen.kind() != wire::Kind::kResponse) {
      return;
    }
    Violation violation = CheckReport::Of("", seen);
    violation.pointer = wire::PointerText(at_.pointer);
    if (!value) {
      violation.expected = "a value (" + Of(name) + ")";
      violation.text = "the value is missing, and there is a schema for it";
      return report->Add(std::move(violation), *rule_);
    }
    violation.expected = breaks->Expectation(*broken) + " (" + Of(name) + ")";
    violation.got = "none";  // the value of "otherwise" is not in the message
    if (sent) {
      violation.pointer += broken->pointer;
      const auto at = wire::ParsePointer(broken->pointer);
      const auto part = at ? wire::ValueAt(*value, *at) : std::nullopt;
      violation.got = Kept(broken->pointer.empty() ? *value : part.value_or(""));
    }
    if (fits) {
      if (twice_.contains(name)) return;
      violation.text = named.anything ? kAnything : kEither;
      violation.unchecked = true;
    }
    Mismatch mismatch = {std::move(violation), name};
    if (waits_ && seen.kind() == wire::Kind::kRequest) {
      return waiting_.Add(seen, std::move(mismatch));
    }
    Report(std::move(mismatch), *rule_, report);
  }

  struct Mismatch {
    Violation violation;
    std::string name;  // of the schema
  };
  void Report(Mismatch mismatch, const wire::RuleSpec& rule, CheckReport* report) {
    if (!mismatch.violation.unchecked) return report->Add(std::move(mismatch.violation), rule);
    if (twice_.size() >= kMaxFitSchemas || !twice_.insert(mismatch.name).second) return;
    report->Add(std::move(mismatch.violation), noted_);
  }

  // The call did not fit: now it is known what the other party made of it.
  void Settle(Mismatch waited, const Observed& answer, CheckReport* report) {
    const bool refused = answer.kind() == wire::Kind::kError || Spared(answer);
    // It was a call of the other one, whose schema it does not fit.
    if (refused && waited.violation.unchecked) return;
    Report(std::move(waited), refused ? refused_ : *rule_, report);
  }

  void Forget() {
    by_name_.clear();
    held_ = 0;
    list_ = 0;
    bare_.clear();
    twice_.clear();
    not_compiled_.clear();
    asked_.Clear();
    own_.Clear();
    own_count_ = 0;
    more_ = false;
    waiting_.Clear();
  }

  const wire::RuleSpec* rule_;
  wire::RuleSpec noted_;    // the rule, of schemas that do not compile
  wire::RuleSpec refused_;  // of calls that were refused
  RulePlace at_, name_, schemas_;
  std::optional<RulePlace> request_;
  Places unless_;
  wire::Pointer key_, schema_;
  std::string otherwise_;
  bool required_, waits_;
  std::map<std::string, SentSchema, std::less<>> compiled_;  // by text, in all sessions
  size_t compiled_bytes_ = 0;                                // of these texts
  ByName by_name_;                                           // by the spelling of the name
  uint64_t changes_ = 0;                                     // of these
  size_t held_ = 0;                                          // schemas in them
  uint64_t list_ = 0;                                        // message with the latest objects
  std::set<std::string> bare_;                               // names in it without a schema
  std::set<std::string> twice_;                              // names that were noted as such
  std::set<std::string> not_compiled_;                       // names whose schema was noted
  Pending<std::string> asked_;                               // the name in a call
  Pending<SentSchema> own_;                                  // the schema in a request
  size_t own_count_ = 0;                                     // of these
  bool more_ = false;                                        // than kMaxFitSchemas: noted
  Pending<Mismatch> waiting_;                                // of calls that do not fit
};

}  // namespace

MadeRule MakeFitsRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<FitsRule>(&rule, in);
}

}  // namespace midwire::check
