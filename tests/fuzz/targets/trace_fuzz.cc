// Any bytes as a trace: neither reader may crash, hang or depend on how its source returns bytes,
// and the resulting records must survive tape -> cassette with times -> tape to the byte.
#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "tests/fuzz/require.h"
#include "trace/pcapng_format.h"
#include "trace/reader.h"
#include "trace/session.h"
#include "trace/tape_encoder.h"
#include "trace/writer.h"

namespace midwire::trace {
namespace {

class BytesSource : public Source {
 public:
  BytesSource(std::string_view bytes, size_t step) : bytes_(bytes), step_(step) {}
  Result<size_t> Read(char* to, size_t size) override {
    size_t take = std::min({size, step_, bytes_.size()});
    std::memcpy(to, bytes_.data(), take);
    bytes_.remove_prefix(take);
    return take;
  }

 private:
  std::string_view bytes_;
  size_t step_;
};

class TextSink : public Sink {
 public:
  Status Write(std::string_view bytes) override {
    text.append(bytes);
    return Ok{};
  }
  std::string text;
};

// Everything that a reader reports, as text that can be compared.
std::string ReadAll(TraceReader* reader, size_t size) {
  std::string told;
  Record record;
  for (;;) {
    Result<Step> step = reader->Next(&record);
    if (!step) return told + "error " + step.error().Text();
    if (*step == Step::kWait) break;
    if (*step == Step::kSection) told += "section\n";
    if (*step == Step::kDamage) {
      Require(reader->damage().offset + reader->damage().bytes <= size, "damage lies in the file");
      Require(reader->damage().bytes > 0, "damage has bytes");
    }
    if (*step != Step::kRecord) continue;
    Require(record.head.size() + record.body.size() <= kMaxSegment, "a segment fits its cap");
    told += std::string(Name(record.stream)) + ' ' + std::to_string(record.time_ns) + ' ' +
            std::to_string(static_cast<int>(record.hint)) + ' ' +
            std::to_string(record.head.size());
    told.append(" ").append(record.head).append(record.body).append("\n");
  }
  Require(reader->torn_bytes() + reader->damaged_bytes() <= size, "no more is lost than there was");
  return told + "damaged " + std::to_string(reader->damaged_bytes()) + " torn " +
         std::to_string(reader->torn_bytes());
}

bool Converted(std::string_view bytes, Format format, std::string* to) {
  auto reader = OpenTrace(std::make_unique<BytesSource>(bytes, SIZE_MAX));
  if (!reader) return false;
  TextSink sink;
  auto copied = Copy(reader->get(), MakeWriter(format, /*times=*/true, &sink).get());
  Require(copied.ok(), "a sink in memory takes all");
  *to = std::move(sink.text);
  return !copied->failure;
}

// Corrects the CRC32 of each record, so that the fuzzer gets past it.
void RepairCrcs(std::string* bytes) {
  auto load = [bytes](size_t at) {
    uint32_t value;
    std::memcpy(&value, bytes->data() + at, 4);
    return value;
  };
  for (size_t at = 0; bytes->size() - at >= 32;) {
    size_t length = load(at + 4);
    if (length < 32 || length > bytes->size() - at) return;
    size_t captured = load(at + 20), hash = at + 28 + pcapng::Padded(captured) + 8;
    if (load(at) == pcapng::kEnhancedPacket && captured < length && hash + 9 <= at + length) {
      uint32_t crc = libdeflate_crc32(0, bytes->data() + at + 28, captured);
      std::memcpy(bytes->data() + hash + 5, &crc, 4);
    }
    at += length;
  }
}

class NullHandler : public SessionHandler {
  void OnMessage(const RecordedMessage& recorded) override {
    Require(recorded.message != nullptr, "a message");
  }
};

void Try(std::string_view bytes, size_t step) {
  auto reader = OpenTrace(std::make_unique<BytesSource>(bytes, SIZE_MAX));
  if (!reader) return;
  auto slow = OpenTrace(std::make_unique<BytesSource>(bytes, step));
  Require(slow.ok(), "a trace is one however its bytes come");
  Require(ReadAll(reader->get(), bytes.size()) == ReadAll(slow->get(), bytes.size()),
          "what is read does not depend on how its bytes come");

  std::string tape, cassette, again;
  if (!Converted(bytes, Format::kTape, &tape)) return;
  Require(Converted(tape, Format::kCassette, &cassette), "a tape of ours opens");
  Require(Converted(cassette, Format::kTape, &again), "a cassette of ours opens");
  Require(again == tape, "tape to cassette with times to tape is the same tape");

  auto last = OpenTrace(std::make_unique<BytesSource>(tape, SIZE_MAX));
  NullHandler handler;
  Session session(&handler);
  Require(Play(last->get(), &session).ok(), "a tape of ours plays");
  Require((*last)->damaged_bytes() + (*last)->torn_bytes() == 0, "a tape of ours is whole");
}

}  // namespace
}  // namespace midwire::trace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string repaired(bytes);
  if (data[0] & 0x80) midwire::trace::RepairCrcs(&repaired);
  midwire::trace::Try(repaired, 1 + data[0] % 64);
  return 0;
}
