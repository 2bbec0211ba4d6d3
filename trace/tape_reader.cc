#include "trace/tape_reader.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace midwire::trace {
namespace {

using namespace pcapng;

// Holds the longest block, and makes the cost of read(2) small compared with its bytes.
constexpr size_t kBuffer = kMaxBlock;

enum class Verdict : uint8_t { kYes, kNo, kLater };

// Whether a block that continues a tape could begin here: a section header, or a record whose CRC32
// matches. Garbage does not look like either by chance.
Verdict Judge(std::string_view bytes, ByteOrder order) {
  if (bytes.size() < kBlockOverhead) return Verdict::kLater;
  BlockShape shape = ShapeOf(bytes, &order);
  if (shape.state == BlockShape::State::kBroken || shape.length > kMaxRecordBlock) {
    return Verdict::kNo;
  }
  if (shape.state == BlockShape::State::kUnfinished) return Verdict::kLater;
  if (shape.type == kSectionHeader) return Verdict::kYes;
  Record record;
  bool verified = false;
  const char* reason = ParsePacket(bytes.substr(0, shape.length), order, {}, &record, &verified);
  return reason == nullptr && verified ? Verdict::kYes : Verdict::kNo;
}

// Where, from `at` on, a section header or a packet block could begin, by its type, which may be
// cut off by the end. bytes.size(): nowhere.
size_t NextCandidate(std::string_view bytes, size_t at, ByteOrder order) {
  bool little = order.Load16("\x01\0") == 1;
  std::string_view packet =
      little ? std::string_view("\6\0\0\0", 4) : std::string_view("\0\0\0\6", 4);
  constexpr std::string_view kSection("\n\r\r\n", 4);
  for (; at < bytes.size(); ++at) {
    if (bytes[at] != packet[0] && bytes[at] != kSection[0]) continue;
    std::string_view type = bytes.substr(at, 4);
    if (type == packet.substr(0, type.size()) || type == kSection.substr(0, type.size())) break;
  }
  return at;
}

// The first plausible, whole block after the start of `bytes`.
std::optional<size_t> FindPlausible(std::string_view bytes, ByteOrder order) {
  for (size_t at = NextCandidate(bytes, 1, order); at < bytes.size();
       at = NextCandidate(bytes, at + 1, order)) {
    if (Judge(bytes.substr(at), order) == Verdict::kYes) return at;
  }
  return std::nullopt;
}

bool IsZero(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

}  // namespace

TapeReader::TapeReader(std::unique_ptr<Source> source, std::string_view start)
    : source_(std::move(source)), buffer_(new char[kBuffer]), end_(start.size()) {
  std::memcpy(buffer_.get(), start.data(), start.size());
}

bool TapeReader::Recognises(std::string_view bytes) {
  return Judge(bytes, ByteOrder()) == Verdict::kYes ||
         FindPlausible(bytes, ByteOrder()).has_value();
}

uint64_t TapeReader::torn_bytes() const {
  return (lost_ ? offset_ - lost_at_ : 0) + (end_ - begin_);
}

Result<bool> TapeReader::Fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  Result<size_t> got = source_->Read(buffer_.get() + end_, kBuffer - end_);
  if (!got) return got.error();
  end_ += *got;
  return *got > 0;
}

Step TapeReader::Report(uint64_t offset, uint64_t bytes, const char* reason) {
  damage_ = {offset, bytes, reason};
  damaged_bytes_ += bytes;
  return Step::kDamage;
}

Step TapeReader::Skip(size_t size, const char* reason) {
  uint64_t at = offset_;
  Consume(size);
  return Report(at, size, reason);
}

void TapeReader::Lose(const char* reason) {
  lost_ = true;
  lost_at_ = offset_;
  lost_reason_ = reason;
  all_zero_ = true;
}

void TapeReader::Pass(size_t size) {
  all_zero_ = all_zero_ && IsZero(pending().substr(0, size));
  Consume(size);
}

Result<bool> TapeReader::Resynchronise(Step* step) {
  for (;;) {
    size_t at = NextCandidate(pending(), 0, order_);
    Verdict verdict = Verdict::kNo;
    while (at < pending().size()) {
      verdict = Judge(pending().substr(at), order_);
      if (verdict != Verdict::kNo) break;
      at = NextCandidate(pending(), at + 1, order_);
    }
    Pass(at);
    if (verdict != Verdict::kYes) {
      Result<bool> more = Fill();
      if (!more) return more.error();
      if (*more) continue;
      // No more input: a block that claims more than the rest may contain whole blocks.
      if (std::optional<size_t> later = FindPlausible(pending(), order_)) {
        Pass(*later);
        verdict = Verdict::kYes;
      }
    }
    bool found = verdict == Verdict::kYes;
    bool torn = !found && all_zero_;
    uint64_t from = std::exchange(lost_at_, torn ? lost_at_ : offset_);
    lost_ = !found;
    if (!torn && offset_ > from) {
      all_zero_ = true;
      *step = Report(from, offset_ - from, lost_reason_);
      return true;
    }
    *step = Step::kWait;
    return !found;
  }
}

bool TapeReader::StepOver(const BlockShape& shape, Record* record, Step* step) {
  std::string_view block = pending().substr(0, shape.length);
  bool verified = false;
  const char* reason = nullptr;
  switch (shape.type) {
    case kEnhancedPacket:
      reason = ParsePacket(block, order_, interfaces_, record, &verified);
      section_seen_ = true;
      *step = Step::kRecord;
      break;
    case kSectionHeader:
      if (order_.Load16(block.data() + 12) != 1) reason = "a section of an unknown pcapng version";
      interfaces_.clear();
      *step = Step::kSection;
      break;
    case kInterface:
      reason = interfaces_.size() < kMaxInterfaces
                   ? ParseInterface(block, order_, &interfaces_.emplace_back())
                   : "more than 256 interfaces in a section";
      break;
    default:
      // Blocks that other programs add are skipped; a record under a wrong type is damage.
      ParsePacket(block, order_, interfaces_, record, &verified);
      if (verified) reason = "a record under the type of another block";
      if (!section_seen_) reason = "a block where the section header should be";
  }
  if (reason != nullptr) {
    *step = Skip(shape.length, reason);
    return true;
  }
  Consume(shape.length);
  if (shape.type == kSectionHeader) return std::exchange(section_seen_, true);
  return shape.type == kEnhancedPacket;
}

Result<Step> TapeReader::Next(Record* record) {
  Step step;
  for (;;) {
    if (lost_) {
      Result<bool> reports = Resynchronise(&step);
      if (!reports) return reports.error();
      if (*reports) return step;
    }
    BlockShape shape = ShapeOf(pending(), &order_);
    if (shape.state == BlockShape::State::kWhole) {
      if (StepOver(shape, record, &step)) return step;
    } else if (shape.state == BlockShape::State::kBroken) {
      Lose(shape.reason);
    } else {
      Result<bool> more = Fill();
      if (!more) return more.error();
      if (*more) continue;
      // An unfinished block at the end means that the writer was killed, unless whole blocks follow
      // its start.
      if (!FindPlausible(pending(), order_)) return Step::kWait;
      Lose("a block whose length exceeds the tape");
    }
  }
}

}  // namespace midwire::trace
