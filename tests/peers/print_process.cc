// print_process ARGS...: prints all that a process can know about how it was started, one item
// per line, except its pid and its parent's. The output of two starts must be equal.
#include <dirent.h>
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "peer.h"

namespace {

std::string out;

void Print(const std::string& name, const std::string& value) { out += name + ": " + value + "\n"; }
void Print(const std::string& name, unsigned long value) { Print(name, std::to_string(value)); }

// Descriptors that are open now, and what is known of them. The kind and identity of 0, 1 and 2 are
// left out: those are midwire's pipes.
void PrintDescriptors() {
  std::vector<int> open_ones;
  DIR* folder = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(folder)) {
    const int fd = atoi(entry->d_name);
    if (entry->d_name[0] != '.' && fd != dirfd(folder)) open_ones.push_back(fd);
  }
  closedir(folder);
  std::sort(open_ones.begin(), open_ones.end());
  for (int fd : open_ones) {
    struct stat info;
    fstat(fd, &info);
    std::string text = "flags " + std::to_string(fcntl(fd, F_GETFL) & O_NONBLOCK) + " cloexec " +
                       std::to_string(fcntl(fd, F_GETFD));
    if (fd > 2) {
      text += " inode " + std::to_string(info.st_ino) + " offset " +
              std::to_string(lseek(fd, 0, SEEK_CUR));
    }
    Print("descriptor " + std::to_string(fd), text);
  }
}

void PrintStatusLines() {
  FILE* file = fopen("/proc/self/status", "re");
  char line[512];
  while (fgets(line, sizeof line, file)) {
    for (const char* name :
         {"Umask", "Uid", "Gid", "Groups", "SigBlk", "SigIgn", "SigCgt", "SigPnd", "ShdPnd",
          "CapInh", "CapEff", "CapAmb", "NoNewPrivs", "Seccomp:"}) {
      if (strncmp(line, name, strlen(name)) == 0) out += line;
    }
  }
  fclose(file);
}

}  // namespace

int main(int argc, char** argv, char** environment) {
  for (int i = 0; i < argc; ++i) Print("argument " + std::to_string(i), argv[i]);
  for (char** entry = environment; *entry; ++entry) Print("environment", *entry);
  char folder[4096];
  Print("cwd", getcwd(folder, sizeof folder) ? folder : "?");
  errno = 0;
  Print("nice", std::to_string(getpriority(PRIO_PROCESS, 0)));
  Print("group", static_cast<unsigned long>(getpgrp()));
  Print("session", static_cast<unsigned long>(getsid(0)));
  Print("personality", static_cast<unsigned long>(personality(0xFFFFFFFF)));
  Print("dumpable", static_cast<unsigned long>(prctl(PR_GET_DUMPABLE)));
  for (int i = 0; i < static_cast<int>(RLIM_NLIMITS); ++i) {
    struct rlimit limit;
    getrlimit(static_cast<__rlimit_resource>(i), &limit);
    Print("limit " + std::to_string(i),
          std::to_string(limit.rlim_cur) + " of " + std::to_string(limit.rlim_max));
  }
  PrintStatusLines();
  PrintDescriptors();
  return peer::Say(out) ? 0 : 1;
}
