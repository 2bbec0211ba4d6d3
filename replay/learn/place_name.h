// Names of places in messages, as declarations write them. Called by the learner and by
// --suggest-ignores. Pure.
#pragma once

#include <string>
#include <string_view>

namespace midwire::replay {

// "METHOD:/pointer", or "/pointer" for messages without a method.
std::string PlaceName(std::string_view method, std::string_view pointer);
// Array indices become `*`, because a member that varies in one item varies in others.
std::string Generalised(std::string_view pointer);

// Of a pointer: the one without its last step.
std::string ParentOf(std::string_view pointer);
bool IsBelow(std::string_view pointer, std::string_view above);

// What is at a pointer of a message, as JSON; "": nothing, or the message is not JSON.
std::string ValueOf(std::string_view body, const std::string& pointer);

}  // namespace midwire::replay
