#include "wire/dialect/extend.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>
#include <utility>

#include "wire/json/path.h"
#include "wire/json/pointer.h"

namespace midwire::wire {
namespace {

// The longest chain of "extends"; a longer one is taken for a circle.
constexpr size_t kMaxBases = 8;
// The names that lead to a value. Real places have about 100 bytes.
constexpr size_t kMaxPlace = 4096;

// Lists that an extension adds to. It replaces members that are neither here nor in kMerged.
constexpr std::string_view kAdded[] = {"volatile",    "ignore",   "bind",    "shape",
                                       "unordered",   "floating", "chunked", "secret",
                                       "secret_keys", "handles",  "rules"};
// Objects whose members it adds or replaces one by one.
constexpr std::string_view kMerged[] = {"methods", "definitions", "severities", "clauses", "errors",
                                        "ids",     "framing",     "lifecycle",  "host"};

bool Contains(const auto& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

Json* FindMember(Json* object, std::string_view name) {
  return const_cast<Json*>(object->Find(name));
}

// Each replaces the member of its name, or is appended.
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

// Removes the member "strict"; with `strict`, its members replace those beside it.
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

// Returns what is wrong, with its place in *place, or nullptr. One text for all places: one per
// value would take gigabytes where names are long. Recursive, at most as deep as ParseJson allows.
const char* FindWrong(const Json& json, std::string* place) {
  if (place->size() > kMaxPlace) return "the names on the path to it exceed 4096 bytes";
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
  source->Fail(place.size() > kMaxPlace ? place.substr(0, 100) + "..." : place, wrong);
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
  for (const std::string_view name : kMerged) {
    MustBe(kObject, name, in);
    const Json* part = in.json().Find(name);
    if (part == nullptr || in.failed()) continue;
    MustBe(kObject, "strict", in.Below(*part, name));
    if (name == "errors") MustBe(kObject, "codes", in.Below(*part, name));
  }
  for (const std::string_view name : kAdded) {
    in.Items(name, [](MemberReader* item) { MustBe(kObject, "strict", *item); });
  }
  for (const std::string_view name : {"methods", "definitions"}) {
    in.Members(name,
               [](const std::string&, MemberReader* part) { MustBe(kObject, "strict", *part); });
  }
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

}  // namespace

Result<Json> ReadExtended(std::string_view text, bool strict, DialectSource bases,
                          std::vector<std::string>* names, ReadSource* source) {
  Result<Json> json = ParseJson(text);
  if (!json) {
    return Error{"not a dialect: not JSON",
                 source->file + " at " + LineOf(text, json.error().where), json.error().remedy};
  }
  if (!json->is(Json::Type::kObject)) {
    return Error{"not a dialect: an object is expected", source->file, ""};
  }
  CheckNames(*json, source);
  CheckShape(MemberReader(*json, source));
  if (source->error) return *source->error;
  OverlayAll(&*json, strict);
  const std::string base(json->String("extends"));
  if (base.empty()) return json;
  const std::string_view base_text = bases != nullptr ? bases(base) : std::string_view();
  if (base_text.empty() || names->size() >= kMaxBases) {
    return Error{"not a dialect: it extends \"" + base + "\"", source->file + " at /extends",
                 base_text.empty() ? "there is no such dialect" : "\"extends\" leads in a circle"};
  }
  names->push_back(base);
  ReadSource base_source{.what = source->what, .file = base};
  Result<Json> below = ReadExtended(base_text, strict, bases, names, &base_source);
  if (!below) return below;
  return Extended(std::move(*below), std::move(*json), &source->inherited);
}

}  // namespace midwire::wire
