// What an in-process run costs: one dispatcher as three targets for libFuzzer, which counts the
// runs. MIDWIRE_RATE_PLAIN: what one writes without the kit. MIDWIRE_RATE_MUTATORS: the same with
// midwire's mutators. Neither: the kit. At the end it prints how many messages were dispatched: a
// mutant that cuts the stream ends a run after its first message, or before it.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "fuzz/harness/harness.h"
#include "tests/fuzz/targets/calm_dispatcher.h"

namespace {

struct Counter {
  ~Counter() { std::fprintf(stderr, "dispatched %llu messages\n", messages); }
  unsigned long long messages = 0;
} counter;

struct Counted {
  void dispatch(std::string_view body, const midwire::fuzz::Emit& emit) {
    ++counter.messages;
    calm.dispatch(body, emit);
  }
  midwire::CalmDispatcher calm;
};

}  // namespace

#if !defined(MIDWIRE_RATE_PLAIN) && !defined(MIDWIRE_RATE_MUTATORS)

MIDWIRE_FUZZ_DISPATCHER(Counted)

#else
#ifdef MIDWIRE_RATE_MUTATORS
MIDWIRE_FUZZ_MUTATORS()
#endif

namespace {

// The body of the frame at the start of `bytes`, which is removed; false: there is none.
bool TakeFrame(std::string_view* bytes, std::string_view* body) {
  constexpr std::string_view kName = "Content-Length: ", kEnd = "\r\n\r\n";
  if (!bytes->starts_with(kName)) return false;
  size_t length = 0;
  const char* const end = bytes->data() + bytes->size();
  const auto digits = std::from_chars(bytes->data() + kName.size(), end, length);
  std::string_view rest(digits.ptr, static_cast<size_t>(end - digits.ptr));
  if (digits.ec != std::errc() || !rest.starts_with(kEnd)) return false;
  rest.remove_prefix(kEnd.size());
  if (length > rest.size()) return false;
  *body = rest.substr(0, length);
  *bytes = rest.substr(length);
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size), body;
  Counted dispatcher;
  size_t emitted = 0;
  const midwire::fuzz::Emit emit = [&](std::string_view answer) { emitted += answer.size(); };
  while (TakeFrame(&bytes, &body)) dispatcher.dispatch(body, emit);
  return emitted == SIZE_MAX;
}

#endif
