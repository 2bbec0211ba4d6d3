// Selects the reader for a trace.
#include "trace/cassette_format.h"
#include "trace/cassette_reader.h"
#include "trace/reader.h"
#include "trace/tape_reader.h"

namespace midwire::trace {
namespace {

// The start is read up to this size or the end of the source. It suffices to find a block if the
// first one was lost (a record's block is below 67 KiB).
constexpr size_t kStart = 160 * 1024;

constexpr std::string_view kSectionType("\n\r\r\n", 4);

// What people name in place of a trace that is in it.
constexpr struct {
  std::string_view start;
  const char* remedy;
} kContainers[] = {
    {"\x1f\x8b", "it is compressed: unpack it with gzip -d"},
    {"\xfd"
     "7zXZ",
     "it is compressed: unpack it with xz -d"},
    {"\x28\xb5\x2f\xfd", "it is compressed: unpack it with zstd -d"},
    {"BZh", "it is compressed: unpack it with bzip2 -d"},
    {"PK\x03\x04", "it is a ZIP archive: unzip it, and name the trace in it"},
    {"<!DOCTYPE html>", "it is a page: open it in a browser, which can save the trace of a report"},
};

Error NotATrace(std::string_view start) {
  const char* remedy = "neither a tape (pcapng) nor a cassette (JSON Lines) of midwire";
  if (start.empty()) remedy = "it is empty";
  for (const auto& container : kContainers) {
    if (start.starts_with(container.start)) remedy = container.remedy;
  }
  return {"not a trace", "", remedy};
}

}  // namespace

Result<std::unique_ptr<TraceReader>> OpenTrace(std::unique_ptr<Source> source) {
  std::string start(kStart, '\0');
  size_t size = 0;
  while (size < kStart) {
    Result<size_t> got = source->Read(start.data() + size, kStart - size);
    if (!got) return got.error();
    if (*got == 0) break;
    size += *got;
    // A source that is still being written must not be waited for longer than needed.
    if (std::string_view(start).starts_with(kSectionType)) break;
    if (std::string_view(start).starts_with(cassette::kMagic)) break;
  }
  start.resize(size);
  std::unique_ptr<TraceReader> reader;
  if (start.starts_with(kSectionType)) {
    reader = std::make_unique<TapeReader>(std::move(source), start);
  } else if (CassetteReader::Recognises(start, size < kStart)) {
    reader = std::make_unique<CassetteReader>(std::move(source), start);
  } else if (TapeReader::Recognises(start)) {
    reader = std::make_unique<TapeReader>(std::move(source), start);
  } else {
    return NotATrace(start);
  }
  return reader;
}

Result<std::unique_ptr<TraceReader>> OpenTrace(const std::string& path) {
  Result<std::unique_ptr<Source>> source = OpenSource(path);
  if (!source) return source.error();
  Result<std::unique_ptr<TraceReader>> reader = OpenTrace(std::move(*source));
  if (reader || !reader.error().where.empty()) return reader;
  Error error = reader.error();
  error.where = path == "-" ? "standard input" : path;
  return error;
}

}  // namespace midwire::trace
