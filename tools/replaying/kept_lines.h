// Between the writer of a cassette and its new file. A line that says what the old file's line says
// stays as the user wrote it. So do comments, blank lines and lines that cannot be read. Called by
// Update, which knows how far the old file was read. Never changes what a message says.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "trace/cassette_line.h"
#include "trace/source.h"
#include "wire/outcome/sink.h"

namespace midwire::tools {

class KeptLines : public Sink {
 public:
  // `old`: the file from its start. `to` must outlive this.
  KeptLines(std::unique_ptr<trace::Source> old, Sink* to) : old_(std::move(old)), to_(to) {}

  // What is written from now on comes from lines up to this one of the old file, from 1.
  Status Reach(uint64_t line);
  // Whether what is written next is additional: it takes the place of no line.
  void SetAdditional(bool additional) { additional_ = additional; }
  // The lines that were reached and not written are gone, except for those of the user.
  Status Pass();
  // One line of the writer.
  Status Write(std::string_view line) override;
  // The user's lines at the end of the old file.
  Status Finish();

 private:
  struct Line {
    std::string text;    // with its end
    bool users = false;  // nothing that the format knows
  };

  Result<bool> ReadLine();  // false: there is none
  Status PutUsers(size_t count);
  Status PutText(std::string_view text);

  std::unique_ptr<trace::Source> old_;
  Sink* to_;
  std::string buffer_;      // read, and not yet a line
  std::deque<Line> lines_;  // of the old file, not yet written
  uint64_t number_ = 0;     // of the last line in lines_
  uint64_t reached_ = 0;
  bool old_ended_ = false;
  bool in_long_line_ = false;
  bool additional_ = false;
  bool same_start_ = true;  // of the section: its header has the old time
  bool mid_line_ = false;   // what was written has no line end yet
};

}  // namespace midwire::tools
