// A dialect with all of its revisions, as JSON: each revision is complete, merged over what it is
// based on. Called by LoadDialect. Follows "extends", "revisions", "since" and "remove"; never
// interprets any other member.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/dialect/member_reader.h"
#include "wire/dialect/merge.h"
#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

struct FamilyMember {
  std::string name;  // of the revision
  Json json;
  std::string layer;    // where the file alters this revision: "/revisions/NAME"
  Heads own;            // what it sets there
  Heads touched;        // what the file sets or removes in it, there and elsewhere
  Inherited inherited;  // items of lists that are not from the file, or not from `layer`
};

struct Family {
  FamilyMember
      root;  // without any revision; what all revisions have in common unless they alter it
  std::vector<FamilyMember> revisions;  // those of the base first, each in the order of its file
  std::vector<std::string> bases;       // dialects that this one extends, nearest first
  size_t bytes = 0;                     // of their files and this one
};

// The caller fills in `what` and `file` of *source.
Result<Family> ReadFamily(std::string_view text, bool strict, DialectSource bases,
                          ReadSource* source);

// One layer of a family (layer.cc): the JSON of one file, with or without its "strict" members,
// before it is merged with what it extends. Checks the types that merging relies on; never
// interprets the items of a list or the members of an object. The caller fills in `what` and `file`
// of *source.
Result<Json> ReadLayer(std::string_view text, bool strict, ReadSource* source);

// For a merged dialect that was read without `strict`. Definitions that differ with it, and those
// that refer to them, get a strict copy beside them. Methods that refer to these get a "strict"
// with such params and result. Nothing happens if no definition has a "strict" (layer.cc).
void ApplyStrictDefinitions(Json* dialect);

}  // namespace midwire::wire
