// The dispatcher of the plugin as a fuzz target. It answers whatever it is sent, and that is found.
#include <midwire/fuzz/harness.h>

#include "notes.h"

MIDWIRE_FUZZ_DISPATCHER(Dispatch)
