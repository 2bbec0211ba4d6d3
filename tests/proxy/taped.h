// What a tape holds, for tests: the bytes of each stream and the events, read with the reader that
// every command uses.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trace/event.h"
#include "trace/reader.h"

namespace midwire::proxy {

struct Taped {
  std::string bytes[3];  // by trace::Stream
  std::vector<trace::Event> events;
  std::vector<std::string> segments;  // host-to-plugin and plugin-to-host, in order
  uint64_t damaged = 0, torn = 0;
  bool readable = false;

  const std::string& from_host() const { return bytes[0]; }
  const std::string& from_plugin() const { return bytes[1]; }
  const std::string& errors() const { return bytes[2]; }
  template <typename T>
  std::vector<T> All() const {
    std::vector<T> found;
    for (const trace::Event& event : events) {
      if (const T* one = std::get_if<T>(&event)) found.push_back(*one);
    }
    return found;
  }
};

inline Taped ReadTape(const std::string& path) {
  Taped taped;
  auto reader = trace::OpenTrace(path);
  if (!reader) {
    ADD_FAILURE() << reader.error().Text();
    return taped;
  }
  for (;;) {
    trace::Record record;
    const auto step = (*reader)->Next(&record);
    EXPECT_TRUE(step) << step.error().Text();
    if (!step || *step == trace::Step::kWait) break;
    if (*step != trace::Step::kRecord) continue;
    const std::string text = std::string(record.head) + std::string(record.body);
    if (record.stream == trace::Stream::kEvents) {
      const auto event = trace::ParseEvent(text);
      EXPECT_TRUE(event) << text;
      if (event) taped.events.push_back(*event);
    } else {
      taped.bytes[static_cast<int>(record.stream)] += text;
      if (record.stream != trace::Stream::kStderr) taped.segments.push_back(text);
    }
  }
  taped.torn = (*reader)->torn_bytes();
  taped.damaged = (*reader)->damaged_bytes();
  taped.readable = true;
  return taped;
}

}  // namespace midwire::proxy
