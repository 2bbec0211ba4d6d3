// The project's own decoder of lines.
#include "tests/fuzz/targets/own_decoder.h"

using Target = midwire::wire::OwnDecoder<midwire::wire::Framing::kLine>;
MIDWIRE_FUZZ_DECODER(Target, .resynchronises = "line")
