#include "tools/read_ahead.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "trace/source.h"

namespace midwire::tools {
namespace {

// A look ends after 16 MiB of messages (kMaxOpening). In a cassette, base64 makes them a third
// longer, and blocks have heads. So a pipe gives the same as the file, unless a peer fills it with
// what is no message.
constexpr size_t kMaxAhead = 32u << 20;

// A stream that stays open until its reader takes it.
struct Ahead {
  std::unique_ptr<trace::Source> source;
  std::string bytes;   // that were read
  bool ended = false;  // a terminal would have to be ended twice
};

// By path. Standard input is one of the process, and a named pipe cannot be opened again: its
// writer may be gone.
std::map<std::string, Ahead>& Streams() {
  static std::map<std::string, Ahead> streams;
  return streams;
}

size_t Take(const std::string& bytes, size_t* at, char* to, size_t size) {
  const size_t taken = std::min(size, bytes.size() - *at);
  std::memcpy(to, bytes.data() + *at, taken);
  *at += taken;
  return taken;
}

// From the start of the stream, which keeps what is read.
class LookingSource : public trace::Source {
 public:
  explicit LookingSource(Ahead* ahead) : ahead_(ahead) {}

  Result<size_t> Read(char* to, size_t size) override {
    std::string& kept = ahead_->bytes;
    if (at_ < kept.size()) return Take(kept, &at_, to, size);
    if (ahead_->ended || kept.size() >= kMaxAhead) return size_t{0};
    const Result<size_t> got = ahead_->source->Read(to, std::min(size, kMaxAhead - kept.size()));
    if (!got) return got;
    ahead_->ended = *got == 0;
    kept.append(to, *got);
    at_ = kept.size();
    return got;
  }

 private:
  Ahead* ahead_;
  size_t at_ = 0;
};

// What was kept, then the rest of the stream.
class WholeSource : public trace::Source {
 public:
  explicit WholeSource(Ahead ahead) : ahead_(std::move(ahead)) {}

  Result<size_t> Read(char* to, size_t size) override {
    if (at_ < ahead_.bytes.size()) return Take(ahead_.bytes, &at_, to, size);
    if (at_ != 0) ahead_.bytes = std::string();
    at_ = 0;
    if (ahead_.ended) return size_t{0};
    return ahead_.source->Read(to, size);
  }

 private:
  Ahead ahead_;
  size_t at_ = 0;
};

Result<std::unique_ptr<trace::TraceReader>> OpenStream(std::unique_ptr<trace::Source> source,
                                                       const std::string& path) {
  auto reader = trace::OpenTrace(std::move(source));
  if (reader || !reader.error().where.empty()) return reader;
  Error error = reader.error();
  error.where = path == "-" ? "standard input" : path;
  return error;
}

}  // namespace

bool IsRegular(const std::string& path) {
  struct stat file;
  return path != "-" && stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode);
}

bool ReadsOnce(const std::string& path) {
  struct stat file;
  return path == "-" || (stat(path.c_str(), &file) == 0 && !S_ISREG(file.st_mode));
}

Result<std::unique_ptr<trace::TraceReader>> LookAtTrace(const std::string& path) {
  if (IsRegular(path)) return trace::OpenTrace(path);
  auto known = Streams().find(path);
  if (known == Streams().end()) {
    Result<std::unique_ptr<trace::Source>> source = trace::OpenSource(path);
    if (!source) return source.error();
    known = Streams().emplace(path, Ahead{.source = std::move(*source), .bytes = {}}).first;
  }
  return OpenStream(std::make_unique<LookingSource>(&known->second), path);
}

Result<std::unique_ptr<trace::TraceReader>> OpenTraceOnce(const std::string& path) {
  const auto known = Streams().find(path);
  if (known == Streams().end()) return trace::OpenTrace(path);
  auto whole = std::make_unique<WholeSource>(std::move(known->second));
  Streams().erase(known);
  return OpenStream(std::move(whole), path);
}

}  // namespace midwire::tools
