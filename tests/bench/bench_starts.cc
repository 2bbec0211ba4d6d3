// Starts and reaps /bin/true again and again, by io::Launch and by posix_spawn(3), in turn, and
// prints "launch_us spawn_us ratio": medians of the rounds. Starting is what a campaign with
// restarts does most.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "io/process/launcher.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr char kProgram[] = "/bin/true";

pid_t BySpawn() {
  char* argv[] = {const_cast<char*>(kProgram), nullptr};
  pid_t pid = -1;
  if (posix_spawn(&pid, kProgram, nullptr, nullptr, argv, environ) != 0) abort();
  return pid;
}

pid_t ByLaunch() {
  midwire::io::LaunchOptions options;
  options.path = kProgram;
  options.argv = {kProgram};
  options.ends = {0, 1, 2};
  options.dies_with_us = true;
  options.own_group = true;
  pid_t pid = -1;
  if (midwire::io::Launch(options, &pid) != 0) abort();
  return pid;
}

// Microseconds a start.
double Measure(pid_t (*start)(), int count) {
  const auto begin = Clock::now();
  for (int i = 0; i < count; ++i) {
    if (waitpid(start(), nullptr, 0) < 0) abort();
  }
  const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
  return took.count() / count;
}

double Median(std::vector<double> figures) {
  std::nth_element(figures.begin(), figures.begin() + figures.size() / 2, figures.end());
  return figures[figures.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 21;
  const int count = argc > 2 ? atoi(argv[2]) : 200;
  std::vector<double> launch, spawn, ratio;
  for (int i = 0; i < rounds; ++i) {
    launch.push_back(Measure(ByLaunch, count));
    spawn.push_back(Measure(BySpawn, count));
    ratio.push_back(launch.back() / spawn.back());
  }
  printf("%.1f %.1f %.3f\n", Median(launch), Median(spawn), Median(ratio));
}
