#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/dialect/declaration_lists.h"
#include "wire/dialect/family.h"
#include "wire/dialect/merge.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"

namespace midwire::wire {
namespace {

// The names that lead to a value. Real places have about 100 bytes.
constexpr size_t kMaxPathOfNames = 4096;

// Removes the member "strict"; with `strict`, its members replace those beside it.
void Overlay(Json* object, bool strict) {
  Json* const found = FindMember(object, "strict");
  if (found == nullptr) return;
  Json overlay = std::move(*found);
  std::erase_if(object->members,
                [](const Json::Member& member) { return member.first == "strict"; });
  if (strict) PutMembers(std::move(overlay.members), object);
}

// "strict": false
bool IsTolerated(const Json::Member& method) {
  const Json* strict = method.second.Find("strict");
  return strict != nullptr && strict->is(Json::Type::kBool);
}

// Of a method's "strict", leaves the schemas where it is not applied: what they refuse is
// tolerated, but noted.
void KeepSchemas(Json* method) {
  Json* strict = FindMember(method, "strict");
  std::vector<Json::Member> schemas;
  if (strict == nullptr) return;
  for (Json::Member& member : strict->members) {
    if (member.first == "params" || member.first == "result") schemas.push_back(std::move(member));
  }
  strict->members = std::move(schemas);
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
  if (Json* definitions = FindMember(dialect, "definitions"); definitions && strict) {
    for (Json::Member& part : definitions->members) Overlay(&part.second, strict);
  }
  if (Json* methods = FindMember(dialect, "methods")) {
    if (strict) std::erase_if(methods->members, IsTolerated);
    for (Json::Member& part : methods->members) {
      strict ? Overlay(&part.second, strict) : KeepSchemas(&part.second);
    }
  }
}

// Returns what is wrong, with its place in *place, or nullptr. One text for all places: one per
// value would take gigabytes where names are long. Recursive, at most as deep as ParseJson allows.
const char* FindWrong(const Json& json, std::string* place) {
  if (place->size() > kMaxPathOfNames) return "the names on the path to it exceed 4096 bytes";
  const size_t here = place->size();
  std::set<std::string_view> names;
  for (const Json::Member& member : json.members) {
    *place += PointerText(Pointer{{member.first}});
    if (!names.insert(member.first).second) return "duplicate member";
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

// Refuses duplicate members at any depth, and places that are too long to report.
void CheckNames(const Json& json, ReadSource* source) {
  std::string place;
  const char* wrong = FindWrong(json, &place);
  if (wrong == nullptr) return;
  source->Fail(place.size() > kMaxPathOfNames ? place.substr(0, 100) + "..." : place, wrong);
}

void MustBe(Json::Type type, std::string_view name, const MemberReader& in) {
  const Json* value = in.json().Find(name);
  if (value == nullptr || value->is(type)) return;
  in.Expect(name, type == Json::Type::kObject ? "an object" : "a string");
}

// Checks the types that "strict" and "extends" rely on, before they are followed.
void CheckShape(MemberReader in) {
  constexpr auto kObject = Json::Type::kObject;
  MustBe(Json::Type::kString, "extends", in);
  MustBe(kObject, "strict", in);
  MustBe(Json::Type::kString, "since", in);
  for (const std::string_view name : kMergedMembers) {
    MustBe(kObject, name, in);
    const Json* part = in.json().Find(name);
    if (part == nullptr || in.failed()) continue;
    MustBe(kObject, "strict", in.Below(*part, name));
    if (name == "errors") MustBe(kObject, "codes", in.Below(*part, name));
  }
  const auto check_items = [&in](std::string_view name) {
    in.Items(name, [](MemberReader* item) { MustBe(kObject, "strict", *item); });
  };
  for (const DeclarationList& list : kDeclarationLists) check_items(list.member);
  for (const std::string_view name : kAddedLists) check_items(name);
  in.Members("definitions",
             [](const std::string&, MemberReader* part) { MustBe(kObject, "strict", *part); });
  in.Members("methods", [](const std::string&, MemberReader* part) {
    const Json* strict = part->json().Find("strict");
    if (strict == nullptr || strict->is(kObject)) return;
    if (strict->boolean || !strict->is(Json::Type::kBool)) {
      part->Expect("strict", "an object or false");
    }
  });
  // A rule replaces an inherited one of its id. Two in one file are a mistake, such as an
  // incomplete copy.
  std::set<std::string_view> ids;
  in.Items("rules", [&](MemberReader* rule) {
    const std::string_view id = rule->json().String("id");
    if (!id.empty() && !ids.insert(id).second) {
      rule->Below(*rule->json().Find("id"), "id").Fail("another rule has this id");
    }
  });
}

// "line 3, column 7" for ParseJson's "byte 40": a dialect is written in an editor.
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

constexpr std::string_view kPlace = "#/definitions/", kStrict = " (strict)";

using Names = std::set<std::string, std::less<>>;

// Calls visit(reference) for the text of each reference to a definition. Recursive, at most as deep
// as ParseJson allows.
template <class Visit>
void ForEachReference(Json* schema, const Visit& visit) {
  for (Json::Member& member : schema->members) {
    std::string& text = member.second.text;
    if (member.first == "$ref" && text.starts_with(kPlace)) visit(&text);
    ForEachReference(&member.second, visit);
  }
  for (Json& item : schema->items) ForEachReference(&item, visit);
}

// The definitions that have a "strict", and those that refer to them, directly or not.
Names Differing(Json* definitions) {
  std::multimap<std::string_view, std::string_view> users;
  std::vector<std::string_view> next;
  for (Json::Member& member : definitions->members) {
    if (FindMember(&member.second, "strict") != nullptr) next.push_back(member.first);
  }
  if (next.empty()) return {};
  for (Json::Member& member : definitions->members) {
    ForEachReference(&member.second, [&](const std::string* reference) {
      users.emplace(std::string_view(*reference).substr(kPlace.size()), member.first);
    });
  }
  Names differing;
  while (!next.empty()) {
    const auto [name, is_new] = differing.emplace(next.back());
    next.pop_back();
    if (!is_new) continue;
    const auto [begin, end] = users.equal_range(*name);
    for (auto user = begin; user != end; ++user) next.push_back(user->second);
  }
  return differing;
}

// Lets references lead to the strict copies. Returns whether there was one.
bool Redirect(const Names& differing, Json* schema) {
  bool redirected = false;
  ForEachReference(schema, [&](std::string* reference) {
    if (!differing.contains(std::string_view(*reference).substr(kPlace.size()))) return;
    *reference += kStrict;
    redirected = true;
  });
  return redirected;
}

// Gives the method the schemas that are stricter by what they refer to.
void AddStrictSchemas(const Names& differing, Json* method) {
  Json* strict = FindMember(method, "strict");
  // false: only programs have it.
  if (strict != nullptr && !strict->is(Json::Type::kObject)) return;
  std::vector<Json::Member> more;
  for (const char* name : {"params", "result"}) {
    if (Json* own = strict == nullptr ? nullptr : FindMember(strict, name)) {
      Redirect(differing, own);
    } else if (const Json* tolerant = FindMember(method, name)) {
      Json copy = *tolerant;
      if (Redirect(differing, &copy)) more.push_back({name, std::move(copy)});
    }
  }
  if (more.empty()) return;
  if (strict != nullptr) return PutMembers(std::move(more), strict);
  Json made;
  made.type = Json::Type::kObject;
  made.members = std::move(more);
  method->members.push_back({"strict", std::move(made)});
}

}  // namespace

Result<Json> ReadLayer(std::string_view text, bool strict, ReadSource* source) {
  Result<Json> json = ParseJson(text);
  if (!json) {
    return Error{"not a dialect: " + json.error().what,
                 source->file + " at " + LineOf(text, json.error().where), json.error().remedy};
  }
  if (!json->is(Json::Type::kObject)) {
    return Error{"not a dialect: an object is expected", source->file,
                 "begin it with {; midwire dialect show json-rpc-2.0 prints one"};
  }
  CheckNames(*json, source);
  MemberReader reader(*json, source);
  CheckShape(reader);
  reader.Members("revisions", [](const std::string&, MemberReader* revision) {
    if (!revision->json().is(Json::Type::kObject)) return revision->Expect("an object");
    CheckShape(*revision);
  });
  if (source->error) return *source->error;
  OverlayAll(&*json, strict);
  if (Json* revisions = FindMember(&*json, "revisions")) {
    for (Json::Member& revision : revisions->members) OverlayAll(&revision.second, strict);
  }
  return json;
}

void ApplyStrictDefinitions(Json* dialect) {
  Json* const definitions = FindMember(dialect, "definitions");
  if (definitions == nullptr) return;
  const Names differing = Differing(definitions);
  std::vector<Json::Member> copies;
  for (Json::Member& member : definitions->members) {
    if (!differing.contains(member.first)) continue;
    copies.push_back({member.first + std::string(kStrict), member.second});
    Overlay(&copies.back().second, /*strict=*/true);
    Redirect(differing, &copies.back().second);
    Overlay(&member.second, /*strict=*/false);
  }
  if (copies.empty()) return;
  PutMembers(std::move(copies), definitions);
  Json* const methods = FindMember(dialect, "methods");
  if (methods == nullptr) return;
  for (Json::Member& method : methods->members) AddStrictSchemas(differing, &method.second);
}

}  // namespace midwire::wire
