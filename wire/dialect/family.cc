#include "wire/dialect/family.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "wire/dialect/built_in.h"
#include "wire/near_names.h"

namespace midwire::wire {
namespace {

// The longest chain of "extends"; a longer one is taken for a circle.
constexpr size_t kMaxBases = 8;
// Each is a complete copy. MCP has had five revisions in two years.
constexpr size_t kMaxRevisions = 32;
// Bytes of JSON that the copies would have as texts: as values in memory they take about 20 times
// that. MCP with its five revisions has 2 MB.
constexpr size_t kMaxCopied = 64u << 20;

// Members that all revisions of a dialect share.
constexpr std::string_view kShared[] = {"dialect", "extends", "detect", "negotiation", "revisions"};

std::string PlaceOf(std::string_view name) {
  std::string place = "/revisions";
  AppendPointerStep(name, &place);
  return place;
}

Json TakeMember(std::string_view name, Json* object) {
  const auto at = std::find_if(object->members.begin(), object->members.end(),
                               [&](const Json::Member& member) { return member.first == name; });
  if (at == object->members.end()) return {};
  Json taken = std::move(at->second);
  object->members.erase(at);
  return taken;
}

FamilyMember* Find(std::string_view name, std::vector<FamilyMember>* members) {
  for (FamilyMember& member : *members) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

// Builds the family of one file from that of its base.
class FamilyReader {
 public:
  FamilyReader(Family base, ReadSource* source) : family_(std::move(base)), source_(*source) {
    family_.root.json.type = Json::Type::kObject;
  }

  void Read(Json layer) {
    revisions_ = TakeMember("revisions", &layer);
    const Json removed = TakeMember("remove", &layer);
    AddToAll(layer, removed);
    if (family_.revisions.size() + revisions_.members.size() > kMaxRevisions) {
      return source_.Fail("/revisions", "at most 32 revisions are expected");
    }
    const size_t copies = family_.revisions.size() + revisions_.members.size() + 1;
    if (copies > 1 && family_.bytes > kMaxCopied / copies) {
      return source_.Fail("/revisions", "too large: " + std::to_string(copies - 1) +
                                            " revisions of " + std::to_string(family_.bytes) +
                                            " bytes exceed 64 MiB");
    }
    states_.resize(revisions_.members.size());
    inherited_ = family_.revisions.size();
    // In the file's order, except that what a revision is based on comes first.
    for (size_t i = 0; i < states_.size() && !source_.error; ++i) Resolve(i);
    const auto own = family_.revisions.begin() + static_cast<std::ptrdiff_t>(inherited_);
    std::stable_sort(own, family_.revisions.end(),
                     [this](const FamilyMember& a, const FamilyMember& b) {
                       return IndexOf(a.name) < IndexOf(b.name);
                     });
  }
  Family Take() { return std::move(family_); }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };

  size_t IndexOf(std::string_view name) const {
    const auto& all = revisions_.members;
    return static_cast<size_t>(
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == name; }) -
        all.begin());
  }

  // The members beside "revisions": they alter the root and the revisions of the base.
  void AddToAll(const Json& layer, const Json& removed) {
    std::vector<FamilyMember*> all = {&family_.root};
    for (FamilyMember& revision : family_.revisions) {
      revision.layer = PlaceOf(revision.name);  // for errors; the file does not have it
      all.push_back(&revision);
    }
    RemoveFrom(all, removed, "/remove");
    Heads heads;
    AddHeads(layer, &heads);
    for (FamilyMember* one : all) {
      one->json = Merged(std::move(one->json), layer, &one->inherited);
      one->touched.insert(heads.begin(), heads.end());
    }
  }

  // Each pointer of the list has to lead to something in one of the members at least.
  void RemoveFrom(const std::vector<FamilyMember*>& members, const Json& removed,
                  const std::string& place) {
    if (removed.is(Json::Type::kNull)) return;
    if (!removed.is(Json::Type::kArray)) return source_.Fail(place, "a list is expected");
    for (size_t i = 0; i < removed.items.size(); ++i) {
      const std::string here = place + "/" + std::to_string(i);
      const Json& item = removed.items[i];
      const Result<Pointer> at = ParsePointer(item.text);
      if (!item.is(Json::Type::kString) || !at) {
        return source_.Fail(here, "a pointer such as /methods/NAME is expected");
      }
      bool found = false;
      std::vector<std::string> known, names;
      for (FamilyMember* member : members) {
        if (Remove(*at, &member->json, &names)) {
          found = true;
          member->touched.insert(PointerText(*at));
        } else if (names.size() > known.size()) {
          known = names;
        }
      }
      if (found) continue;
      source_.remedy = NearNames(at->steps.back(), known);
      return source_.Fail(here, "nothing is at " + item.text + " to remove");
    }
  }

  // Recursive: at most kMaxRevisions deep.
  void Resolve(size_t index) {
    if (states_[index] == State::kDone || source_.error) return;
    const std::string& name = revisions_.members[index].first;
    const std::string place = PlaceOf(name);
    if (states_[index] == State::kOpen) {
      return source_.Fail(place + "/since", "\"since\" leads in a circle");
    }
    states_[index] = State::kOpen;
    Json layer = revisions_.members[index].second;
    const Json since = TakeMember("since", &layer);
    const Json removed = TakeMember("remove", &layer);
    for (const std::string_view shared : kShared) {
      if (layer.Find(shared) == nullptr) continue;
      return source_.Fail(place + "/" + std::string(shared), "a revision cannot have this member");
    }
    FamilyMember* altered = Find(name, &family_.revisions);
    if (altered != nullptr && !since.is(Json::Type::kNull)) {
      return source_.Fail(place + "/since",
                          "the extended dialect has this revision: alter it without \"since\"");
    }
    if (altered == nullptr) {
      FamilyMember made = since.is(Json::Type::kNull) ? family_.root : Based(since.text, place);
      if (source_.error) return;
      made.name = name;
      family_.revisions.push_back(std::move(made));
      altered = &family_.revisions.back();
    }
    altered->layer = place;
    altered->own.clear();
    altered->inherited.clear();
    RemoveFrom({altered}, removed, place + "/remove");
    AddHeads(layer, &altered->own);
    altered->touched.insert(altered->own.begin(), altered->own.end());
    altered->json = Merged(std::move(altered->json), std::move(layer), &altered->inherited);
    states_[index] = State::kDone;
  }

  // A copy of the revision that "since" names.
  FamilyMember Based(const std::string& since, const std::string& place) {
    if (const size_t index = IndexOf(since); index < states_.size()) Resolve(index);
    if (source_.error) return {};
    if (const FamilyMember* found = Find(since, &family_.revisions)) return *found;
    std::vector<std::string> known;
    for (size_t i = 0; i < inherited_; ++i) known.push_back(family_.revisions[i].name);
    for (const Json::Member& one : revisions_.members) {
      if (PlaceOf(one.first) != place) known.push_back(one.first);
    }
    source_.remedy = NearNames(since, known);
    source_.Fail(place + "/since", "there is no revision \"" + since + "\"");
    return {};
  }

  Family family_;
  ReadSource& source_;
  Json revisions_;
  std::vector<State> states_;
  size_t inherited_ = 0;
};

Result<Family> Read(std::string_view text, bool strict, DialectSource bases,
                    std::vector<std::string>* names, ReadSource* source) {
  Result<Json> layer = ReadLayer(text, strict, source);
  if (!layer) return layer.error();
  Family family;
  const std::string base(layer->String("extends"));
  if (!base.empty()) {
    const std::string_view base_text = bases != nullptr ? bases(base) : std::string_view();
    if (base_text.empty() || names->size() >= kMaxBases) {
      std::vector<std::string> known;
      for (const std::string_view name : BuiltInDialects()) known.emplace_back(name);
      const std::string near = bases == BuiltInDialect ? NearNames(base, known) : "";
      const std::string remedy = "there is no such dialect" + (near.empty() ? "" : "; " + near);
      return Error{"not a dialect: it extends \"" + base + "\"", source->file + " at /extends",
                   base_text.empty() ? remedy : "\"extends\" leads in a circle"};
    }
    names->push_back(base);
    ReadSource base_source{.what = source->what, .file = base};
    Result<Family> below = Read(base_text, strict, bases, names, &base_source);
    if (!below) return below;
    family = std::move(*below);
    family.root.touched.clear();
    family.root.inherited.clear();
    for (FamilyMember& revision : family.revisions) {
      revision.own.clear();
      revision.touched.clear();
      revision.inherited.clear();
    }
  } else if (layer->Find("remove") != nullptr) {
    source->Fail("/remove", "nothing can be removed: the dialect extends none");
  }
  family.bytes += text.size();
  FamilyReader reader(std::move(family), source);
  reader.Read(std::move(*layer));
  if (source->error) return *source->error;
  return reader.Take();
}

}  // namespace

Result<Family> ReadFamily(std::string_view text, bool strict, DialectSource bases,
                          ReadSource* source) {
  std::vector<std::string> names;
  Result<Family> family = Read(text, strict, bases, &names, source);
  if (family) family->bases = std::move(names);
  return family;
}

}  // namespace midwire::wire
