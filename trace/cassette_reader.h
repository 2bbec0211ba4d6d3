// Reads a cassette line by line as records, like those of a tape. Created by OpenTrace. A line that
// cannot be read is reported as damage with its size, and reading continues with the next one.
// Never holds more than one line. Lines are counted: a person finds a message by its line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/cassette_line.h"
#include "trace/reader.h"

namespace midwire::trace {

class CassetteReader : public TraceReader {
 public:
  // `start`: what was already read from the source.
  CassetteReader(std::unique_ptr<Source> source, std::string_view start);

  Result<Step> Next(Record* record) override;
  const Damage& damage() const override { return damage_; }
  uint64_t torn_bytes() const override { return torn_bytes_; }
  uint64_t damaged_bytes() const override { return damaged_bytes_; }

  // Whether `start` is the start of a cassette or holds lines of one. A last line without a line
  // end counts only if nothing follows.
  static bool Recognises(std::string_view start, bool ended);

 private:
  Result<bool> FindLine(std::string_view* line);  // false: nothing more for now
  Result<bool> Fill();
  void Consume(size_t size, bool ends_line);
  Step Report(uint64_t offset, uint64_t bytes, std::string reason);
  Result<bool> OnLine(std::string_view text, size_t bytes, Step* step);
  void OnItem();
  void ReleaseHeld();
  bool HandOut(Record* record);

  std::string_view pending() const {
    return std::string_view(buffer_).substr(begin_, end_ - begin_);
  }

  std::unique_ptr<Source> source_;
  std::string buffer_;  // begin_ to end_ is not yet read
  size_t begin_ = 0, end_ = 0;
  size_t searched_ = 0;  // how much of that holds no line end
  uint64_t offset_ = 0;  // of begin_ in the file
  uint64_t number_ = 1;  // of the line there
  CassetteClock clock_;
  bool anything_seen_ = false;
  bool skipping_ = false;  // a line that is too long

  CassetteLine line_;
  size_t segment_ = 0;  // the next of line_.segments to return
  size_t at_ = 0;       // where its bytes begin
  // The lines of the first segment, which lines before may have begun, and of all others.
  std::vector<LinePlace> first_lines_;
  LinePlace other_line_;
  // A record whose rest is in the next line of its stream.
  CassetteSegment held_;
  std::string held_bytes_;
  std::vector<LinePlace> held_lines_;

  Damage damage_;
  uint64_t torn_bytes_ = 0;
  uint64_t damaged_bytes_ = 0;
};

}  // namespace midwire::trace
