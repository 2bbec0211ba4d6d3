// The project's own decoder that detects the framing.
#include "tests/fuzz/targets/own_decoder.h"

using Target = midwire::wire::OwnDecoder<midwire::wire::Framing::kAuto>;
MIDWIRE_FUZZ_DECODER(Target)
