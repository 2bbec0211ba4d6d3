// The lists of a dialect that declare something for replay, one row each: how their items are
// written, and where LoadDialect keeps them. Read when dialects are loaded and merged, and by what
// applies them to a replay. What each means: replay/script/declaration_kinds.cc, which does not
// compile without a row for each of these.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"

namespace midwire::wire {

struct DeclarationList {
  enum class Form : unsigned char {
    kMethod,  // METHOD, or a scope of one
    kPlace,   // METHOD:/pointer, or in a scope
    kBind,    // FROM=TO, two places
    kText,    // checked by what applies it
  };
  std::string_view member;
  Form form;
  // One of them, by the form.
  std::vector<std::string> Dialect::*texts;
  std::vector<MethodScope> Dialect::*scopes = nullptr;
};

inline constexpr DeclarationList kDeclarationLists[] = {
    {"volatile", DeclarationList::Form::kMethod, nullptr, &Dialect::volatile_methods},
    {"ignore", DeclarationList::Form::kPlace, &Dialect::ignores},
    {"bind", DeclarationList::Form::kBind, &Dialect::binds},
    {"shape", DeclarationList::Form::kText, &Dialect::shapes},
    {"unordered", DeclarationList::Form::kPlace, &Dialect::unordered},
    {"floating", DeclarationList::Form::kMethod, nullptr, &Dialect::floating_methods},
    {"chunked", DeclarationList::Form::kPlace, &Dialect::chunked},
};

constexpr bool IsDeclarationList(std::string_view member) {
  return std::any_of(std::begin(kDeclarationLists), std::end(kDeclarationLists),
                     [&](const DeclarationList& list) { return list.member == member; });
}

// The items of one list, as they were written.
inline std::vector<std::string> DeclaredTexts(const Dialect& dialect, const DeclarationList& list) {
  if (list.texts != nullptr) return dialect.*list.texts;
  std::vector<std::string> texts;
  for (const MethodScope& scope : dialect.*list.scopes) texts.push_back(scope.text);
  return texts;
}

}  // namespace midwire::wire
