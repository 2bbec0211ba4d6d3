// The project's own decoder of header blocks.
#include "tests/fuzz/targets/own_decoder.h"

using Target = midwire::wire::OwnDecoder<midwire::wire::Framing::kContentLength>;
MIDWIRE_FUZZ_DECODER(Target, .resynchronises = "content-length")
