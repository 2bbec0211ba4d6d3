// TryDecoder finds each kind of planted bug, and nothing in decoders without one.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness/adapt.h"
#include "fuzz/harness/memory.h"
#include "fuzz/harness/report.h"
#include "fuzz/harness/state.h"
#include "tests/files.h"
#include "trace/reader.h"

namespace midwire::fuzz {
namespace {

// Lines, however they are cut.
struct GoodLines {
  std::string held;
  void feed(std::string_view bytes, const Emit& emit) {
    held += bytes;
    for (size_t end; (end = held.find('\n')) != held.npos; held.erase(0, end + 1)) {
      emit(std::string_view(held).substr(0, end));
    }
  }
  void finish(const Emit& emit) {
    if (!held.empty()) emit(held);
  }
};

// Header blocks; what names no length is skipped, a line at a time.
struct GoodBlocks {
  std::string held;
  void Feed(std::string_view bytes, const Emit& emit) {
    held += bytes;
    for (;;) {
      const size_t end = held.find('\n');
      if (end == held.npos) return;
      size_t length = 0;
      const bool named = std::string_view(held).starts_with("Content-Length: ");
      if (named) length = std::strtoul(held.c_str() + 16, nullptr, 10);
      if (!named || length > 100000 || end < 17) {
        held.erase(0, end + 1);
        continue;
      }
      if (held.size() < end + 3) return;
      const size_t body = end + 3;  // behind the empty line
      if (held.size() < body + length) return;
      emit(std::string_view(held).substr(body, length));
      held.erase(0, body + length);
    }
  }
};

// Emits what one read has brought.
struct ReadIsFrame {
  void feed(std::string_view bytes, const Emit& emit) { emit(bytes); }
};

// Loses a line end that comes at the start of a read.
struct LosesLineEnd : GoodLines {
  void feed(std::string_view bytes, const Emit& emit) {
    if (!bytes.empty() && bytes[0] == '\n' && !held.empty()) bytes.remove_prefix(1);
    GoodLines::feed(bytes, emit);
  }
};

// Keeps a view of bytes that are not its own.
struct KeepsView {
  std::string_view first;
  std::string rest;
  void feed(std::string_view bytes, const Emit&) {
    if (first.empty()) {
      first = bytes;
    } else {
      rest += bytes;
    }
  }
  void finish(const Emit& emit) { emit(std::string(first) + rest); }
};

// Believes a length before the bytes are there.
struct BelievesLength {
  std::string held, body;
  void feed(std::string_view bytes, const Emit&) {
    held += bytes;
    if (!held.starts_with("Content-Length: ") || held.find("\r\n\r\n") == held.npos) return;
    body.reserve(std::strtoul(held.c_str() + 16, nullptr, 10));
  }
};

// One bad line, and it is over.
struct GivesUp : GoodLines {
  bool over = false;
  void feed(std::string_view bytes, const Emit& emit) {
    GoodLines::feed(bytes, [&](std::string_view line) {
      over = over || line.empty() || line[0] != '{';
      if (!over) emit(line);
    });
  }
};

// Fails where the last piece is longer than a byte, but not the whole.
struct NeedsTwo {
  int reads = 0;
  void feed(std::string_view bytes, const Emit& emit) {
    if (++reads > 1 && bytes.size() > 1) emit("odd");
  }
};

GoodLines MakeLines() { return {}; }

constexpr std::string_view kStream = "{\"a\":1}\n{\"b\":2}\n\n{\"c\":3}";
constexpr std::string_view kBlocks = "Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]";

template <class Decoder>
void DecodeWith(std::string_view input, const DecoderOptions& options = {}) {
  TryDecoder(input, &MakeDecoder<Decoder>, options);
}

TEST(HarnessDecoder, GoodOnesPass) {
  DecodeWith<GoodLines>(kStream, {.resynchronises = "line"});
  DecodeWith<GoodLines>("", {.resynchronises = "line"});
  DecodeWith<GoodBlocks>(kBlocks, {.resynchronises = "content-length"});
  DecodeWith<GoodBlocks>("junk\r\n\r\nContent-Length: 40\r\n\r\n{",
                         {.resynchronises = "content-length"});
  TryDecoder(kStream, &MakeDecoder<MakeLines>, {});
}

TEST(HarnessDecoderDeathTest, FramesThatDependOnReads) {
  EXPECT_DEATH(DecodeWith<ReadIsFrame>(kStream), "broken: chunking: .*byte by byte");
  EXPECT_DEATH(DecodeWith<LosesLineEnd>(kStream), "broken: chunking");
}

TEST(HarnessDecoderDeathTest, AViewOfBytesThatAreGone) {
  EXPECT_DEATH(DecodeWith<KeepsView>("some bytes that are fed in pieces"),
               "broken: chunking|AddressSan");
}

TEST(HarnessDecoderDeathTest, MemoryForALengthThatIsOnlyClaimed) {
  EXPECT_DEATH(DecodeWith<BelievesLength>("Content-Length: 90000000\r\n\r\n{"),
               "broken: memory: it takes [0-9]+ bytes for an input of 29");
  DecodeWith<BelievesLength>("Content-Length: 9000\r\n\r\n{");
  DecodeWith<BelievesLength>("Content-Length: 90000000\r\n\r\n{", {.memory_constant = 100u << 20});
}

TEST(HarnessDecoderDeathTest, NeverResynchronises) {
  DecodeWith<GivesUp>("[INFO] ready\n{}\n");
  EXPECT_DEATH(DecodeWith<GivesUp>("[INFO] ready\n{}\n", {.resynchronises = "line"}),
               "broken: resynchronises");
}

TEST(HarnessDecoderDeathTest, TheReportHasThePiecesAndWhatWasExpected) {
  EXPECT_DEATH(DecodeWith<ReadIsFrame>("ab"),
               "expected +ab\n +emitted +a\n"
               " +fed +2 bytes, one by one\n +input +ab\n");
  EXPECT_DEATH(DecodeWith<NeedsTwo>("a longer input"), "fed +14 bytes, in pieces of [0-9]+, ");
}

TEST(HarnessDecoderDeathTest, ChecksAreSwitched) {
  DecodeWith<ReadIsFrame>(kStream, {.oracles = "-chunking"});
  DecodeWith<GivesUp>("[INFO]\n", {.resynchronises = "line", .oracles = "chunking,memory"});
  DecodeWith<BelievesLength>("Content-Length: 90000000\r\n\r\n{", {.oracles = "none"});
  EXPECT_EXIT(DecodeWith<GoodLines>("", {.oracles = "-cunking"}), testing::ExitedWithCode(2),
              "no such check: \"-cunking\".*chunking, memory");
}

// Runs to its end, and prints how many failures there were.
void GoOnDecoding(const std::string& artifacts) {
  setenv("MIDWIRE_KEEP_GOING", "1", 1);
  StateOfHarness().artifacts = artifacts;
  for (const std::string_view input : {"one", "two"}) DecodeWith<ReadIsFrame>(input);
  DecodeWith<GivesUp>("[INFO]\n", {.resynchronises = "line"});
  std::fprintf(stderr, "in all %zu", FailuresCounted());
  std::exit(0);
}

TEST(HarnessDecoderDeathTest, OneNoisyCheckDoesNotEndTheRun) {
  const auto chunking_once = testing::Truly([](const std::string& err) {
    const size_t first = err.find("broken: chunking");
    return first != err.npos && err.find("broken: chunking", first + 1) == err.npos;
  });
  EXPECT_EXIT(GoOnDecoding("/dev/null/"), testing::ExitedWithCode(0),
              testing::AllOf(chunking_once, testing::HasSubstr("broken: resynchronises"),
                             testing::HasSubstr("in all 5")));
}

TEST(HarnessDecoderDeathTest, AFailureBecomesACassette) {
  const TemporaryFolder folder;
  EXPECT_EXIT(GoOnDecoding(folder.path() + "/"), testing::ExitedWithCode(0), "cassette");
  size_t cassettes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().extension() != ".jsonl") continue;
    ++cassettes;
    EXPECT_TRUE(trace::OpenTrace(entry.path().string()));
  }
  EXPECT_EQ(cassettes, 2u);
}

TEST(HarnessMemory, WhatIsGivenBackDoesNotCount) {
  const MemoryWatch watch("", 100'000);
  for (int i = 0; i < 1000; ++i) std::string(50'000, 'x').swap(*std::make_unique<std::string>());
  const MemoryWatch::Pause pause;
  const std::string large(1'000'000, 'x');
}

}  // namespace
}  // namespace midwire::fuzz
