// A decoder of lines as a fuzz target. CHANGED: it takes a read for a frame.
#include <midwire/fuzz/harness.h>

#include <string>

struct LineDecoder {
  std::string held;
  void feed(std::string_view bytes, const midwire::fuzz::Emit& emit) {
    held += bytes;
#ifdef CHANGED
    if (held.find('\n') == held.npos && held.size() > 200) emit(held);
#endif
    for (size_t end; (end = held.find('\n')) != held.npos; held.erase(0, end + 1)) {
      emit(held.substr(0, end));
    }
  }
};
MIDWIRE_FUZZ_DECODER(LineDecoder, .resynchronises = "line")
