// Writes the seeds of each target: fuzz_seeds CORPORA FOLDER makes FOLDER/<target>/* from
// CORPORA/*/messages and CORPORA/*/sessions. All seeds of one target are in one folder, as zip -j
// needs.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/corpus.h"
#include "trace/reader.h"
#include "trace/session.h"

namespace {

namespace fs = std::filesystem;
using namespace midwire;

// A larger seed only slows its target down: libFuzzer mutates up to the size of the largest.
constexpr size_t kMaxSeed = 16u << 10;
// For targets where each input is a whole trace.
constexpr size_t kMaxTrace = 64u << 10;

std::string Read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class Writer {
 public:
  explicit Writer(fs::path folder) : folder_(std::move(folder)) {}
  void Write(const std::vector<std::string>& targets, const std::string& name,
             const std::string& bytes, size_t largest = kMaxSeed) {
    if (bytes.size() > largest) return;
    for (const std::string& target : targets) {
      fs::create_directories(folder_ / target);
      std::ofstream out(folder_ / target / name, std::ios::binary);
      out << bytes;
      failed_ = failed_ || !out.flush();
      ++files_;
    }
  }
  bool failed() const { return failed_; }
  size_t files() const { return files_; }

 private:
  const fs::path folder_;
  bool failed_ = false;
  size_t files_ = 0;
};

const std::vector<std::string> kDecoders = {"decoder", "decoder_line", "decoder_header"};

// All that the plugin sent, one message per line: replay and check are compared with it.
class Said : public trace::SessionHandler {
 public:
  void OnMessage(const trace::RecordedMessage& recorded) override {
    std::string line(recorded.frame->body());
    std::replace(line.begin(), line.end(), '\n', ' ');
    const bool host = recorded.direction == wire::Direction::kHostToPlugin;
    if (!host) plugin += line + "\n";
    both += (host ? ">" : "") + line + "\n";
  }
  std::string plugin, both;
};

bool OfSession(const fs::path& path, const std::string& protocol, Writer* writer) {
  const std::string name = protocol + "-" + path.filename().string();
  const std::string bytes = Read(path);
  auto reader = trace::OpenTrace(path.string());
  Said recorded;
  trace::Session session(&recorded);
  if (!reader || !trace::Play(reader->get(), &session)) return false;
  // Its first byte determines how the target returns the bytes (trace_fuzz.cc).
  writer->Write({"trace"}, name, "\x87" + bytes, kMaxTrace);
  writer->Write({"dialect"}, name, "@" + protocol + std::string(1, '\0') + recorded.both,
                kMaxTrace);
  writer->Write({"replay"}, name, bytes + std::string(1, '\0') + recorded.plugin, kMaxTrace);
  for (const auto role : {wire::Direction::kHostToPlugin, wire::Direction::kPluginToHost}) {
    fuzz::Corpus corpus(role);
    auto again = trace::OpenTrace(path.string());
    trace::Session player(&corpus);
    corpus.StartTrace(path.stem().string());
    if (!again || !trace::Play(again->get(), &player)) return false;
    corpus.EndSession();
    for (const auto& [place, text] : corpus.files()) {
      if (!place.starts_with("seeds/")) continue;
      const std::string file = protocol + "-" + fs::path(place).filename().string();
      writer->Write(kDecoders, file, text);
      if (role == wire::Direction::kHostToPlugin) writer->Write({"dispatcher"}, file, text);
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: fuzz_seeds CORPORA FOLDER\n", stderr);
    return 2;
  }
  Writer writer(argv[2]);
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(argv[1])) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string folder = file.parent_path().filename().string();
    if (file.filename() == "dialect.json") {
      writer.Write({"json"}, folder + ".json", Read(file), kMaxTrace);
      writer.Write({"dialect"}, folder + ".json", Read(file) + std::string(1, '\0'), kMaxTrace);
      continue;
    }
    const std::string protocol = file.parent_path().parent_path().filename().string();
    if (folder == "messages") {
      writer.Write({"json"}, protocol + "-" + file.filename().string(), Read(file));
    } else if (folder == "sessions" && !OfSession(file, protocol, &writer)) {
      std::fprintf(stderr, "cannot be read as a trace: %s\n", file.c_str());
      return 1;
    }
  }
  if (writer.failed() || writer.files() == 0) {
    std::fprintf(stderr, "cannot write below %s\n", argv[2]);
    return 1;
  }
  std::printf("%zu seeds\n", writer.files());
  return 0;
}
