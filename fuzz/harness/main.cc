// The main of a target without a fuzzing engine: passes files to LLVMFuzzerTestOneInput, so that a
// corpus and the inputs of fixed bugs are tests under any compiler. With -runs=N it also tries N
// mutants, without coverage. Ignores other options of libFuzzer.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerInitialize(int* argc, char*** argv) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
    __attribute__((weak));
size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                 uint8_t* out, size_t max_size, unsigned seed)
    __attribute__((weak));
// A sanitizer ends the process without a signal.
void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));
}
// fuzz/harness/report.h. Weak: a target may have no checks of the kit, and this file has no
// includes of midwire, so that it can be compiled alone as an engine.
namespace midwire::fuzz {
size_t FailuresCounted() __attribute__((weak));
}

namespace {

namespace fs = std::filesystem;

constexpr char kHelp[] =
    "Usage: TARGET [-runs=N] [-seed=N] [-max_len=BYTES] [-timeout=SECONDS] [-artifact_prefix=P]\n"
    "              FILE-OR-FOLDER...\n"
    "Plays each file into the target; then N mutants of them. Exits 1 when one fails, and names "
    "it.\n";

struct Options {
  uint64_t runs = 0, seed = 1, max_len = 4096, timeout = 60;
  std::string prefix = "./";
  std::vector<fs::path> paths;
};

// What the handlers below print; they must not allocate.
struct Current {
  char name[4096] = "";
  const uint8_t* data = nullptr;
  size_t size = 0;
  bool mutant = false;
};
Current current;
volatile sig_atomic_t dying = 0;

void Say(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

void ReportInput() {
  if (dying != 0 || current.data == nullptr) return;
  dying = 1;
  if (current.mutant) {
    const int fd = open(current.name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    for (size_t at = 0; fd >= 0 && at < current.size;) {
      const ssize_t n = write(fd, current.data + at, current.size - at);
      if (n <= 0) break;
      at += static_cast<size_t>(n);
    }
  }
  Say("failed: ");
  Say(current.name);
  Say("\n");
}

void OnSignal(int number) {
  if (number == SIGALRM) Say("timeout\n");
  ReportInput();
  _exit(1);
}

bool Number(std::string_view argument, std::string_view name, uint64_t* to) {
  if (!argument.starts_with(name)) return false;
  *to = std::strtoull(argument.data() + name.size(), nullptr, 10);
  return true;
}

Options ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    constexpr std::string_view kPrefix = "-artifact_prefix=";
    if (Number(argument, "-runs=", &options.runs) || Number(argument, "-seed=", &options.seed) ||
        Number(argument, "-max_len=", &options.max_len) ||
        Number(argument, "-timeout=", &options.timeout)) {
      continue;
    }
    if (argument == "-h" || argument == "--help" || argument == "-help=1") {
      std::fputs(kHelp, stdout);
      std::exit(0);
    }
    if (argument.starts_with(kPrefix)) {
      options.prefix = argument.substr(kPrefix.size());
    } else if (!argument.starts_with('-')) {
      options.paths.emplace_back(argument);
    }
  }
  return options;
}

bool Collect(const fs::path& path, std::vector<fs::path>* files) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) {
    files->push_back(path);
    return fs::exists(path, failed);
  }
  const size_t first = files->size();
  for (fs::recursive_directory_iterator at(path, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->is_regular_file(failed)) files->push_back(at->path());
  }
  std::sort(files->begin() + static_cast<std::ptrdiff_t>(first), files->end());
  return !failed;
}

bool Read(const fs::path& path, std::vector<uint8_t>* bytes) {
  std::ifstream in(path, std::ios::binary);
  bytes->assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  return in.good() || in.eof();
}

void Try(const std::string& name, bool mutant, const std::vector<uint8_t>& bytes,
         uint64_t timeout) {
  // In a block of exactly its size, so that a sanitizer detects reads beyond it.
  uint8_t* const block = static_cast<uint8_t*>(std::malloc(std::max<size_t>(bytes.size(), 1)));
  if (block == nullptr) std::abort();
  if (!bytes.empty()) std::memcpy(block, bytes.data(), bytes.size());
  std::snprintf(current.name, sizeof current.name, "%s", name.c_str());
  current.size = bytes.size();
  current.mutant = mutant;
  current.data = block;
  alarm(static_cast<unsigned>(timeout));
  LLVMFuzzerTestOneInput(block, bytes.size());
  alarm(0);
  current.data = nullptr;
  std::free(block);
}

// The next number of SplitMix64 (Steele, Lea, Flood, 2014): the seed determines all mutants.
uint64_t Next(uint64_t* state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

void TryMutants(const std::vector<std::vector<uint8_t>>& corpus, const Options& options) {
  if (LLVMFuzzerCustomMutator == nullptr) {
    std::printf("no mutants: the target has no LLVMFuzzerCustomMutator\n");
    return;
  }
  const std::string name = options.prefix + "crash-" + std::to_string(options.seed);
  uint64_t state = options.seed;
  for (uint64_t i = 0; i < options.runs; ++i) {
    const auto& a = corpus[Next(&state) % corpus.size()];
    const auto& b = corpus[Next(&state) % corpus.size()];
    const unsigned seed = static_cast<unsigned>(Next(&state));
    const size_t room = std::max<size_t>({a.size(), b.size(), options.max_len});
    std::vector<uint8_t> mutant = a;
    mutant.resize(room);
    size_t size = a.size();
    if (i % 4 == 3 && LLVMFuzzerCustomCrossOver != nullptr) {
      size = LLVMFuzzerCustomCrossOver(a.data(), a.size(), b.data(), b.size(), mutant.data(), room,
                                       seed);
    }
    for (unsigned times = 1 + seed % 4; times > 0; --times) {
      size = LLVMFuzzerCustomMutator(mutant.data(), size, room, seed + times);
    }
    mutant.resize(size);
    Try(name, true, mutant, options.timeout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  const Options options = ParseOptions(argc, argv);
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGALRM}) {
    // A sanitizer's own handler reports more, and calls us back.
    struct sigaction before = {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler == SIG_DFL || number == SIGALRM) signal(number, OnSignal);
  }
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(ReportInput);

  std::vector<fs::path> files;
  for (const fs::path& path : options.paths) {
    if (Collect(path, &files)) continue;
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return 2;
  }
  std::vector<std::vector<uint8_t>> corpus;
  for (const fs::path& file : files) {
    std::vector<uint8_t> bytes;
    if (!Read(file, &bytes)) {
      std::fprintf(stderr, "cannot read %s\n", file.c_str());
      return 2;
    }
    Try(file.string(), false, bytes, options.timeout);
    corpus.push_back(std::move(bytes));
  }
  if (corpus.empty()) corpus.emplace_back();
  if (options.runs > 0) TryMutants(corpus, options);
  // With $MIDWIRE_KEEP_GOING.
  const bool counts = midwire::fuzz::FailuresCounted != nullptr;
  const size_t failed = counts ? midwire::fuzz::FailuresCounted() : 0;
  const auto mutants = static_cast<unsigned long long>(options.runs);
  std::printf("%zu files, %llu mutants: ", files.size(), mutants);
  failed == 0 ? std::printf("fine\n") : std::printf("%zu failures, reported on stderr\n", failed);
  return failed == 0 ? 0 : 1;
}
