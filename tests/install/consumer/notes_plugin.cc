// The plugin as a program: one message per line.
#include <iostream>
#include <string>

#include "notes.h"

int main(int argc, char** argv) {
  if (argc < 2 || argv[1] != std::string("--quiet")) std::cerr << "notes: ready\n";
  for (std::string line; std::getline(std::cin, line);) {
    Dispatch(line, [](std::string_view answer) { std::cout << answer << std::endl; });
  }
}
