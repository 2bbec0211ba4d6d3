// The operators that count the allocations of a target without a sanitizer. Not part of a program
// that links one, which has such operators and detects more.
#include "fuzz/harness/new.h"

MIDWIRE_FUZZ_COUNT_NEW_
