// From the JSON of a dialect to a Dialect: one function per part, which reads its members.
#include <algorithm>
#include <utility>

#include "wire/dialect/declaration_lists.h"
#include "wire/dialect/dialect.h"
#include "wire/dialect/family.h"
#include "wire/dialect/member_reader.h"
#include "wire/dialect/pattern.h"
#include "wire/near_names.h"

namespace midwire::wire {
namespace {

// Each is evaluated at every message. The largest built-in dialect has about thirty.
constexpr size_t kMaxRules = 1000, kMaxHandles = 1000;

// A generic rule; that on a handle may be written with the handle's name as it is.
std::string RuleOf(const std::string& name) {
  constexpr std::string_view kHandle = "handle.";
  return name.starts_with(kHandle) ? HandleRuleId(name.substr(kHandle.size())) : name;
}
// Schemas of all methods, each with the definitions that it refers to: about 100 MB. LSP has 8000.
constexpr size_t kMaxSchemas = 200'000;

// What the loaders of a dialect and of its revisions share.
struct Shared {
  std::shared_ptr<PatternCache> patterns = std::make_shared<PatternCache>();
  size_t schemas_left = kMaxSchemas;
  SchemaTime time = SchemaTime::kAtLoad;
};

class Loader {
 public:
  // Each outlives it. `document`: what Read will read. `touched`: see FamilyMember. Only schemas
  // that these may change are compiled; others are those of a built-in dialect.
  Loader(std::shared_ptr<const Json> document, const Heads* touched, Shared* shared)
      : document_(std::move(document)), touched_(*touched), shared_(*shared) {
    const auto at = touched_.lower_bound("/definitions");
    definitions_touched_ = at != touched_.end() && at->starts_with("/definitions");
  }
  void Read(MemberReader* in);
  Dialect TakeDialect() { return std::move(to_); }

 private:
  void ReadFraming(MemberReader* in);
  void ReadIds(MemberReader* in);
  void ReadMethod(const std::string& name, MemberReader* in);
  std::shared_ptr<Schema> ReadSchema(std::string_view name, MemberReader* in);
  void ReadNegotiation(MemberReader* in);
  void ReadPlaceValue(MemberReader* in, std::vector<PlaceValue>* to);
  void ReadErrors(MemberReader* in);
  void ReadLifecycle(MemberReader* in);
  void ReadHandle(MemberReader* in);
  void ReadRule(MemberReader* in);
  void ReadDeclarations(const DeclarationList& list, MemberReader* in);

  Dialect to_;
  std::shared_ptr<const Json> document_;
  const Heads& touched_;
  Shared& shared_;
  const Json* definitions_ = nullptr;
  bool definitions_touched_ = false;
};

// "FROM=TO", as replay takes it.
bool IsBind(std::string_view text) {
  const Result<size_t> scope = EndOfScope(text);
  const size_t equals = scope ? text.find('=', *scope) : text.npos;
  return equals != text.npos && ParseScopedPlace(text.substr(0, equals)) &&
         ParseScopedPlace(text.substr(equals + 1));
}

void Loader::ReadFraming(MemberReader* in) {
  const std::string kind = in->Text("kind", "any");
  Framing framing = Framing::kAuto;
  if (!kind.empty() && kind != "any") {
    if (ParseFraming(kind, &framing) && framing != Framing::kAuto) {
      to_.framing = framing;
    } else {
      in->Expect("kind", "line, content-length or any");
    }
  }
  to_.max_header = in->Count("max_header", to_.max_header);
  to_.max_body = in->Count("max_body", to_.max_body);
  to_.framing_clause = in->Text("clause");
}

void Loader::ReadIds(MemberReader* in) {
  in->Items("types", [this](MemberReader* item) {
    constexpr std::pair<std::string_view, Id::Type> kTypes[] = {{"integer", Id::Type::kInteger},
                                                                {"string", Id::Type::kString},
                                                                {"null", Id::Type::kNull},
                                                                {"fraction", Id::Type::kFraction}};
    for (const auto& [name, type] : kTypes) {
      if (item->json().text == name) return to_.id_types.push_back(type);
    }
    item->Expect("integer, string, null or fraction");
  });
  to_.ids_of_sender = in->Places("sender");
  to_.ids_of_receiver = in->Places("receiver");
}

std::shared_ptr<Schema> Loader::ReadSchema(std::string_view name, MemberReader* in) {
  if (!in->Has(name)) return nullptr;
  const Json& json = *in->json().Find(name);
  const MemberReader place = in->Below(json, name);
  const bool touched = definitions_touched_ || IsBelow(in->pointer(), touched_);
  if (shared_.time == SchemaTime::kAtUse || !touched) {
    return std::make_shared<Schema>(
        Schema::Deferred(document_, &json, definitions_, shared_.patterns));
  }
  Result<Schema> schema = Schema::Compile(json, definitions_, shared_.patterns.get());
  if (!schema) {
    place.Fail(schema.error().Text());
    return nullptr;
  }
  if (schema->size() > shared_.schemas_left) {
    place.Fail("with this one there are more than 200000 schemas in all");
    return nullptr;
  }
  shared_.schemas_left -= schema->size();
  return std::make_shared<Schema>(std::move(*schema));
}

void Loader::ReadMethod(const std::string& name, MemberReader* in) {
  if (!in->json().is(Json::Type::kObject)) return in->Expect("an object");
  MethodSpec spec;
  spec.name = name;
  const std::string from = in->Text("from"), kind = in->Text("kind");
  spec.from = {from == "host" || from == "both", from == "plugin" || from == "both"};
  if (!spec.from[0] && !spec.from[1]) return in->Expect("from", "host, plugin or both");
  spec.request = kind == "request" || kind == "either";
  spec.notification = kind == "notification" || kind == "either";
  if (!spec.request && !spec.notification) {
    return in->Expect("kind", "request, notification or either");
  }
  spec.optional = in->Flag("optional");
  spec.since = in->Text("since");
  spec.clause = in->Text("clause");
  spec.params_required = in->Flag("params_required");
  spec.params = ReadSchema("params", in);
  spec.result = ReadSchema("result", in);
  if (in->Has("strict") && in->json().Find("strict")->is(Json::Type::kBool)) {
    spec.tolerated = true;
  } else {
    in->Object("strict", [&](MemberReader* strict) {
      spec.strict_params = ReadSchema("params", strict);
      spec.strict_result = ReadSchema("result", strict);
    });
  }
  in->Items("errors", [&spec](MemberReader* item) {
    const std::optional<int64_t> code = item->json().Integer();
    code ? spec.errors.push_back(*code) : item->Expect("an error code");
  });
  in->Close();
  if (name.ends_with('*')) to_.longest_pattern = std::max(to_.longest_pattern, name.size() - 1);
  to_.methods[name] = std::move(spec);
}

void Loader::ReadNegotiation(MemberReader* in) {
  to_.negotiation.offered = in->Places("offered");
  to_.negotiation.agreed = in->Places("agreed");
  to_.negotiation.message = in->Places("message");
  to_.negotiation.capabilities = in->Places("capabilities");
  in->Text("default");  // LoadDialect selects it
}

void Loader::ReadPlaceValue(MemberReader* in, std::vector<PlaceValue>* to) {
  PlaceValue wanted;
  const bool is_place = in->json().is(Json::Type::kString);
  Result<MethodPlace> place = ParseMethodPlace(in->json().text);
  if (is_place && place) {
    wanted.at = std::move(*place);
  } else if (is_place || !in->json().is(Json::Type::kObject)) {
    return in->Expect("METHOD:/pointer, /pointer or an object");
  } else {
    place = ParseMethodPlace(in->Text("at"));
    if (!place) return in->Expect("at", "METHOD:/pointer or /pointer");
    wanted.at = std::move(*place);
    const auto take = [&wanted](const MemberReader& item) {
      const Json& json = item.json();
      if (json.is(Json::Type::kObject) || json.is(Json::Type::kArray)) {
        return item.Expect("a string, a number, true, false or null");
      }
      wanted.is.push_back(json);
    };
    if (in->Has("is") && !in->json().Find("is")->is(Json::Type::kArray)) {
      take(in->Below(*in->json().Find("is"), "is"));
    } else {
      in->Items("is", [&take](MemberReader* item) { take(*item); });
    }
    in->Close();
  }
  to->push_back(std::move(wanted));
}

void Loader::ReadErrors(MemberReader* in) {
  in->Members("codes", [this](const std::string& name, MemberReader* text) {
    Json number;
    number.type = Json::Type::kNumber;
    number.text = name;
    const std::optional<int64_t> code = number.Integer();
    if (!code) return text->Expect("an error code as the member's name");
    to_.error_codes[*code] = text->AsText();
  });
  to_.other_error_code = in->Severity("other", to_.other_error_code);
  to_.error_without_code = in->Severity("without_code", to_.error_without_code);
}

void Loader::ReadLifecycle(MemberReader* in) {
  to_.first = in->Texts("first");
  to_.last = in->Texts("last");
  to_.before_ready = in->Severity("before_ready", to_.before_ready);
  to_.grace_ms = in->Count("grace_ms", to_.grace_ms);
  if (in->Has("exit")) to_.exit_code = in->Count("exit", 0);
  to_.lifecycle_clause = in->Text("clause");
}

void Loader::ReadHandle(MemberReader* in) {
  if (to_.handles.size() >= kMaxHandles) return in->Expect("a list of at most 1000 handles");
  HandleSpec handle;
  handle.name = in->Text("name");
  handle.clause = in->Text("clause");
  handle.severity = in->Severity("severity", handle.severity);
  handle.made = in->Places("made");
  handle.used = in->Places("used");
  handle.ended = in->Places("ended");
  const std::string life = in->Text("life", "session");
  handle.of_call = life == "call";
  if (life != "call" && life != "session") in->Expect("life", "call or session");
  if (handle.name.empty() || handle.made.empty()) in->Fail("\"name\" and \"made\" are needed");
  to_.handles.push_back(std::move(handle));
}

void Loader::ReadRule(MemberReader* in) {
  if (to_.rules.size() >= kMaxRules) return in->Expect("a list of at most 1000 rules");
  if (!in->json().is(Json::Type::kObject)) return in->Expect("an object");
  RuleSpec rule;
  rule.id = in->Text("id");
  rule.type = in->Text("type");
  rule.clause = in->Text("clause");
  rule.text = in->Text("text");
  rule.severity = in->Severity("severity", rule.severity);
  if (rule.id.empty() || rule.type.empty()) return in->Fail("\"id\" and \"type\" are needed");
  rule.json = in->json();
  rule.pointer = in->place();
  const auto same = std::find_if(to_.rules.begin(), to_.rules.end(),
                                 [&](const RuleSpec& other) { return other.id == rule.id; });
  if (same != to_.rules.end()) {
    *same = std::move(rule);  // an extension's replaces its base's
  } else {
    to_.rules.push_back(std::move(rule));
  }
}

void Loader::ReadDeclarations(const DeclarationList& list, MemberReader* in) {
  switch (list.form) {
    case DeclarationList::Form::kMethod:
      to_.*list.scopes = in->Scopes(list.member);
      return;
    case DeclarationList::Form::kPlace:
      for (MethodPlace& place : in->ScopedPlaces(list.member)) {
        (to_.*list.texts).push_back(std::move(place.text));
      }
      return;
    case DeclarationList::Form::kBind:
      in->Items(list.member, [&](MemberReader* bind) {
        if (!IsBind(bind->json().text)) return bind->Expect("FROM=TO, two places,");
        (to_.*list.texts).push_back(bind->json().text);
      });
      return;
    case DeclarationList::Form::kText:
      to_.*list.texts = in->Texts(list.member);
      return;
  }
}

void Loader::Read(MemberReader* in) {
  to_.name = in->Text("dialect");
  if (to_.name.empty()) in->Fail("\"dialect\", its name, is needed");
  to_.title = in->Text("title");
  in->Has("extends");  // followed already
  in->Object("negotiation", [this](MemberReader* part) { ReadNegotiation(part); });
  to_.detect_methods = in->Texts("detect");
  in->Object("framing", [this](MemberReader* part) { ReadFraming(part); });
  to_.jsonrpc_missing = in->Severity("jsonrpc", to_.jsonrpc_missing);
  to_.without_result = in->Severity("without_result", to_.without_result);
  to_.batch = in->Severity("batch", to_.batch);
  in->Object("ids", [this](MemberReader* part) { ReadIds(part); });
  in->Object("cancellation", [this](MemberReader* part) {
    to_.cancellation.at = part->Places("at");
    to_.cancellation.answered = part->Flag("answered", true);
    to_.cancellation.clause = part->Text("clause");
  });
  if (in->Has("definitions")) definitions_ = in->json().Find("definitions");
  in->Members("methods",
              [this](const std::string& name, MemberReader* method) { ReadMethod(name, method); });
  to_.unknown_method = in->Severity("unknown_methods", to_.unknown_method);
  in->Object("errors", [this](MemberReader* part) { ReadErrors(part); });
  in->Object("lifecycle", [this](MemberReader* part) { ReadLifecycle(part); });
  in->Objects("handles", [this](MemberReader* handle) { ReadHandle(handle); });
  for (const DeclarationList& list : kDeclarationLists) ReadDeclarations(list, in);
  in->Items("background", [this](MemberReader* item) { ReadPlaceValue(item, &to_.background); });
  in->Object("host", [this](MemberReader* host) { to_.host_pids = host->Places("pid"); });
  to_.secrets = in->Places("secret");
  to_.secret_keys = in->Texts("secret_keys");
  in->Members("severities", [this](const std::string& name, MemberReader* severity) {
    to_.severities[RuleOf(name)] = severity->AsSeverity(Severity::kMust);
  });
  in->Members("clauses", [this](const std::string& name, MemberReader* text) {
    to_.clauses[RuleOf(name)] = text->AsText();
  });
  to_.labels = in->Places("labels");
  in->Items("failures", [this](MemberReader* item) { ReadPlaceValue(item, &to_.failures); });
  in->Items("rules", [this](MemberReader* rule) { ReadRule(rule); });
  in->Close();
}

Result<std::shared_ptr<Dialect>> Load(FamilyMember* member, const Family& family,
                                      std::string_view file, Shared* shared) {
  ReadSource source{.what = "not a dialect", .file = std::string(file)};
  source.inherited = std::move(member->inherited);
  source.layer = member->layer;
  source.own = std::move(member->own);
  ApplyStrictDefinitions(&member->json);
  const auto document = std::make_shared<const Json>(std::move(member->json));
  Loader loader(document, &member->touched, shared);
  MemberReader reader(*document, &source);
  loader.Read(&reader);
  if (source.error) return *source.error;
  auto dialect = std::make_shared<Dialect>(loader.TakeDialect());
  dialect->file = file;
  dialect->bases = family.bases;
  dialect->revision = member->name;
  return dialect;
}

// The revision that "negotiation" names as the default, else the last one.
Result<const Dialect*> Default(const std::string& name, const Dialect& root,
                               std::string_view file) {
  if (root.revisions.empty() && name.empty()) return &root;
  if (name.empty()) return root.revisions.back().get();
  std::vector<std::string> known;
  for (const auto& one : root.revisions) {
    if (one->revision == name) return one.get();
    known.push_back(one->revision);
  }
  return Error{"not a dialect: there is no revision \"" + name + "\"",
               std::string(file) + " at /negotiation/default", NearNames(name, known)};
}

}  // namespace

Result<Dialect> LoadDialect(std::string_view text, std::string_view file, bool strict,
                            DialectSource bases, SchemaTime schemas) {
  ReadSource source{.what = "not a dialect", .file = std::string(file)};
  Result<Family> family = ReadFamily(text, strict, bases, &source);
  if (!family) return family.error();
  const Json* negotiation = family->root.json.Find("negotiation");
  const std::string preferred(negotiation == nullptr ? "" : negotiation->String("default"));
  Shared shared;
  shared.time = schemas;
  Result<std::shared_ptr<Dialect>> root = Load(&family->root, *family, file, &shared);
  if (!root) return root.error();
  for (FamilyMember& member : family->revisions) {
    Result<std::shared_ptr<Dialect>> revision = Load(&member, *family, file, &shared);
    if (!revision) return revision.error();
    (*root)->revisions.push_back(std::move(*revision));
  }
  const Result<const Dialect*> chosen = Default(preferred, **root, file);
  if (!chosen) return chosen.error();
  if (*chosen == root->get()) return std::move(**root);
  Dialect dialect = **chosen;
  dialect.revisions = std::move((*root)->revisions);
  return dialect;
}

}  // namespace midwire::wire
