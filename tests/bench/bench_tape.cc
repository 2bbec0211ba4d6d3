// Writes the tape that the reading benchmarks read: bench_tape EXCHANGES > tape. Each exchange is a
// request and its answer, about 200 bytes each; ids count up, five methods take turns.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "trace/tape_encoder.h"

int main(int argc, char** argv) {
  using namespace midwire::trace;
  const long exchanges = argc > 1 ? std::atol(argv[1]) : 500'000;
  const char* const methods[] = {"textDocument/hover", "textDocument/completion", "tools/call",
                                 "workspace/symbol", "plugin/render"};
  std::string blocks;
  int64_t time_ns = 1'700'000'000'000'000'000;
  AppendTapeStart(&blocks);
  AppendEvent(time_ns, SpawnEvent{.argv = {"bench-plugin"}, .pid = 1, .version = "0"}, &blocks);
  for (long id = 1; id <= exchanges; ++id) {
    const std::string number = std::to_string(id);
    const std::string request =
        R"({"jsonrpc":"2.0","id":)" + number + R"(,"method":")" + methods[id % 5] +
        R"(","params":{"textDocument":{"uri":"file:///home/user/project/src/main.cc"},"position":)" +
        R"({"line":)" + std::to_string(id % 997) +
        R"(,"character":12},"context":{"kind":1}}})"
        "\n";
    const std::string answer =
        R"({"jsonrpc":"2.0","id":)" + number +
        R"(,"result":{"contents":{"kind":"markdown","value":"function main, returns int; the )" +
        R"(entry of the program"},"range":{"start":{"line":3,"character":4},"end":{"line":3}}}})"
        "\n";
    time_ns += 20'000;
    AppendRecord({Stream::kHostToPlugin, Hint::kJson, time_ns, {}, request}, &blocks);
    time_ns += 20'000 + id % 1000 * 100;
    AppendRecord({Stream::kPluginToHost, Hint::kJson, time_ns, {}, answer}, &blocks);
    if (blocks.size() > (1 << 20) || id == exchanges) {
      if (id == exchanges) AppendEvent(time_ns, midwire::ExitStatus{.code = 0}, &blocks);
      if (id == exchanges) AppendEvent(time_ns, EndEvent{}, &blocks);
      if (std::fwrite(blocks.data(), 1, blocks.size(), stdout) != blocks.size()) return 1;
      blocks.clear();
    }
  }
  return 0;
}
