#include "io/process/scheduling.h"

#include <sched.h>

namespace midwire::io {

std::vector<int> UsableProcessors() {
  std::vector<int> processors;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  }
  return processors;
}

bool PinToProcessor(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

void YieldToChildren() {
  const sched_param none = {};
  sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &none);
}

void YieldProcessor() { sched_yield(); }

}  // namespace midwire::io
