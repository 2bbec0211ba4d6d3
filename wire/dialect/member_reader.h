// Reads the members of JSON that people write: dialects, their rules, the headers of cassettes.
// Called by LoadDialect, check/rules and replay. Each call reads one member as one type. The first
// mistake is kept, with file, pointer and what is expected there; later ones are ignored. Holds no
// copy of the JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/dialect/method_place.h"
#include "wire/dialect/severity.h"
#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// What the readers of one text share.
struct ReadSource {
  std::string what;          // of errors: "not a dialect"
  std::string file;          // as errors name it; may be empty
  std::string remedy;        // of errors; may be empty
  bool one_is_list = false;  // "methods": "m" means ["m"]
  // By the pointer of a list: how many of its first items come from another file. Pointers in
  // errors do not count them.
  std::map<std::string, size_t, std::less<>> inherited;

  // Of a revision: where the file alters it, such as "/revisions/2.0", and pointers to what it sets
  // there ("/title", "/methods/NAME"). "": the JSON is that of the file itself.
  std::string layer;
  std::set<std::string, std::less<>> own;

  std::optional<Error> error;  // the first mistake
  void Fail(std::string_view pointer, std::string_view mistake);
  // Where a pointer of the JSON is in the file.
  std::string PlaceOf(std::string_view pointer) const;
};

class MemberReader {
 public:
  using Take = std::function<void(MemberReader*)>;
  using TakeMember = std::function<void(const std::string& name, MemberReader*)>;

  // `pointer`: where `json` is in its file. `json` and `source` outlive the reader; so do the names
  // passed to its functions, which are literals.
  MemberReader(const Json& json, ReadSource* source, std::string pointer = "")
      : json_(&json), source_(source), pointer_(std::move(pointer)) {}

  const Json& json() const { return *json_; }
  const std::string& pointer() const { return pointer_; }
  // A reader of a member's value.
  MemberReader Below(const Json& json, std::string_view name) const;
  bool failed() const { return source_->error.has_value(); }
  // Reports a mistake of this value, such as "no such member".
  void Fail(std::string_view mistake) const { source_->Fail(pointer_, mistake); }
  std::string place() const { return source_->PlaceOf(pointer_); }
  // Reports that this value, or a member, is not what is expected, such as "a string".
  void Expect(std::string_view expected) const;
  void Expect(std::string_view name, std::string_view expected) const;

  // The value itself.
  std::string AsText() const;
  wire::Severity AsSeverity(wire::Severity otherwise) const;

  bool Has(std::string_view name) { return Find(name) != nullptr; }
  // A member that is missing has the value of `otherwise`, or none.
  std::string Text(std::string_view name, std::string_view otherwise = "");
  bool Flag(std::string_view name, bool otherwise = false);
  wire::Severity Severity(std::string_view name, wire::Severity otherwise);
  template <typename Integer>  // 0 or more
  Integer Count(std::string_view name, Integer otherwise) {
    const std::optional<int64_t> number = CountBelow(name, std::numeric_limits<Integer>::max());
    return number ? static_cast<Integer>(*number) : otherwise;
  }
  std::optional<int64_t> OptionalInteger(std::string_view name);
  std::optional<MethodPlace> OptionalPlace(std::string_view name);
  std::vector<std::string> Texts(std::string_view name);
  std::vector<int64_t> Integers(std::string_view name);
  std::vector<MethodPlace> Places(std::string_view name);
  // Of declarations, which may be of some calls of a method.
  std::vector<MethodPlace> ScopedPlaces(std::string_view name);
  std::vector<MethodScope> Scopes(std::string_view name);
  std::string Value(std::string_view name);  // of any type, as JSON; "": missing

  // A member that is missing is a mistake, and so is an empty list.
  int64_t Integer(std::string_view name);
  MethodPlace Place(std::string_view name);
  std::vector<std::string> SomeTexts(std::string_view name);
  std::vector<std::string> Methods(std::string_view name = "methods");

  // Each item of a list; each item, which must be an object; each member of an object except
  // "comment".
  void Items(std::string_view name, const Take& take);
  void Objects(std::string_view name, const Take& take);
  void Members(std::string_view name, const TakeMember& take);
  // A member that must be an object.
  void Object(std::string_view name, const Take& take);

  // Fails unless this is an object and each of its members was read by a call above. "comment" is
  // allowed everywhere. Object and Objects do this for what they pass to `take`.
  void Close();

 private:
  using PlaceParser = Result<MethodPlace>(std::string_view text);

  const Json* Find(std::string_view name);
  std::vector<MethodPlace> PlacesBy(std::string_view name, PlaceParser* parse);
  std::optional<int64_t> CountBelow(std::string_view name, uint64_t limit);

  const Json* json_;
  ReadSource* source_;
  std::string pointer_;
  std::vector<std::string_view> known_ = {"comment"};
};

}  // namespace midwire::wire
