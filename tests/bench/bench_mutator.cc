// What one structure-aware mutation costs: an input is cut into parts, changed and put together
// again, as libFuzzer's custom mutator does it. Prints nanoseconds of this process for one, and for
// one of each level.
//
//   bench_mutator [COUNT]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "fuzz/mutate/mutator.h"

namespace {

using namespace midwire;

// Four frames, 400 bytes.
std::string Session(wire::Framing framing) {
  constexpr std::string_view kBodies[] = {
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":42,"rootUri":"file:///home/me/project/src/first","x":[]}})",
      R"({"jsonrpc":"2.0","method":"initialized","params":{}})",
      R"({"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"position":{"line":31}}})",
      R"({"jsonrpc":"2.0","id":3,"method":"shutdown"})",
  };
  std::string bytes;
  for (const std::string_view body : kBodies) bytes += fuzz::Framed(body, framing).bytes;
  return bytes;
}

volatile size_t sink;  // prevents the compiler from removing work

double Nanoseconds(uint64_t count, const auto& work) {
  const std::clock_t start = std::clock();
  for (uint64_t i = 0; i < count; ++i) sink = work(i);
  return double(std::clock() - start) * (1e9 / CLOCKS_PER_SEC) / double(count);
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300'000;
  fuzz::Vocabulary words;
  for (const wire::Framing framing : {wire::Framing::kLine, wire::Framing::kContentLength}) {
    const std::string seed = Session(framing);
    const std::string name(wire::Name(framing));
    std::printf("%-15s %zu bytes, 4 frames\n", name.c_str(), seed.size());
    std::printf("  %-16s %6.0f ns\n", "cut and join", Nanoseconds(count, [&](uint64_t) {
                  return fuzz::ParseInput(seed).Bytes().size();
                }));
    // As when a fuzzer runs small inputs that may grow to 64 KiB: some do, and cost as much.
    for (const size_t max_size : {size_t{1024}, size_t{4096}, size_t{65536}}) {
      const fuzz::Mutator mutator(&words, {.max_size = max_size});
      std::printf("  mutate, <= %-5zu %6.0f ns\n", max_size, Nanoseconds(count, [&](uint64_t i) {
                    fuzz::Input input = fuzz::ParseInput(seed);
                    mutator.Mutate(&input, i);
                    return input.Bytes().size();
                  }));
    }
    for (int level = 0; level < fuzz::kLevels; ++level) {
      fuzz::MutatorOptions options{.max_size = 1024, .weights = {}};
      options.weights[level] = 1;
      const fuzz::Mutator mutator(&words, options);
      std::printf("  only %-11s %6.0f ns\n", fuzz::Name(fuzz::Level(level)).data(),
                  Nanoseconds(count / 4, [&](uint64_t i) {
                    fuzz::Input input = fuzz::ParseInput(seed);
                    mutator.Mutate(&input, i);
                    return input.Bytes().size();
                  }));
    }
  }
}
