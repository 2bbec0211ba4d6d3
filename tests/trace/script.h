// The test language of traces: make a session of records, write it as a tape or a cassette in
// memory, read any bytes back as plain data, and compare.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/files.h"
#include "trace/reader.h"
#include "trace/tape_encoder.h"
#include "trace/writer.h"

namespace midwire::trace {

// A record that owns its bytes.
struct Rec {
  Stream stream = Stream::kHostToPlugin;
  std::string head, body;
  int64_t time_ns = 0;
  Hint hint = Hint::kJson;

  Record record() const {
    return {.stream = stream, .hint = hint, .time_ns = time_ns, .head = head, .body = body};
  }
  bool operator==(const Rec& other) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Rec& rec) {
  return out << Name(rec.stream) << " @" << rec.time_ns
             << (rec.hint == Hint::kJson ? " json " : " text ") << "head "
             << testing::PrintToString(rec.head) << " body " << testing::PrintToString(rec.body);
}

inline Rec Host(std::string body, int64_t time = 0) {
  return {Stream::kHostToPlugin, "", std::move(body), time};
}
inline Rec Plugin(std::string body, int64_t time = 0) {
  return {Stream::kPluginToHost, "", std::move(body), time};
}
inline Rec Framed(Stream stream, std::string body, int64_t time = 0) {
  return {stream, "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n", body, time};
}
inline Rec Banner(std::string text, int64_t time = 0) {
  return {Stream::kPluginToHost, "", std::move(text), time, Hint::kText};
}
inline Rec Log(std::string text, int64_t time = 0) {
  return {Stream::kStderr, "", std::move(text), time, Hint::kText};
}
inline Rec Happened(const Event& event, int64_t time = 0) {
  return {Stream::kEvents, "", ToJson(event), time};
}

// A small session with everything in it. Times are absolute, in nanoseconds.
inline std::vector<Rec> SmallSession() {
  int64_t t = 1'763'722'800'000'000'000;
  SpawnEvent spawn;
  spawn.argv = {"my-plugin", "--flag", "\xFFname"};
  spawn.cwd = "/home/ada";
  spawn.pid = 4242;
  spawn.version = "0.1.0";
  return {Happened(spawn, t),
          Banner("my-plugin 3 starting\n", t + 1'000'000),
          Host(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"name":"é"}})"
               "\n",
               t + 2'000'000),
          Log("warning: no config\n", t + 2'500'000),
          Framed(Stream::kPluginToHost, R"({"jsonrpc":"2.0","id":1,"result":{}})", t + 3'000'000),
          Happened(EofEvent{"host-to-plugin"}, t + 4'000'000),
          Happened(ExitStatus{.code = 0}, t + 5'000'000),
          Happened(EndEvent{}, t + 5'000'001)};
}

// Returns bytes, at most `step` per read.
class StringSource : public Source {
 public:
  explicit StringSource(std::string bytes, size_t step = SIZE_MAX)
      : bytes_(std::move(bytes)), step_(step) {}
  Result<size_t> Read(char* to, size_t size) override {
    size_t take = std::min({size, step_, bytes_.size() - at_});
    std::memcpy(to, bytes_.data() + at_, take);
    at_ += take;
    return take;
  }

 private:
  std::string bytes_;
  size_t step_, at_ = 0;
};

class StringSink : public Sink {
 public:
  Status Write(std::string_view bytes) override {
    text.append(bytes);
    return Ok{};
  }
  std::string text;
};

inline std::string Tape(const std::vector<Rec>& recs) {
  std::string bytes;
  AppendTapeStart(&bytes);
  for (const Rec& rec : recs) AppendRecord(rec.record(), &bytes);
  return bytes;
}

// What a reader returned for some bytes.
struct ReadBack {
  std::vector<Rec> recs;
  std::vector<Damage> damages;
  std::vector<size_t> sections;  // how many records preceded each
  uint64_t torn = 0, damaged = 0;
  std::string error;

  std::string Bytes(Stream stream) const {
    std::string bytes;
    for (const Rec& rec : recs) {
      if (rec.stream == stream) bytes += rec.head + rec.body;
    }
    return bytes;
  }
  std::string Reasons() const {
    std::string text;
    for (const Damage& damage : damages) {
      text += std::to_string(damage.offset) + "+" + std::to_string(damage.bytes) + " " +
              damage.reason + "\n";
    }
    return text;
  }
};

inline ReadBack ReadAll(TraceReader* reader) {
  ReadBack back;
  Record record;
  for (;;) {
    Result<Step> step = reader->Next(&record);
    if (!step) back.error = step.error().Text();
    if (!step || *step == Step::kWait) break;
    if (*step == Step::kSection) back.sections.push_back(back.recs.size());
    if (*step == Step::kDamage) back.damages.push_back(reader->damage());
    if (*step != Step::kRecord) continue;
    back.recs.push_back({record.stream, std::string(record.head), std::string(record.body),
                         record.time_ns, record.hint});
  }
  back.torn = reader->torn_bytes();
  back.damaged = reader->damaged_bytes();
  uint64_t sum = 0;
  for (const Damage& damage : back.damages) sum += damage.bytes;
  EXPECT_EQ(sum, back.damaged);
  return back;
}

inline ReadBack Read(std::string bytes, size_t step = SIZE_MAX) {
  auto reader = OpenTrace(std::make_unique<StringSource>(std::move(bytes), step));
  if (reader) return ReadAll(reader->get());
  ReadBack back;
  back.error = reader.error().Text();
  return back;
}

inline std::string Converted(std::string bytes, Format format, bool times) {
  auto reader = OpenTrace(std::make_unique<StringSource>(std::move(bytes)));
  if (!reader) {
    ADD_FAILURE() << "cannot open: " << reader.error().Text();
    return "";
  }
  StringSink sink;
  std::unique_ptr<TraceWriter> writer = MakeWriter(format, times, &sink);
  Result<CopyOutcome> copied = Copy(reader->get(), writer.get());
  EXPECT_TRUE(copied) << "cannot copy: " << copied.error().Text();
  return sink.text;
}
inline std::string ToCassette(std::string bytes, bool times = false) {
  return Converted(std::move(bytes), Format::kCassette, times);
}
inline std::string ToTape(std::string bytes) {
  return Converted(std::move(bytes), Format::kTape, true);
}

// Sessions of an undisciplined peer, the same for the same seed.
inline std::vector<Rec> RandomSession(unsigned seed) {
  std::mt19937 random(seed);
  auto pick = [&random](auto... choices) {
    std::string all[] = {std::string(choices)...};
    return all[random() % std::size(all)];
  };
  std::vector<Rec> recs;
  int64_t time = static_cast<int64_t>(random()) * 1'000'000'000;
  std::string waiting[2];
  bool framed[2] = {random() % 2 == 0, random() % 2 == 0};
  for (int i = 0, n = 1 + random() % 40; i < n; ++i) {
    time += random() % 1'000'000;
    switch (random() % 8) {
      case 0:
        recs.push_back(Log(pick("log\n", "", "\xC3", "two\nlines\n", "\xA9 \x1B[2J"), time));
        break;
      case 1:
        recs.push_back(Happened(NoteEvent{pick("note", "\"quoted\"", "\xE2\x80\xAE")}, time));
        break;
      default: {
        int side = random() % 2;
        std::string body =
            pick(R"({"id":1,"method":"a"})", R"({"id":1, "result":[1.0,"\ud800"]})", "[]", "[{}]",
                 " {\"c\":1}", "\t\r[1]", "\xEF\xBB\xBF{}", "{\"a\":\"\xFF\"}", "{\"a\":1",
                 R"({"b":"é"} )", "banner", "", R"({"a":1}{"b":2})", std::string("{\"a\":\0}", 7));
        if (random() % 50 == 0)
          body = "{\"long\":\"" + std::string(random() % 200'000, 'x') + "\"}";
        std::string& bytes = waiting[side];
        bytes += framed[side] ? "Content-Length: " + std::to_string(body.size()) +
                                    pick("\r\n\r\n", "\r\n\r\n", "\n\n", "\r\nX: y\r\n\r\n") + body
                              : body + pick("\n", "\n", "\r\n", "\n\n");
      }
    }
    for (int side = 0; side < 2; ++side) {
      while (!waiting[side].empty() && random() % 4 != 0) {
        size_t size = std::min<size_t>(
            {waiting[side].size(), kMaxSegment, random() % 3 ? 1 + random() % 60 : kMaxSegment});
        size_t head = random() % 3 == 0 ? random() % (size + 1) : 0;
        recs.push_back({static_cast<Stream>(side), waiting[side].substr(0, head),
                        waiting[side].substr(head, size - head), time,
                        random() % 4 ? Hint::kJson : Hint::kText});
        waiting[side].erase(0, size);
      }
    }
    if (random() % 20 == 0) recs.push_back(Plugin("", time));
  }
  return recs;
}

}  // namespace midwire::trace
