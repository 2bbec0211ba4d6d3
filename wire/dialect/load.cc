// Reads a dialect's JSON: one function a part, each of which knows its members. The first mistake
// ends it, with file, pointer and what is expected there.
#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>
#include <utility>

#include "wire/dialect/dialect.h"

namespace midwire::wire {
namespace {

// Dialects that extend one another: more is a circle.
constexpr int kMaxBases = 8;
// The names that lead to a value. Real places have some 100 bytes.
constexpr size_t kMaxPlace = 4096;
// Each is asked at every message. The largest dialect that is built in has some thirty.
constexpr size_t kMaxRules = 1000, kMaxHandles = 1000;
// Schemas of all methods, each with the definitions that it refers to: some 100 MB. LSP has some
// 8000.
constexpr size_t kMaxSchemas = 200'000;

// Lists that an extension adds to; what is not here or below, it replaces.
constexpr std::string_view kAdded[] = {"volatile",    "ignore",  "bind", "secret",
                                       "secret_keys", "handles", "rules"};
// Objects whose members it adds or replaces one by one.
constexpr std::string_view kMerged[] = {"methods", "definitions", "severities", "clauses",
                                        "errors",  "ids",         "framing",    "lifecycle"};

bool Contains(const auto& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

Json* FindMember(Json* object, std::string_view name) {
  return const_cast<Json*>(object->Find(name));
}

// Each in the place of the one of its name, or behind them all.
void PutAll(std::vector<Json::Member> more, Json* object) {
  std::unordered_map<std::string, size_t> at;
  for (size_t i = 0; i < object->members.size(); ++i) at[object->members[i].first] = i;
  for (Json::Member& member : more) {
    const auto [known, is_new] = at.try_emplace(member.first, object->members.size());
    if (is_new) {
      object->members.push_back(std::move(member));
    } else {
      object->members[known->second].second = std::move(member.second);
    }
  }
}

// The members of a "strict" object in the place of those beside it, or away with it.
void Overlay(Json* object, bool strict) {
  const auto at = std::find_if(object->members.begin(), object->members.end(),
                               [](const Json::Member& member) { return member.first == "strict"; });
  if (!object->is(Json::Type::kObject) || at == object->members.end()) return;
  Json overlay = std::move(at->second);
  object->members.erase(at);
  if (!strict) return;
  PutAll(std::move(overlay.members), object);
}

void OverlayAll(Json* dialect, bool strict) {
  Overlay(dialect, strict);
  for (const char* name : {"framing", "ids", "errors", "lifecycle"}) {
    if (Json* part = FindMember(dialect, name)) Overlay(part, strict);
  }
  for (const char* name : {"handles", "rules"}) {
    if (Json* list = FindMember(dialect, name)) {
      for (Json& item : list->items) Overlay(&item, strict);
    }
  }
  for (const char* name : {"methods", "definitions"}) {
    if (Json* parts = FindMember(dialect, name)) {
      for (Json::Member& part : parts->members) Overlay(&part.second, strict);
    }
  }
}

// How many items of a list are those of the dialect below: places are told as they stand in the
// file, which does not have them.
using Inherited = std::map<std::string, size_t, std::less<>>;

Json Extended(Json base, Json more, Inherited* inherited) {
  std::vector<Json::Member> replaced;
  for (Json::Member& member : more.members) {
    Json* old = FindMember(&base, member.first);
    if (old != nullptr && Contains(kAdded, member.first)) {
      (*inherited)["/" + member.first] = old->items.size();
      for (Json& item : member.second.items) old->items.push_back(std::move(item));
    } else if (old != nullptr && Contains(kMerged, member.first)) {
      Json* codes = FindMember(old, "codes");
      const auto more_codes =
          std::find_if(member.second.members.begin(), member.second.members.end(),
                       [](const Json::Member& part) { return part.first == "codes"; });
      if (member.first == "errors" && codes != nullptr &&
          more_codes != member.second.members.end()) {
        PutAll(std::move(more_codes->second.members), codes);
        member.second.members.erase(more_codes);
      }
      PutAll(std::move(member.second.members), old);
    } else {
      replaced.push_back(std::move(member));
    }
  }
  PutAll(std::move(replaced), &base);
  return base;
}

// What is wrong at the place, or nullptr. The place is one text that grows and shrinks: one a value
// would be a memory of gigabytes where names are long. Recursive: ParseJson's depth.
const char* FindWrong(const Json& json, std::string* place) {
  if (place->size() > kMaxPlace) return "names above 4096 bytes in all lead here";
  const size_t here = place->size();
  std::set<std::string_view> names;
  for (const Json::Member& member : json.members) {
    *place += PointerText(Pointer{{member.first}});
    if (!names.insert(member.first).second) return "this member stands twice";
    if (const char* wrong = FindWrong(member.second, place)) return wrong;
    place->resize(here);
  }
  for (size_t i = 0; i < json.items.size(); ++i) {
    if (json.items[i].items.empty() && json.items[i].members.empty()) continue;
    *place += "/" + std::to_string(i);
    if (const char* wrong = FindWrong(json.items[i], place)) return wrong;
    place->resize(here);
  }
  return nullptr;
}

// A value and where it stands. Copies share the error.
class Reader {
 public:
  Reader(const Json* json, std::string file, const Inherited* inherited,
         std::optional<Error>* error)
      : json_(json), file_(std::move(file)), inherited_(inherited), error_(error) {}

  const Json& json() const { return *json_; }
  bool failed() const { return error_->has_value(); }
  void Fail(const std::string& what) const {
    if (!failed()) *error_ = Error{"not a dialect: " + what, file_ + " at " + Pointer(), ""};
  }
  std::string Pointer() const { return pointer_.empty() ? "the top" : pointer_; }

  bool Has(std::string_view name) const { return json_->Find(name) != nullptr; }
  Reader At(std::string_view name) const {
    static const Json kNothing;
    Reader child = *this;
    const Json* found = json_->Find(name);
    child.json_ = found != nullptr ? found : &kNothing;
    child.pointer_ += PointerText(wire::Pointer{{std::string(name)}});
    return child;
  }
  Reader Item(size_t index) const {
    Reader child = *this;
    child.json_ = &json_->items[index];
    const auto below = inherited_->find(pointer_);
    if (below != inherited_->end() && index >= below->second) index -= below->second;
    child.pointer_ += "/" + std::to_string(index);
    return child;
  }

  // Fails unless it is an object of these members alone ("comment" is allowed everywhere).
  void Object(std::initializer_list<std::string_view> names) const {
    if (!json_->is(Json::Type::kObject)) return Fail("an object is expected");
    for (const Json::Member& member : json_->members) {
      if (member.first == "comment" || member.first == "strict") continue;
      if (!Contains(names, member.first)) return At(member.first).Fail("no such member");
    }
  }
  // Each of these leaves *to as it is where there is no such member.
  void Text(std::string_view name, std::string* to) const {
    if (!Has(name)) return;
    const Reader value = At(name);
    if (!value.json_->is(Json::Type::kString)) return value.Fail("a string is expected");
    *to = value.json_->text;
  }
  void Flag(std::string_view name, bool* to) const {
    if (!Has(name)) return;
    const Reader value = At(name);
    if (!value.json_->is(Json::Type::kBool)) return value.Fail("true or false is expected");
    *to = value.json_->boolean;
  }
  template <typename Integer>
  void Number(std::string_view name, Integer* to) const {
    if (!Has(name)) return;
    const Reader value = At(name);
    const std::optional<int64_t> number = value.json_->Integer();
    if (!number || *number < 0 || !std::in_range<Integer>(*number))
      return value.Fail("a whole number from 0 on is expected");
    *to = static_cast<Integer>(*number);
  }
  void Grade(std::string_view name, Severity* to) const {
    if (Has(name)) At(name).Grade(to);
  }
  void Grade(Severity* to) const {
    for (const Severity severity :
         {Severity::kOff, Severity::kNote, Severity::kShould, Severity::kMust}) {
      if (!json_->is(Json::Type::kString) || json_->text != Name(severity)) continue;
      *to = severity;
      return;
    }
    Fail("off, note, should or must is expected");
  }
  void Texts(std::string_view name, std::vector<std::string>* to) const {
    Each(name, [&](const Reader& item) {
      if (!item.json_->is(Json::Type::kString)) return item.Fail("a string is expected");
      to->push_back(item.json_->text);
    });
  }
  void Places(std::string_view name, std::vector<MethodPlace>* to) const {
    Each(name, [&](const Reader& item) {
      const Result<MethodPlace> place = ParseMethodPlace(item.json_->text);
      if (!item.json_->is(Json::Type::kString) || !place) {
        return item.Fail("METHOD:/pointer or /pointer is expected");
      }
      to->push_back(*place);
    });
  }
  template <typename Take>
  void Each(std::string_view name, const Take& take) const {
    if (!Has(name)) return;
    const Reader list = At(name);
    if (!list.json_->is(Json::Type::kArray)) return list.Fail("a list is expected");
    for (size_t i = 0; i < list.json_->items.size() && !failed(); ++i) take(list.Item(i));
  }
  template <typename Take>
  void EachMember(std::string_view name, const Take& take) const {
    if (!Has(name)) return;
    const Reader object = At(name);
    if (!object.json_->is(Json::Type::kObject)) return object.Fail("an object is expected");
    for (const Json::Member& member : object.json_->members) {
      if (member.first == "comment" || failed()) continue;
      Reader child = object;
      child.json_ = &member.second;
      child.pointer_ += PointerText(wire::Pointer{{member.first}});
      take(member.first, child);
    }
  }
  // Fails where a member stands twice, at any depth, or where no place can be told.
  void Once() const {
    Reader here = *this;
    const char* wrong = FindWrong(*json_, &here.pointer_);
    if (wrong == nullptr) return;
    if (here.pointer_.size() > kMaxPlace) here.pointer_ = here.pointer_.substr(0, 100) + "...";
    here.Fail(wrong);
  }
  // Fails unless the member, if there is one, is of this type.
  void Shape(std::string_view name, Json::Type type) const {
    if (!Has(name) || At(name).json_->is(type)) return;
    At(name).Fail(type == Json::Type::kArray    ? "a list is expected"
                  : type == Json::Type::kObject ? "an object is expected"
                                                : "a string is expected");
  }

 private:
  const Json* json_;
  std::string file_, pointer_;
  const Inherited* inherited_;
  std::optional<Error>* error_;
};

// What has to hold before "strict" and "extends" are followed.
void CheckShape(const Reader& in) {
  in.Once();
  in.Shape("extends", Json::Type::kString);
  in.Shape("strict", Json::Type::kObject);
  for (const std::string_view name : kMerged) {
    in.Shape(name, Json::Type::kObject);
    if (in.failed() || !in.Has(name)) continue;
    in.At(name).Shape("strict", Json::Type::kObject);
    if (name == "errors") in.At(name).Shape("codes", Json::Type::kObject);
  }
  for (const std::string_view name : kAdded) {
    in.Each(name, [](const Reader& item) { item.Shape("strict", Json::Type::kObject); });
  }
  for (const std::string_view name : {"methods", "definitions"}) {
    in.EachMember(name, [](const std::string&, const Reader& part) {
      part.Shape("strict", Json::Type::kObject);
    });
  }
  // One that is inherited may be replaced; one of the same file was copied and half changed.
  std::set<std::string_view> ids;
  in.Each("rules", [&](const Reader& rule) {
    const std::string_view id = rule.json().String("id");
    if (!id.empty() && !ids.insert(id).second) rule.At("id").Fail("another rule has this id");
  });
}

// "FROM=TO", as replay takes it.
bool IsBind(std::string_view text) {
  const size_t equals = text.find('=');
  return equals != text.npos && ParseMethodPlace(text.substr(0, equals)) &&
         ParseMethodPlace(text.substr(equals + 1));
}

void ReadFraming(const Reader& in, Dialect* to) {
  in.Object({"kind", "max_header", "max_body", "clause"});
  std::string kind;
  in.Text("kind", &kind);
  Framing framing = Framing::kAuto;
  if (!kind.empty() && kind != "any") {
    if (ParseFraming(kind, &framing) && framing != Framing::kAuto) {
      to->framing = framing;
    } else {
      in.At("kind").Fail("line, content-length or any is expected");
    }
  }
  in.Number("max_header", &to->max_header);
  in.Number("max_body", &to->max_body);
  in.Text("clause", &to->framing_clause);
}

void ReadIds(const Reader& in, Dialect* to) {
  in.Object({"types", "sender", "receiver"});
  in.Each("types", [&](const Reader& item) {
    constexpr std::pair<std::string_view, Id::Type> kTypes[] = {{"integer", Id::Type::kInteger},
                                                                {"string", Id::Type::kString},
                                                                {"null", Id::Type::kNull},
                                                                {"fraction", Id::Type::kFraction}};
    for (const auto& [name, type] : kTypes) {
      if (item.json().text == name) return to->id_types.push_back(type);
    }
    item.Fail("integer, string, null or fraction is expected");
  });
  in.Places("sender", &to->ids_of_sender);
  in.Places("receiver", &to->ids_of_receiver);
}

// left: schemas that there may still be.
std::shared_ptr<Schema> ReadSchema(const Reader& in, const Json* definitions, size_t* left) {
  Result<Schema> schema = Schema::Compile(in.json(), definitions);
  if (!schema) {
    in.Fail(schema.error().Text());
    return nullptr;
  }
  if (schema->size() > *left) {
    in.Fail("with this one there are more than 200000 schemas in all");
    return nullptr;
  }
  *left -= schema->size();
  return std::make_shared<Schema>(std::move(*schema));
}

void ReadMethod(const std::string& name, const Reader& in, const Json* definitions, size_t* left,
                Dialect* to) {
  in.Object({"from", "kind", "optional", "since", "clause", "params", "params_required", "result",
             "errors"});
  MethodSpec spec;
  spec.name = name;
  std::string from, kind;
  in.Text("from", &from);
  in.Text("kind", &kind);
  spec.from = {from == "host" || from == "both", from == "plugin" || from == "both"};
  if (!spec.from[0] && !spec.from[1]) return in.At("from").Fail("host, plugin or both is expected");
  spec.request = kind == "request" || kind == "either";
  spec.notification = kind == "notification" || kind == "either";
  if (!spec.request && !spec.notification) {
    return in.At("kind").Fail("request, notification or either is expected");
  }
  in.Flag("optional", &spec.optional);
  in.Text("since", &spec.since);
  in.Text("clause", &spec.clause);
  in.Flag("params_required", &spec.params_required);
  if (in.Has("params")) spec.params = ReadSchema(in.At("params"), definitions, left);
  if (in.Has("result")) spec.result = ReadSchema(in.At("result"), definitions, left);
  in.Each("errors", [&](const Reader& item) {
    const std::optional<int64_t> code = item.json().Integer();
    code ? spec.errors.push_back(*code) : item.Fail("an error code is expected");
  });
  if (name.ends_with('*')) to->longest_pattern = std::max(to->longest_pattern, name.size() - 1);
  to->methods[name] = std::move(spec);
}

void ReadErrors(const Reader& in, Dialect* to) {
  in.Object({"codes", "other", "without_code"});
  in.EachMember("codes", [&](const std::string& name, const Reader& text) {
    Json number;
    number.type = Json::Type::kNumber;
    number.text = name;
    const std::optional<int64_t> code = number.Integer();
    if (!code) return text.Fail("an error code is expected as the member's name");
    if (!text.json().is(Json::Type::kString)) return text.Fail("a string is expected");
    to->error_codes[*code] = text.json().text;
  });
  in.Grade("other", &to->other_error_code);
  in.Grade("without_code", &to->error_without_code);
}

void ReadLifecycle(const Reader& in, Dialect* to) {
  in.Object({"first", "last", "before_ready", "grace_ms", "exit", "clause"});
  in.Texts("first", &to->first);
  in.Texts("last", &to->last);
  in.Grade("before_ready", &to->before_ready);
  in.Number("grace_ms", &to->grace_ms);
  if (in.Has("exit")) in.Number("exit", &to->exit_code.emplace());
  in.Text("clause", &to->lifecycle_clause);
}

void ReadHandle(const Reader& in, Dialect* to) {
  if (to->handles.size() >= kMaxHandles) return in.Fail("at most 1000 handles are expected");
  in.Object({"name", "clause", "severity", "made", "used", "ended", "life"});
  HandleSpec handle;
  in.Text("name", &handle.name);
  in.Text("clause", &handle.clause);
  in.Grade("severity", &handle.severity);
  in.Places("made", &handle.made);
  in.Places("used", &handle.used);
  in.Places("ended", &handle.ended);
  std::string life = "session";
  in.Text("life", &life);
  handle.of_call = life == "call";
  if (life != "call" && life != "session") in.At("life").Fail("call or session is expected");
  if (handle.name.empty() || handle.made.empty()) in.Fail("\"name\" and \"made\" are needed");
  to->handles.push_back(std::move(handle));
}

void ReadRule(const Reader& in, Dialect* to) {
  if (to->rules.size() >= kMaxRules) return in.Fail("at most 1000 rules are expected");
  RuleSpec rule;
  if (!in.json().is(Json::Type::kObject)) return in.Fail("an object is expected");
  in.Text("id", &rule.id);
  in.Text("type", &rule.type);
  in.Text("clause", &rule.clause);
  in.Text("text", &rule.text);
  in.Grade("severity", &rule.severity);
  if (rule.id.empty() || rule.type.empty()) return in.Fail("\"id\" and \"type\" are needed");
  rule.json = in.json();
  const auto same = std::find_if(to->rules.begin(), to->rules.end(),
                                 [&](const RuleSpec& other) { return other.id == rule.id; });
  if (same != to->rules.end()) {
    *same = std::move(rule);  // an extension's in the place of its base's
  } else {
    to->rules.push_back(std::move(rule));
  }
}

void Read(const Reader& in, Dialect* to) {
  in.Object({"dialect",     "title",      "extends",  "detect",      "framing", "jsonrpc",
             "batch",       "ids",        "methods",  "definitions", "errors",  "unknown_methods",
             "lifecycle",   "handles",    "volatile", "ignore",      "bind",    "secret",
             "secret_keys", "severities", "clauses",  "rules"});
  in.Text("dialect", &to->name);
  if (to->name.empty()) in.Fail("\"dialect\", its name, is needed");
  in.Text("title", &to->title);
  in.Texts("detect", &to->detect_methods);
  if (in.Has("framing")) ReadFraming(in.At("framing"), to);
  in.Grade("jsonrpc", &to->jsonrpc_missing);
  in.Grade("batch", &to->batch);
  if (in.Has("ids")) ReadIds(in.At("ids"), to);
  const Json* definitions = in.json().Find("definitions");
  size_t schemas_left = kMaxSchemas;
  in.EachMember("methods", [&](const std::string& name, const Reader& method) {
    ReadMethod(name, method, definitions, &schemas_left, to);
  });
  in.Grade("unknown_methods", &to->unknown_method);
  if (in.Has("errors")) ReadErrors(in.At("errors"), to);
  if (in.Has("lifecycle")) ReadLifecycle(in.At("lifecycle"), to);
  in.Each("handles", [&](const Reader& handle) { ReadHandle(handle, to); });
  in.Texts("volatile", &to->volatile_methods);
  std::vector<MethodPlace> ignores;
  in.Places("ignore", &ignores);
  for (const MethodPlace& place : ignores) to->ignores.push_back(place.text);
  in.Each("bind", [&](const Reader& bind) {
    if (!IsBind(bind.json().text)) return bind.Fail("FROM=TO, two places, is expected");
    to->binds.push_back(bind.json().text);
  });
  in.Places("secret", &to->secrets);
  in.Texts("secret_keys", &to->secret_keys);
  in.EachMember("severities", [&](const std::string& name, const Reader& grade) {
    grade.Grade(&to->severities[name]);
  });
  in.EachMember("clauses", [&](const std::string& name, const Reader& text) {
    if (!text.json().is(Json::Type::kString)) return text.Fail("a string is expected");
    to->clauses[name] = text.json().text;
  });
  in.Each("rules", [&](const Reader& rule) { ReadRule(rule, to); });
}

// "line 3, column 7" for "byte 40", as ParseJson tells it: a dialect is written in an editor.
std::string LineOf(std::string_view text, std::string_view place) {
  size_t offset = 0;
  const size_t digits = place.find_first_of("0123456789");
  if (digits == place.npos) return std::string(place);
  std::from_chars(place.data() + digits, place.data() + place.size(), offset);
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t column = before.size() - (before.rfind('\n') + 1);  // npos + 1 is 0
  return "line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1);
}

// The dialect's JSON with those that it extends below it.
Result<Json> Assemble(std::string_view text, std::string_view file, bool strict,
                      DialectSource bases, std::vector<std::string>* names, Inherited* inherited) {
  Result<Json> json = ParseJson(text);
  if (!json) {
    return Error{"not a dialect: not JSON",
                 std::string(file) + " at " + LineOf(text, json.error().where),
                 json.error().remedy};
  }
  if (!json->is(Json::Type::kObject)) {
    return Error{"not a dialect: an object is expected", std::string(file), ""};
  }
  std::optional<Error> error;
  const Inherited none;
  CheckShape(Reader(&*json, std::string(file), &none, &error));
  if (error) return *error;
  OverlayAll(&*json, strict);
  const std::string base(json->String("extends"));
  if (base.empty()) return json;
  const std::string_view base_text = bases != nullptr ? bases(base) : std::string_view();
  if (base_text.empty() || names->size() >= kMaxBases) {
    return Error{"not a dialect: it extends \"" + base + "\"", std::string(file) + " at /extends",
                 base_text.empty() ? "there is no such dialect" : "that leads round in a circle"};
  }
  names->push_back(base);
  Result<Json> below = Assemble(base_text, base, strict, bases, names, inherited);
  if (!below) return below;
  inherited->clear();
  return Extended(std::move(*below), std::move(*json), inherited);
}

}  // namespace

Result<Dialect> LoadDialect(std::string_view text, std::string_view file, bool strict,
                            DialectSource bases) {
  Dialect dialect;
  Inherited inherited;
  Result<Json> json = Assemble(text, file, strict, bases, &dialect.bases, &inherited);
  if (!json) return json.error();
  std::optional<Error> error;
  Read(Reader(&*json, std::string(file), &inherited, &error), &dialect);
  if (error) return *error;
  return dialect;
}

}  // namespace midwire::wire
