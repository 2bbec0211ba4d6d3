#include "fuzz/harness/state.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "fuzz/harness/try.h"
#include "wire/decoder.h"
#include "wire/dialect/built_in.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

namespace fs = std::filesystem;

// Words are read from this many files and bytes of a corpus at most, because its folders keep
// growing.
constexpr size_t kMaxFiles = 4096, kMaxBytes = 16u << 20;

std::string Read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return std::move(all).str();
}

void LoadDialectOf(const char* name, HarnessState* state) {
  const std::string wanted = OptionOf("MIDWIRE_DIALECT", name);
  if (wanted.empty()) return;
  std::string text(wire::BuiltInDialect(wanted));
  if (text.empty()) text = Read(wanted);
  auto loaded = wire::LoadDialect(text, wanted, /*strict=*/false, wire::BuiltInDialect);
  if (!loaded) {
    std::fprintf(stderr, "midwire: %s\n", loaded.error().Text().c_str());
    std::exit(2);
  }
  state->dialect = std::move(*loaded);
  state->words.AddDialect(*state->dialect);
}

// Both directions: a corpus does not record which party sent its bytes.
class Words : public wire::FrameHandler {
 public:
  explicit Words(Vocabulary* words) : words_(words) {}
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override {
    if (!frame.whole()) return;
    const std::string_view body = wire::Trimmed(frame.body());
    for (const auto direction : {wire::Direction::kHostToPlugin, wire::Direction::kPluginToHost}) {
      words_->AddMessage(direction, message, body);
    }
  }
  void OnJunk(const wire::Junk&) override {}

 private:
  Vocabulary* words_;
};

void LoadWords(const fs::path& folder, Vocabulary* words) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->is_regular_file(failed)) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  if (files.size() > kMaxFiles) files.resize(kMaxFiles);
  Words adder(words);
  size_t bytes = 0;
  for (const fs::path& file : files) {
    const std::string text = Read(file);
    if ((bytes += text.size()) > kMaxBytes) return;
    wire::Decoder decoder;
    decoder.Feed(text, &adder);
    decoder.Finish(&adder);
  }
}

}  // namespace

HarnessState& StateOfHarness(const char* dialect) {
  static HarnessState* const state = [dialect] {
    static HarnessState made;
    LoadDialectOf(dialect, &made);
    return &made;
  }();
  return *state;
}

void StartHarness(int argc, char** argv, const char* dialect) {
  HarnessState& state = StateOfHarness(dialect);
  if (argc > 0) state.program = argv[0];
  for (int i = 1; i < argc; ++i) {
    constexpr std::string_view kPrefix = "-artifact_prefix=";
    const std::string_view argument = argv[i];
    if (argument.starts_with(kPrefix)) state.artifacts = argument.substr(kPrefix.size());
    std::error_code failed;
    if (argv[i][0] == '-' || !fs::is_directory(argv[i], failed)) continue;
    LoadWords(argv[i], &state.words);
  }
}

std::string OptionOf(const char* variable, const char* given) {
  const char* const asked = std::getenv(variable);
  return asked != nullptr ? asked : given;
}

std::string SaveArtifact(const std::string& name, std::string_view bytes) {
  const HarnessState& state = StateOfHarness();
  if (!state.mutating && !state.artifacts) return "";
  const std::string path = state.artifacts.value_or("./") + name;
  std::FILE* const file = std::fopen(path.c_str(), "wxe");
  if (file == nullptr) return errno == EEXIST ? path : "";
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && written ? path : "";
}

uint64_t HashInput(std::string_view bytes) {
  uint64_t hash = bytes.size();
  while (!bytes.empty()) {
    uint64_t word = 0;
    const size_t size = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), size);
    bytes.remove_prefix(size);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

bool SkipsWhileFuzzing(bool costly, uint64_t hash) {
  if (!StateOfHarness().mutating) return false;
  return costly != (hash % kOneCostlyIn == 0);
}

}  // namespace midwire::fuzz
