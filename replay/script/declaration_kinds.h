// The kinds of declarations, one row each: what a cassette's header, a dialect, the command line
// and --learn can declare about a trace. All four read this table. What a kind means is with the
// code that compares by it (replay/match/). Pure.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "replay/script/declared.h"
#include "wire/outcome/result.h"

namespace midwire::replay {

// Of one declaration: the calls that it is about, and the place; null: their messages as a whole.
using DeclarationVisitor =
    std::function<void(const wire::MethodScope& scope, const wire::MethodPlace* place)>;

struct DeclarationKind {
  // Where it is in a header and in a dialect, as a list of texts: "ignore", "ids/sender". One step
  // is also an option: "--ignore".
  std::string_view path;
  // It can hide a change of the peer. Such a kind does not apply if a dialect is only detected, and
  // an option that names nothing in any message is warned about.
  bool hides = false;
  // Parses one text and adds it. A declaration keeps its text, which is also how it is written.
  Status (*add)(std::string_view text, Declarations* to);
  void (*visit)(const Declarations& in, const DeclarationVisitor& visitor);
  // The option's value in help, and what it does; "": there is no option.
  std::string_view value, help;

  constexpr std::string_view member() const { return path.substr(0, path.find('/')); }
  constexpr bool is_option() const { return !value.empty(); }
};

// In the order of help.
std::span<const DeclarationKind> DeclarationKinds();

// Adds what `text` declares. `path`: of a row.
Status Declare(std::string_view path, std::string_view text, Declarations* to);
// The same for the value of an option: "auto" and "off" of --bind turn inference on and off.
Status DeclareOption(std::string_view path, std::string_view text, Declarations* to);

}  // namespace midwire::replay
