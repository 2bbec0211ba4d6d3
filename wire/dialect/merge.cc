#include "wire/dialect/merge.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "wire/dialect/declaration_lists.h"

namespace midwire::wire {
namespace {

bool Contains(const auto& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

std::string Step(std::string_view name) {
  std::string step;
  AppendPointerStep(name, &step);
  return step;
}

// Of an item of a list.
std::string_view NameOf(const Json& item) {
  if (item.is(Json::Type::kString)) return item.text;
  const std::string_view id = item.String("id");
  return id.empty() ? item.String("name") : id;
}

}  // namespace

void AddHeads(const Json& layer, Heads* heads) {
  for (const Json::Member& member : layer.members) {
    const std::string head = Step(member.first);
    if (!Contains(kMergedMembers, member.first)) {
      heads->insert(head);
      continue;
    }
    for (const Json::Member& part : member.second.members) heads->insert(head + Step(part.first));
  }
}

bool IsBelow(std::string_view pointer, const Heads& heads) {
  size_t end = 0;
  for (int step = 0; step < 2 && end != pointer.npos; ++step) {
    end = pointer.find('/', end + 1);
    if (heads.contains(pointer.substr(0, end))) return true;
  }
  return false;
}

Json* FindMember(Json* object, std::string_view name) {
  return const_cast<Json*>(object->Find(name));
}

void PutMembers(std::vector<Json::Member> more, Json* object) {
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

Json Merged(Json base, Json layer, Inherited* inherited) {
  std::vector<Json::Member> replaced;
  for (Json::Member& member : layer.members) {
    Json* old = FindMember(&base, member.first);
    const bool adds = Contains(kAddedLists, member.first) || IsDeclarationList(member.first);
    if (old != nullptr && adds) {
      (*inherited)["/" + member.first] = old->items.size();
      for (Json& item : member.second.items) old->items.push_back(std::move(item));
    } else if (old != nullptr && Contains(kMergedMembers, member.first)) {
      Json* codes = FindMember(old, "codes");
      const auto more_codes =
          std::find_if(member.second.members.begin(), member.second.members.end(),
                       [](const Json::Member& part) { return part.first == "codes"; });
      if (member.first == "errors" && codes != nullptr &&
          more_codes != member.second.members.end()) {
        PutMembers(std::move(more_codes->second.members), codes);
        member.second.members.erase(more_codes);
      }
      PutMembers(std::move(member.second.members), old);
    } else {
      replaced.push_back(std::move(member));
    }
  }
  PutMembers(std::move(replaced), &base);
  return base;
}

bool Remove(const Pointer& at, Json* dialect, std::vector<std::string>* known) {
  known->clear();
  Json* here = dialect;
  for (size_t i = 0; i < at.steps.size(); ++i) {
    const bool last = i + 1 == at.steps.size();
    if (here->is(Json::Type::kArray)) {
      const auto item = std::find_if(here->items.begin(), here->items.end(),
                                     [&](const Json& one) { return NameOf(one) == at.steps[i]; });
      if (item == here->items.end()) {
        for (const Json& one : here->items) known->emplace_back(NameOf(one));
        return false;
      }
      if (last) return here->items.erase(item), true;
      here = &*item;
      continue;
    }
    const auto member =
        std::find_if(here->members.begin(), here->members.end(),
                     [&](const Json::Member& one) { return one.first == at.steps[i]; });
    if (member == here->members.end()) {
      for (const Json::Member& one : here->members) known->push_back(one.first);
      return false;
    }
    if (last) return here->members.erase(member), true;
    here = &member->second;
  }
  return false;
}

}  // namespace midwire::wire
