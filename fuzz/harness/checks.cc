#include "fuzz/harness/checks.h"

#include <cstdio>
#include <cstdlib>

#include "fuzz/harness/state.h"
#include "fuzz/switches.h"

namespace midwire::fuzz {
namespace {

constexpr std::string_view kCheckNames[] = {"chunking", "memory", "resynchronises"};
static_assert(std::size(kCheckNames) == kDecoderChecks);

}  // namespace

std::string_view Name(DecoderCheck check) { return kCheckNames[static_cast<int>(check)]; }

DecoderChecks::DecoderChecks(const DecoderOptions& options) {
  const auto set =
      ParseSwitches(OptionOf("MIDWIRE_ORACLE", options.oracles), (1u << kDecoderChecks) - 1,
                    {.noun = "check",
                     .names = kCheckNames,
                     .help = "a decoder has chunking, memory and resynchronises"});
  if (!set) {
    std::fprintf(stderr, "midwire: %s\n", set.error().Text().c_str());
    std::exit(2);
  }
  set_ = *set;
}

}  // namespace midwire::fuzz
