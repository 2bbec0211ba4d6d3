#include "tools/probing/why_not_started.h"

#include <unistd.h>

#include <fstream>
#include <string_view>
#include <utility>

#include "io/process/launcher.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

// The machine that an ELF file's header names: its bytes 18 and 19, in the order of byte 5.
int MachineOf(std::string_view file) {
  if (!file.starts_with("\x7f"
                        "ELF") ||
      file.size() < 20)
    return 0;
  const auto at = [&](size_t i) { return static_cast<int>(static_cast<unsigned char>(file[i])); };
  return file[5] == 2 ? at(18) << 8 | at(19) : at(19) << 8 | at(18);
}

std::string MachineName(int machine) {
  constexpr std::pair<int, const char*> kMachines[] = {
      {3, "x86, 32 bits"}, {40, "ARM, 32 bits"}, {62, "x86_64"}, {183, "aarch64"}, {243, "RISC-V"}};
  for (const auto& [number, name] : kMachines) {
    if (number == machine) return name;
  }
  return "machine " + std::to_string(machine) + " of ELF";
}

std::string StartOf(const std::string& path, size_t most) {
  std::ifstream file(path, std::ios::binary);
  std::string start(most, '\0');
  file.read(start.data(), static_cast<std::streamsize>(most));
  start.resize(static_cast<size_t>(file.gcount()));
  return start;
}

}  // namespace

std::string WhyNotStarted(const std::string& name) {
  constexpr size_t kMostShown = 127;  // longer ones are cut by the kernel
  const std::string path = io::FindExecutable(name);
  if (access(path.c_str(), R_OK) != 0) return "";
  const std::string line = StartOf(path, kMostShown);
  if (line.empty()) return "; the file is empty";
  if (const int machine = MachineOf(line); machine != 0) {
    const int own = MachineOf(StartOf("/proc/self/exe", kMostShown));
    return machine == own ? "" : "; it is a program for another machine: " + MachineName(machine);
  }
  if (!line.starts_with("#!")) {
    return line.find('\0') != line.npos
               ? "; it is no program and no script"
               : "; its first line names no interpreter: begin it with #!/bin/sh, or what runs it";
  }
  return "; is there what its first line names? " +
         wire::Escaped(line.substr(0, line.find_first_of("\r\n")));
}

}  // namespace midwire::tools
