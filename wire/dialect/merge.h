// Merges the JSON of a dialect over that of another, and removes members from it: for "extends" and
// for revisions. Called by ReadFamily. Never interprets what it merges.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/pointer.h"
#include "wire/json/value.h"

namespace midwire::wire {

// Lists that a layer adds to, beside those of declarations (declaration_lists.h). It replaces
// members that are in none of these lists.
inline constexpr std::string_view kAddedLists[] = {"background", "secret", "secret_keys", "handles",
                                                   "rules",      "labels", "failures"};
// Objects whose members it adds or replaces one by one.
inline constexpr std::string_view kMergedMembers[] = {
    "methods", "definitions", "severities", "clauses",     "errors",      "ids",
    "framing", "lifecycle",   "host",       "negotiation", "cancellation"};

// Pointers to what a layer sets: "/title", or "/methods/NAME" in one of kMergedMembers.
using Heads = std::set<std::string, std::less<>>;
void AddHeads(const Json& layer, Heads* heads);
// Whether the pointer is at or below one of the heads.
bool IsBelow(std::string_view pointer, const Heads& heads);

// By the pointer of a list: how many of its first items are of the base.
using Inherited = std::map<std::string, size_t, std::less<>>;
Json Merged(Json base, Json layer, Inherited* inherited);
// To be changed; nullptr: it has no such member.
Json* FindMember(Json* object, std::string_view name);
// Each replaces the member of its name, or is appended.
void PutMembers(std::vector<Json::Member> more, Json* object);

// Removes a member by its name, or an item of a list: an object by its "id" or "name", a string by
// itself. False: nothing is there; *known has the names that are, where a step leads to nothing.
bool Remove(const Pointer& at, Json* dialect, std::vector<std::string>* known);

}  // namespace midwire::wire
