#include "replay/script/declaration_kinds.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "wire/dialect/declaration_lists.h"

namespace midwire::replay {
namespace {

template <auto kList, auto kParse>
Status AddTo(std::string_view text, Declarations* to) {
  auto parsed = kParse(text);
  if (!parsed) return parsed.error();
  (to->*kList).push_back(std::move(*parsed));
  return Ok{};
}

template <IdOf kWhose>
Status AddIdTo(std::string_view text, Declarations* to) {
  Result<Place> at = wire::ParseMethodPlace(text);
  if (!at) return at.error();
  to->ids.push_back({std::move(*at), kWhose});
  return Ok{};
}

void VisitItem(const wire::MethodScope& scope, const DeclarationVisitor& visitor) {
  visitor(scope, nullptr);
}
void VisitItem(const Place& place, const DeclarationVisitor& visitor) {
  visitor(place.scope, &place);
}
void VisitItem(const ShapedPlace& shaped, const DeclarationVisitor& visitor) {
  VisitItem(shaped.at, visitor);
}
void VisitItem(const Bind& bind, const DeclarationVisitor& visitor) {
  VisitItem(bind.from, visitor);
  VisitItem(bind.to, visitor);
}

template <auto kList>
void Visit(const Declarations& in, const DeclarationVisitor& visitor) {
  for (const auto& item : in.*kList) VisitItem(item, visitor);
}

template <IdOf kWhose>
void VisitIds(const Declarations& in, const DeclarationVisitor& visitor) {
  for (const EmbeddedId& id : in.ids) {
    if (id.whose == kWhose) VisitItem(id.at, visitor);
  }
}

using D = Declarations;

constexpr DeclarationKind kKinds[] = {
    {"ignore", true, AddTo<&D::ignores, wire::ParseScopedPlace>, Visit<&D::ignores>, "PLACE",
     "ignore differences at this JSON pointer; * matches any step. METHOD:/pointer: only in this "
     "method. METHOD[/params/name=VALUE]:/pointer: only in calls whose request has this value. The "
     "next options take the same places. Repeatable"},
    {"shape", true, AddTo<&D::shapes, ParseShapedPlace>, Visit<&D::shapes>, "PLACE=SHAPE",
     "any value of the shape (integer, number, timestamp, uuid, path, duration, text:TEMPLATE, "
     "regex:PATTERN) counts as equal at this place; repeatable"},
    {"unordered", true, AddTo<&D::unordered, wire::ParseScopedPlace>, Visit<&D::unordered>, "PLACE",
     "the items of the array at this place may come in any order; repeatable"},
    {"chunked", true, AddTo<&D::chunked, ParseChunkedPlace>, Visit<&D::chunked>, "PLACE",
     "the text at METHOD:/pointer comes in pieces, cut anywhere: compare the whole; repeatable"},
    {"floating", true, AddTo<&D::floating_methods, wire::ParseMethodScope>,
     Visit<&D::floating_methods>, "METHOD",
     "messages of this METHOD[/params/name=VALUE] may come at any place, but as often as recorded; "
     "repeatable"},
    {"volatile", true, AddTo<&D::volatile_methods, wire::ParseMethodScope>,
     Visit<&D::volatile_methods>, "METHOD",
     "messages of this METHOD[/params/name=VALUE] may come at any place and in any number (a final "
     "* matches any rest); repeatable"},
    {"bind", false, AddTo<&D::binds, ParseBind>, Visit<&D::binds>, "FROM=TO",
     "auto (default): a value that the peer generated and that we repeat is replaced by the live "
     "one; off: only declared ones; FROM=TO: declare one, each a [METHOD:]/pointer; repeatable"},
    {"ids/sender", false, AddIdTo<IdOf::kSender>, VisitIds<IdOf::kSender>, "", ""},
    {"ids/receiver", false, AddIdTo<IdOf::kReceiver>, VisitIds<IdOf::kReceiver>, "", ""},
    {"host/pid", false, AddTo<&D::host_pids, wire::ParseMethodPlace>, Visit<&D::host_pids>, "", ""},
};

constexpr bool HasKind(std::string_view path) {
  return std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](const DeclarationKind& kind) { return kind.path == path; });
}
static_assert(std::all_of(std::begin(wire::kDeclarationLists), std::end(wire::kDeclarationLists),
                          [](const wire::DeclarationList& list) { return HasKind(list.member); }),
              "a list of dialects that replay does not apply");
static_assert(std::all_of(std::begin(kKinds), std::end(kKinds),
                          [](const DeclarationKind& kind) {
                            return kind.path != kind.member() || wire::IsDeclarationList(kind.path);
                          }),
              "a kind that no dialect can declare");

// A method on the command line that was meant as a regular expression would name nothing, and so
// hide nothing. One with such a character can be written up to it, and `*`.
Status MethodIsPlain(std::string_view text) {
  const std::string_view method = text.substr(0, std::min(text.find('['), text.find(":/")));
  if (method.starts_with('/')) return Ok{};  // a pointer
  if (method.find_first_of("()^|\\") == method.npos && method.find(".*") == method.npos)
    return Ok{};
  return Error{
      "not a method", "\"" + std::string(method) + "\"",
      "write a name, or the beginning of one and *: regular expressions are not read here"};
}

}  // namespace

std::span<const DeclarationKind> DeclarationKinds() { return kKinds; }

Status Declare(std::string_view path, std::string_view text, Declarations* to) {
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&](const DeclarationKind& row) { return row.path == path; });
  assert(kind != std::end(kKinds));
  return kind->add(text, to);
}

Status DeclareOption(std::string_view path, std::string_view text, Declarations* to) {
  if (path == "bind" && (text == "auto" || text == "off")) {
    to->infer_binds = text == "auto";
    return Ok{};
  }
  if (const Status plain = MethodIsPlain(text); !plain) return plain;
  return Declare(path, text, to);
}

}  // namespace midwire::replay
