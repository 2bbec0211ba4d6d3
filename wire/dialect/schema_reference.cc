#include "wire/dialect/schema_reference.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <utility>

#include "wire/json/ascii.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"

namespace midwire::wire {
namespace {

// A reference that leads to a reference that leads to ...
constexpr int kMaxReferences = 64;
// Objects with fewer members are searched linearly.
constexpr size_t kMaxSearched = 16;

// An array's, or SIZE_MAX.
size_t Index(const std::string& step) {
  if (step.empty() || step.size() > 6) return SIZE_MAX;
  if (!IsDigits(step)) return SIZE_MAX;
  return std::stoul(step);
}

// "%25" is '%' (RFC 6901, section 6). Other bytes are unchanged.
std::string PercentDecoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    uint8_t byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && text.size() - i > 2 &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      decoded += static_cast<char>(byte);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

// Members beside "$ref" that are for people, or for references.
constexpr std::string_view kBesideReference[] = {
    "$ref",    "$defs",    "definitions", "$schema",  "$id",      "title",     "description",
    "default", "examples", "comment",     "$comment", "readOnly", "writeOnly", "deprecated"};

bool HasSiblings(const Json& schema) {
  return std::any_of(schema.members.begin(), schema.members.end(), [](const Json::Member& member) {
    return std::find(std::begin(kBesideReference), std::end(kBesideReference), member.first) ==
           std::end(kBesideReference);
  });
}

Error NoSchema(std::string where, const char* remedy) {
  return Error{kWrongSchema, std::move(where), remedy};
}

std::string Unescaped(std::string_view step) {
  std::string name;
  for (size_t i = 0; i < step.size(); ++i) {
    if (step[i] == '~' && i + 1 < step.size()) {
      name += step[++i] == '1' ? '/' : '~';
    } else {
      name += step[i];
    }
  }
  return name;
}

}  // namespace

std::string WithStep(std::string_view pointer, std::string_view step) {
  return std::string(pointer) + PointerText(Pointer{{std::string(step)}});
}

Result<SchemaReferences::Target> SchemaReferences::Follow(const Json& schema,
                                                          std::string_view place) {
  return FollowFrom({&schema, std::string(place)}, place);
}

Result<SchemaReferences::Target> SchemaReferences::FollowReference(const Json& reference,
                                                                   std::string_view place) {
  Result<Target> target = Step(reference, std::string(place));
  return target ? FollowFrom(std::move(*target), place) : target;
}

Result<SchemaReferences::Target> SchemaReferences::FollowFrom(Target target,
                                                              std::string_view place) {
  for (int count = 0;; ++count) {
    if (!IsSchema(*target.schema)) return NoSchema(target.place, "a schema is an object");
    const Json* reference = target.schema->Find("$ref");
    if (!reference) return target;
    if (draft_ == SchemaDraft::k2019 && HasSiblings(*target.schema)) return target;
    if (count == kMaxReferences) {
      return NoSchema(WithStep(place, "$ref"), "references lead in a circle");
    }
    Result<Target> next = Step(*reference, WithStep(target.place, "$ref"));
    if (!next) return next;
    target = std::move(*next);
  }
}

Result<SchemaReferences::Target> SchemaReferences::Step(const Json& reference, std::string from) {
  if (!reference.is(Json::Type::kString))
    return NoSchema(std::move(from), "a reference is a string");
  const std::string_view text = reference.text;
  const bool sent = draft_ != SchemaDraft::kDialect;
  // To another schema, by "$id" or to an "$anchor".
  if (sent && text != "#" && !text.starts_with("#/")) {
    return Error{kUnreadSchema, std::move(from), "only references that begin with #/ are followed"};
  }
  const Json* const found = text.starts_with('#') ? Find(text.substr(1)) : nullptr;
  if (found) return Target{found, PercentDecoded(text.substr(1))};
  return NoSchema(std::move(from),
                  sent ? "refers to nothing" : "refers to nothing; write #/definitions/NAME");
}

bool SchemaReferences::IsSchema(const Json& schema) const {
  if (schema.is(Json::Type::kBool)) return draft_ != SchemaDraft::kDialect;
  return schema.is(Json::Type::kObject);
}

const Json* SchemaReferences::Find(std::string_view fragment) {
  const std::string pointer = PercentDecoded(fragment);
  std::string_view rest = pointer;
  const Json* at = &root_;
  for (bool first = true; !rest.empty(); first = false) {
    if (rest.front() != '/') return nullptr;
    rest.remove_prefix(1);
    const size_t size = std::min(rest.find('/'), rest.size());
    const std::string step = Unescaped(rest.substr(0, size));
    rest.remove_prefix(size);
    if (first && definitions_ && step == "definitions") {
      at = definitions_;
    } else if (at->is(Json::Type::kObject)) {
      at = FindMember(*at, step);
    } else if (at->is(Json::Type::kArray)) {
      const size_t index = Index(step);
      at = index < at->items.size() ? &at->items[index] : nullptr;
    } else {
      return nullptr;
    }
    if (!at) return nullptr;
  }
  return at;
}

const Json* SchemaReferences::FindMember(const Json& object, const std::string& name) {
  if (object.members.size() <= kMaxSearched) return object.Find(name);
  auto [index, is_new] = indices_.try_emplace(&object);
  if (is_new) {
    for (const Json::Member& member : object.members) {
      index->second[member.first] = &member.second;  // the last of a name, as Find has it
    }
  }
  const auto found = index->second.find(name);
  return found == index->second.end() ? nullptr : found->second;
}

}  // namespace midwire::wire
