// Reads a tape block by block from one buffer, in place. On damage it skips to the next plausible
// block. Created by OpenTrace. Never holds more than the buffer, even if a block claims to be
// longer.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "trace/reader.h"
#include "trace/tape_block.h"

namespace midwire::trace {

class TapeReader : public TraceReader {
 public:
  // `start`: what was already read from the source.
  TapeReader(std::unique_ptr<Source> source, std::string_view start);

  Result<Step> Next(Record* record) override;
  const Damage& damage() const override { return damage_; }
  uint64_t torn_bytes() const override;
  uint64_t damaged_bytes() const override { return damaged_bytes_; }

  // Whether a plausible block is anywhere in `bytes`: a tape whose start was lost.
  static bool Recognises(std::string_view bytes);

 private:
  std::string_view pending() const { return {buffer_.get() + begin_, end_ - begin_}; }
  void Consume(size_t size) { begin_ += size, offset_ += size; }
  Result<bool> Fill();  // false: nothing more for now
  Step Skip(size_t size, const char* reason);
  void Lose(const char* reason);  // starts the search for the next plausible block
  void Pass(size_t size);         // consumes while skipping
  // True: report *step. False: a block was found and nothing was skipped.
  Result<bool> Resynchronise(Step* step);
  bool StepOver(const BlockShape& shape, Record* record, Step* step);
  Step Report(uint64_t offset, uint64_t bytes, const char* reason);

  std::unique_ptr<Source> source_;
  std::unique_ptr<char[]> buffer_;
  size_t begin_ = 0, end_ = 0;
  uint64_t offset_ = 0;  // of begin_ in the file
  ByteOrder order_;
  std::vector<TapeInterface> interfaces_;
  bool section_seen_ = false;

  bool lost_ = false;  // searching for a block; what was skipped is not yet reported
  uint64_t lost_at_ = 0;
  bool all_zero_ = true;
  const char* lost_reason_ = "";

  Damage damage_;
  uint64_t damaged_bytes_ = 0;
};

}  // namespace midwire::trace
