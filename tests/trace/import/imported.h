// The test language of imports: a log in, and what becomes of it as lines: `host {...}`,
// `plugin {...}`, `stderr text`, each with its time if the log has times.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/trace/script.h"
#include "trace/import/conversation.h"
#include "trace/import/formats.h"
#include "trace/session.h"

namespace midwire::trace::import {

class LineMaker : public TraceWriter {
 public:
  explicit LineMaker(bool times) : times_(times) {}
  Status OnRecord(const Record& record) override {
    if (record.stream == Stream::kEvents) return Ok{};
    const char* const names[] = {"host ", "plugin ", "stderr "};
    std::string line = names[static_cast<int>(record.stream)];
    if (times_) line += "@" + std::to_string(record.time_ns / 1'000'000) + " ";
    line += record.body;
    if (!line.ends_with('\n')) line += '\n';
    text += line;
    return Ok{};
  }
  Status OnGap(const Damage&) override { return Ok{}; }
  Status OnSection() override { return Ok{}; }
  Status OnEnd() override { return Ok{}; }
  std::string text;

 private:
  bool times_;
};

// Times in milliseconds.
inline std::string LinesOf(const Conversation& conversation) {
  LineMaker maker(conversation.has_times());
  EXPECT_TRUE(conversation.Write("", wire::Framing::kLine, &maker));
  return maker.text;
}

struct ImportedLog {
  std::string format, lines;
  Conversation conversation;
};

inline ImportedLog ImportLog(std::string_view log) {
  ImportedLog imported;
  const Format* format = Detect(log);
  if (format == nullptr) return imported;
  imported.format = format->name;
  format->reads(log, &imported.conversation);
  imported.lines = LinesOf(imported.conversation);
  return imported;
}

}  // namespace midwire::trace::import
