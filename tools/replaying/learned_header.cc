#include "tools/replaying/learned_header.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "io/files/file_sink.h"
#include "io/files/replace_file.h"
#include "proxy/tape_name.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/writer.h"

namespace midwire::tools {
namespace {

// As long as a line of a cassette may be (doc/trace-format.md).
constexpr size_t kMaxHeader = 8u << 20;
constexpr std::string_view kTapeEnd = ".pcapng", kCassetteEnd = ".jsonl";

// Passes everything on, the first line with the lessons in it.
class HeaderSink : public Sink {
 public:
  HeaderSink(const std::vector<replay::Lesson>* lessons, Sink* to) : lessons_(lessons), to_(to) {}

  Status Write(std::string_view bytes) override {
    if (passed_) return to_->Write(bytes);
    header_.append(bytes);
    const size_t end = header_.find('\n');
    if (end == header_.npos) {
      return header_.size() > kMaxHeader ? Status(TooLong()) : Status(Ok{});
    }
    const size_t size = end > 0 && header_[end - 1] == '\r' ? end - 1 : end;
    Result<std::string> header =
        replay::HeaderWith(std::string_view(header_).substr(0, size), *lessons_);
    if (!header) return header.error();
    if (header->size() > kMaxHeader) return TooLong();
    passed_ = true;
    return to_->Write(*header + header_.substr(size));
  }
  bool passed() const { return passed_; }

 private:
  static Error TooLong() { return {"the header is too long", "", "a line has at most 8 MiB"}; }

  const std::vector<replay::Lesson>* lessons_;
  Sink* to_;
  std::string header_;
  bool passed_ = false;
};

// "session.pcapng" -> "session.jsonl", or the next free name.
std::string FreeName(const std::string& tape) {
  const std::string stem(tape.ends_with(kTapeEnd) ? tape.substr(0, tape.size() - kTapeEnd.size())
                                                  : tape);
  std::string name = stem + std::string(kCassetteEnd);
  std::error_code error;
  for (int64_t i = 2; std::filesystem::exists(name, error); ++i) {
    name = proxy::PartName(stem + std::string(kCassetteEnd), i);
  }
  return name;
}

Status CopyBytes(trace::Source* from, std::string piece, Sink* to) {
  if (Status written = to->Write(piece); !written) return written;
  piece.resize(256 * 1024);
  while (true) {
    const Result<size_t> size = from->Read(piece.data(), piece.size());
    if (!size) return size.error();
    if (*size == 0) return Ok{};
    if (Status written = to->Write({piece.data(), *size}); !written) return written;
  }
}

// Into `to`: the cassette with another header, or a tape as a cassette, which keeps its times.
Status CopyWith(const std::vector<replay::Lesson>& lessons, const std::string& path, bool is_tape,
                std::unique_ptr<trace::Source> source, std::string start, Sink* to) {
  HeaderSink sink(&lessons, to);
  if (is_tape) {
    Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(path);
    if (!reader) return reader.error();
    const auto writer = trace::MakeWriter(trace::Format::kCassette, /*times=*/true, &sink);
    const Result<trace::CopyOutcome> copied = trace::Copy(reader->get(), writer.get());
    if (!copied) return copied.error();
    if (copied->failure) return *copied->failure;
  } else if (Status copied = CopyBytes(source.get(), std::move(start), &sink); !copied) {
    return copied;
  }
  if (!sink.passed()) {
    return Error{"the trace has no header", path, "name a tape, or a cassette with its first line"};
  }
  return Ok{};
}

}  // namespace

Result<WrittenHeader> WriteLessons(const std::string& trace,
                                   const std::vector<replay::Lesson>& lessons) {
  const std::string path = io::FollowLink(trace);
  Result<std::unique_ptr<trace::Source>> source = trace::OpenSource(path);
  if (!source) return source.error();
  std::string start(64 * 1024, '\0');
  const Result<size_t> size = (*source)->Read(start.data(), start.size());
  if (!size) return size.error();
  start.resize(*size);
  const bool is_tape = start.starts_with("\x0A\x0D\x0D\x0A");
  const std::string written = is_tape ? FreeName(trace) : trace;
  Result<std::unique_ptr<io::FileSink>> sink =
      is_tape ? io::FileSink::Create(written) : io::FileSink::CreateVersion(path);
  if (!sink) return sink.error();
  const Status copied =
      CopyWith(lessons, path, is_tape, std::move(*source), std::move(start), sink->get());
  if (!copied) return copied.error();
  if (Status closed = (*sink)->Close(); !closed) return closed.error();
  return WrittenHeader{written, (*sink)->old_name()};
}

}  // namespace midwire::tools
