// Which processor this thread runs on, and how it shares it with the child that it talks to.
// Used by a job of a fuzz campaign, which would otherwise spend most of its time switching.
#pragma once

#include <vector>

namespace midwire::io {

// Processors that we may run on; empty: not known.
std::vector<int> UsableProcessors();
// Pins this thread, and what it starts, to one processor. False: not allowed, or no such processor.
bool PinToProcessor(int processor);
// Makes this thread a batch job for the scheduler. A child on the same processor that writes an
// answer then runs on until it waits, instead of being preempted by us at each answer. What we
// start is scheduled as usual.
void YieldToChildren();
// Lets another process run now.
void YieldProcessor();

}  // namespace midwire::io
