// The paths of this build. They are defined in a unit of their own, so that all others are compiled
// alike in every checkout, and found in the compiler cache.
#pragma once

#include <string>

namespace midwire {

std::string MidwirePath();   // the program
std::string PeersFolder();   // of the programs of tests/peers
std::string SourceFolder();  // of the checkout

}  // namespace midwire
