#include "wire/dialect/member_reader.h"

#include <algorithm>

#include "wire/dialect/merge.h"
#include "wire/json/format.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"

namespace midwire::wire {

void ReadSource::Fail(std::string_view pointer, std::string_view mistake) {
  if (error) return;
  const std::string place(pointer.empty() ? "the top" : PlaceOf(pointer));
  error = Error{what + ": " + std::string(mistake), file.empty() ? place : file + " at " + place,
                remedy};
}

std::string ReadSource::PlaceOf(std::string_view pointer) const {
  if (layer.empty()) return std::string(pointer);
  if (IsBelow(pointer, own)) return layer + std::string(pointer);
  return std::string(pointer) + ", as of " + layer;
}

void MemberReader::Expect(std::string_view expected) const {
  Fail(std::string(expected) + " is expected");
}

void MemberReader::Expect(std::string_view name, std::string_view expected) const {
  Below(*json_, name).Expect(expected);
}

std::string MemberReader::AsText() const {
  if (!json_->is(Json::Type::kString)) Expect("a string");
  return json_->text;
}

wire::Severity MemberReader::AsSeverity(wire::Severity otherwise) const {
  const auto severity = json_->is(Json::Type::kString) ? ParseSeverity(json_->text) : std::nullopt;
  if (!severity) Expect("off, note, should or must");
  return severity.value_or(otherwise);
}

std::string MemberReader::Text(std::string_view name, std::string_view otherwise) {
  const Json* text = Find(name);
  return text == nullptr ? std::string(otherwise) : Below(*text, name).AsText();
}

bool MemberReader::Flag(std::string_view name, bool otherwise) {
  const Json* flag = Find(name);
  if (flag == nullptr) return otherwise;
  if (!flag->is(Json::Type::kBool)) Expect(name, "true or false");
  return flag->boolean;
}

wire::Severity MemberReader::Severity(std::string_view name, wire::Severity otherwise) {
  const Json* severity = Find(name);
  return severity == nullptr ? otherwise : Below(*severity, name).AsSeverity(otherwise);
}

std::optional<int64_t> MemberReader::CountBelow(std::string_view name, uint64_t limit) {
  const Json* count = Find(name);
  if (count == nullptr) return std::nullopt;
  const std::optional<int64_t> number = count->Integer();
  if (number && *number >= 0 && static_cast<uint64_t>(*number) <= limit) return number;
  Expect(name, "a whole number from 0 on");
  return std::nullopt;
}

std::vector<std::string> MemberReader::Texts(std::string_view name) {
  std::vector<std::string> texts;
  Items(name, [&](MemberReader* item) { texts.push_back(item->AsText()); });
  return texts;
}

std::vector<int64_t> MemberReader::Integers(std::string_view name) {
  std::vector<int64_t> integers;
  Items(name, [&](MemberReader* item) {
    const std::optional<int64_t> integer = item->json().Integer();
    integer ? integers.push_back(*integer) : item->Expect("a whole number");
  });
  return integers;
}

std::vector<MethodPlace> MemberReader::PlacesBy(std::string_view name, PlaceParser* parse) {
  std::vector<MethodPlace> places;
  Items(name, [&](MemberReader* item) {
    const std::string& text = item->json().text;
    const bool is_string = item->json().is(Json::Type::kString);
    Result<MethodPlace> place = parse(text);
    if (is_string && place) return places.push_back(std::move(*place));
    const bool scoped = is_string && text.find('[') != text.npos;
    scoped ? item->Fail(place.error().Text()) : item->Expect("METHOD:/pointer or /pointer");
  });
  return places;
}

std::vector<MethodPlace> MemberReader::Places(std::string_view name) {
  return PlacesBy(name, ParseMethodPlace);
}

std::vector<MethodPlace> MemberReader::ScopedPlaces(std::string_view name) {
  return PlacesBy(name, ParseScopedPlace);
}

std::vector<MethodScope> MemberReader::Scopes(std::string_view name) {
  std::vector<MethodScope> scopes;
  Items(name, [&](MemberReader* item) {
    const std::string text = item->AsText();
    if (item->failed()) return;
    Result<MethodScope> scope = ParseMethodScope(text);
    scope ? scopes.push_back(std::move(*scope)) : item->Fail(scope.error().Text());
  });
  return scopes;
}

std::string MemberReader::Value(std::string_view name) {
  std::string text;
  if (const Json* value = Find(name)) AppendJson(*value, &text);
  return text;
}

std::optional<int64_t> MemberReader::OptionalInteger(std::string_view name) {
  const std::vector<int64_t> integers = Integers(name);
  if (integers.size() > 1) Expect(name, "one whole number");
  return integers.empty() ? std::nullopt : std::optional(integers.front());
}

std::optional<MethodPlace> MemberReader::OptionalPlace(std::string_view name) {
  const std::vector<MethodPlace> places = Places(name);
  if (places.size() > 1) Expect(name, "one METHOD:/pointer or /pointer");
  return places.empty() ? std::nullopt : std::optional(places.front());
}

int64_t MemberReader::Integer(std::string_view name) {
  const std::optional<int64_t> integer = OptionalInteger(name);
  if (!integer) Expect(name, "a whole number");
  return integer.value_or(0);
}

MethodPlace MemberReader::Place(std::string_view name) {
  const std::optional<MethodPlace> place = OptionalPlace(name);
  if (!place) Expect(name, "METHOD:/pointer or /pointer");
  return place.value_or(MethodPlace());
}

std::vector<std::string> MemberReader::SomeTexts(std::string_view name) {
  std::vector<std::string> texts = Texts(name);
  if (texts.empty()) Expect(name, "a list of strings");
  return texts;
}

std::vector<std::string> MemberReader::Methods(std::string_view name) {
  std::vector<std::string> methods = Texts(name);
  if (methods.empty()) Expect(name, "a list of methods");
  return methods;
}

void MemberReader::Items(std::string_view name, const Take& take) {
  const Json* list = Find(name);
  if (list == nullptr) return;
  MemberReader reader = Below(*list, name);
  if (!list->is(Json::Type::kArray)) {
    return source_->one_is_list ? take(&reader) : reader.Expect("a list");
  }
  const auto inherited = source_->inherited.find(reader.pointer_);
  const size_t others = inherited == source_->inherited.end() ? 0 : inherited->second;
  for (size_t i = 0; i < list->items.size() && !failed(); ++i) {
    const size_t index = i < others ? i : i - others;
    MemberReader item(list->items[i], source_, reader.pointer_ + "/" + std::to_string(index));
    take(&item);
  }
}

void MemberReader::Objects(std::string_view name, const Take& take) {
  const Json* list = Find(name);
  if (list != nullptr && !list->is(Json::Type::kArray)) return Expect(name, "a list");
  Items(name, [&](MemberReader* item) {
    if (item->json().is(Json::Type::kObject)) take(item);
    item->Close();
  });
}

void MemberReader::Members(std::string_view name, const TakeMember& take) {
  const Json* object = Find(name);
  if (object == nullptr) return;
  const MemberReader reader = Below(*object, name);
  if (!object->is(Json::Type::kObject)) return reader.Expect("an object");
  for (const Json::Member& member : object->members) {
    if (failed()) return;
    MemberReader value = reader.Below(member.second, member.first);
    if (member.first != "comment") take(member.first, &value);
  }
}

void MemberReader::Object(std::string_view name, const Take& take) {
  const Json* object = Find(name);
  if (object == nullptr) return;
  MemberReader reader = Below(*object, name);
  if (object->is(Json::Type::kObject)) take(&reader);
  reader.Close();
}

void MemberReader::Close() {
  if (!json_->is(Json::Type::kObject)) return Expect("an object");
  for (const Json::Member& member : json_->members) {
    const bool known = std::find(known_.begin(), known_.end(), member.first) != known_.end();
    if (!known) return Below(member.second, member.first).Fail("no such member");
  }
}

const Json* MemberReader::Find(std::string_view name) {
  known_.push_back(name);
  return json_->Find(name);
}

MemberReader MemberReader::Below(const Json& json, std::string_view name) const {
  return {json, source_, pointer_ + PointerText(Pointer{{std::string(name)}})};
}

}  // namespace midwire::wire
