// One session in both formats, written and read by the same test. MIDWIRE_REWRITE_GOLDEN=1 rewrites
// the files; do that for a format version that is not released yet, and never for one that is: a
// new version gets a new pair, and the old pair stays readable.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/paths.h"
#include "tests/trace/script.h"

namespace midwire::trace {
namespace {

std::string Path(const char* name) { return SourceFolder() + "/tests/golden/" + name; }

std::vector<Rec> GoldenSession() {
  std::vector<Rec> recs = SmallSession();
  int64_t t = recs[4].time_ns;
  auto line = [&](std::string body) { return Host(std::move(body), t += 1000); };
  std::vector<Rec> more = {
      line("{\"id\":2,\"method\":\"split\","),
      line("\"params\":[1.0,9007199254740993]}\r\n{\"id\":3,\"method\":\"shared\"}\n"),
      Log("half of \xC3", t += 1000),
      Framed(Stream::kPluginToHost, "{\"id\":2,\"result\":\"\xED\xA0\x80\"}", t += 1000),
      {Stream::kPluginToHost, "Content-Type: x\r\nContent-Length: 4\r\n\r\n", "[\r\n]", t += 1000},
      Banner("[INFO] ready\n", t += 1000),
      Happened(SignalEvent{15}, t += 1000),
      Happened(NoteEvent{"a note"}, t += 1000),
      line("{\"method\":\"last\"}"),
  };
  recs.insert(recs.begin() + 5, more.begin(), more.end());
  return recs;
}

// Without the section header, which holds the version of midwire that wrote it.
std::string AfterSection(const std::string& tape) {
  uint32_t length = 0;
  if (tape.size() >= 8) std::memcpy(&length, tape.data() + 4, 4);
  return tape.substr(std::min<size_t>(length, tape.size()));
}

void Rewrite(const char* name, const std::string& bytes) {
  std::ofstream(Path(name), std::ios::binary) << bytes;
}

class GoldenTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("MIDWIRE_REWRITE_GOLDEN") != nullptr) {
      std::string made = Tape(GoldenSession());
      Rewrite("basic.pcapng", made);
      Rewrite("basic.jsonl", ToCassette(made));
      Rewrite("basic-times.jsonl", ToCassette(made, true));
    }
    tape = ReadFile(Path("basic.pcapng"));
    cassette = ReadFile(Path("basic.jsonl"));
    timed = ReadFile(Path("basic-times.jsonl"));
  }
  std::string tape, cassette, timed;
};

TEST_F(GoldenTest, IsRead) {
  EXPECT_EQ(Read(tape).recs, GoldenSession());
  EXPECT_EQ(Read(timed).recs, GoldenSession());
  for (int stream = 0; stream < kStreams; ++stream) {
    Stream which = static_cast<Stream>(stream);
    EXPECT_EQ(Read(cassette).Bytes(which), Read(tape).Bytes(which));
  }
}

TEST_F(GoldenTest, IsWritten) {
  EXPECT_EQ(AfterSection(Tape(GoldenSession())), AfterSection(tape));
  EXPECT_EQ(ToCassette(tape), cassette);
  EXPECT_EQ(ToCassette(tape, true), timed);
  EXPECT_EQ(AfterSection(ToTape(timed)), AfterSection(tape));
}

// The hex dump of doc/trace-format.md: eight digits, two blanks, bytes.
TEST(WorkedExampleTest, IsATapeOfOneRecord) {
  std::ifstream doc(SourceFolder() + "/doc/trace-format.md");
  std::string bytes;
  for (std::string line; std::getline(doc, line);) {
    char expected[16];
    std::snprintf(expected, sizeof expected, "    %08zx  ", bytes.size());
    if (!line.starts_with(expected)) continue;
    for (size_t at = 14; at + 1 < line.size(); at += 3) {
      bytes.push_back(static_cast<char>(std::stoi(line.substr(at, 2), nullptr, 16)));
    }
  }
  Rec answer = Framed(Stream::kPluginToHost, R"({"id":1,"result":{}})", SmallSession()[0].time_ns);
  EXPECT_EQ(Read(bytes).recs, std::vector({answer}));
  EXPECT_EQ(AfterSection(bytes), AfterSection(Tape({answer})));
}

}  // namespace
}  // namespace midwire::trace
