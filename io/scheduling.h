// Which processor this thread runs on, and how it shares it with the child that it talks to.
// Used by a job of a fuzz campaign: most of its time would else go into switching.
#pragma once

#include <vector>

namespace midwire::io {

// Processors that we may run on; empty: not known.
std::vector<int> UsableProcessors();
// Pins this thread, and what it starts, to one processor. False: not allowed, or there is none
// such.
bool PinToProcessor(int processor);
// Makes this thread a batch job for the scheduler: a child on the same processor that writes an
// answer goes on until it waits, and is not stopped for us at each one. What we start is scheduled
// as usual.
void YieldToChildren();
// Lets another process have its turn now.
void YieldProcessor();

}  // namespace midwire::io
