#include "notes.h"

#include <gtest/gtest.h>

#include "tools/kit/gmock.h"

using midwire::kit::Command;
using midwire::kit::Replays;

// As the host saw it: the program, over its pipes.
TEST(Notes, ThePluginSendsWhatItSentBefore) {
  EXPECT_THAT(Command({PLUGIN, "--quiet"}), Replays(SESSIONS "notes.jsonl")
                                                .Ignoring("notes/count:/result/pid")
                                                .Volatile("notes/progress"));
}

// Its dispatcher alone, in this process: for the debugger, the sanitizer, and speed.
TEST(Notes, TheDispatcherSendsWhatItSentBefore) {
  EXPECT_THAT(&Dispatch, Replays(SESSIONS "notes.jsonl")
                             .Ignoring("notes/count:/result/pid")
                             .Volatile("notes/progress"));
}
