// Headers in unusual forms around the right body. Used by the stream mutators.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "fuzz/mutate/mutator.h"

namespace midwire::fuzz {

// Of UTF-8 text.
size_t Characters(std::string_view utf8);

// In a form, %n is the body's length in bytes, %c in characters, %+ one more, %- one less, %h half,
// %d double, %x in hexadecimal. %k is more by 2^31, %t by 2^32, %m by 2^53 and %q by 2^63. Such a
// number is correct again if it is cut to as many bits, or one off as a double.
std::string FilledHeader(std::string_view form, std::string_view body);

// Replaces the target's header by one of these forms. Not applicable to a line: it has none.
bool ReplaceHeader(Mutation* m, std::initializer_list<std::string_view> forms);

// Replaces it by a header block of 1 KiB to 64 KiB, where peers have their limits: exactly a power
// of two, or one byte off.
bool HeaderBlock(Mutation* m);

}  // namespace midwire::fuzz
