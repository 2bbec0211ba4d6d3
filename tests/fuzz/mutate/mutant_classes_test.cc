// Each class of bug that framers, dispatchers and sessions were seen to have can be met by a mutant
// of a natural session: a row a class, and how to see in the bytes that it would be met. Where a
// class is about how a peer reads (chunks, buffers, an end), the row says what must be there for
// it.
#include <algorithm>
#include <cctype>
#include <functional>

#include "tests/fuzz/mutate/mutants.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

constexpr uint64_t kMostSeeds = 40'000;
// A pipe's and most libraries' buffers: longer ones take several reads.
constexpr size_t kBuffer = 16 * 1024, kBlock = 4096;

// A mutant, with what the rows ask.
struct Mutant {
  std::string bytes;
  Read read;

  explicit Mutant(std::string all, Framing framing) : bytes(std::move(all)), read(bytes, framing) {}
  bool has(std::string_view text) const { return bytes.find(text) != bytes.npos; }
  const auto& frames() const { return read.frames; }
  // A frame of which that is true.
  bool any(const std::function<bool(const Read::Frame&)>& is) const {
    return std::any_of(frames().begin(), frames().end(), is);
  }
  bool id(const std::function<bool(const wire::Id&)>& is) const {
    return any([&](const Read::Frame& frame) { return is(frame.message.id); });
  }
  // The place of the first and the last frame of a method; none: frames().size(), or -1.
  size_t first(std::string_view method) const {
    size_t i = 0;
    while (i < frames().size() && frames()[i].message.method != method) ++i;
    return i;
  }
  int last(std::string_view method) const {
    int i = int(frames().size()) - 1;
    while (i >= 0 && frames()[i].message.method != method) --i;
    return i;
  }
  long count(std::string_view method) const {
    return std::count_if(frames().begin(), frames().end(),
                         [&](const Read::Frame& frame) { return frame.message.method == method; });
  }
  // The values of Content-Length, as spelt.
  std::vector<std::string> lengths() const {
    std::vector<std::string> all;
    constexpr std::string_view kName = "Content-Length: ";
    for (size_t at = 0; (at = bytes.find(kName, at)) != bytes.npos;) {
      at += kName.size();
      all.push_back(bytes.substr(at, bytes.find_first_of("\r\n", at) - at));
    }
    return all;
  }
  bool length(const std::function<bool(const std::string&)>& is) const {
    const auto all = lengths();
    return std::any_of(all.begin(), all.end(), is);
  }
  bool valid(const Read::Frame& frame) const { return wire::IsJson(frame.body); }
  // Something that does not frame, or no JSON, and a right message after it.
  bool right_after(const std::function<bool(const Read::Frame&)>& wrong) const {
    bool seen = false;
    for (const Read::Frame& frame : frames()) {
      if (seen && frame.message.kind == wire::Kind::kRequest && valid(frame)) return true;
      seen = seen || wrong(frame);
    }
    return false;
  }
};

bool Digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

size_t Depth(std::string_view text) {
  size_t depth = 0, most = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') most = std::max(most, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return most;
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

size_t Characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

bool IsRequest(const Read::Frame& frame) { return frame.message.kind == wire::Kind::kRequest; }

enum Seed { kHostHeaders, kHostLines, kPluginHeaders, kPluginLines };

struct Row {
  const char* bug;  // as the list of classes names it
  Seed seed;
  bool (*met)(const Mutant& m);
};

constexpr Row kRows[] = {
    {"negative length", kHostHeaders, [](const Mutant& m) { return m.has("Content-Length: -"); }},
    {"claimed length allocated", kHostHeaders,
     [](const Mutant& m) {
       return m.length([](const std::string& text) {
         return Digits(text) && text.size() < 20 && std::stoull(text) >= uint64_t{1} << 30;
       });
     }},
    {"length truncated to int", kHostHeaders,
     [](const Mutant& m) {
       return m.length([](const std::string& text) {  // the right one, and 2^32
         if (!Digits(text) || text.size() > 19) return false;
         const uint64_t length = std::stoull(text);
         return length >> 32 == 1 && uint32_t(length) == kHostBodies[0].size();
       });
     }},
    {"uncaught stoi", kHostHeaders,
     [](const Mutant& m) {
       return m.length([](const std::string& text) { return Digits(text) && text.size() > 20; });
     }},
    {"non-numeric length crashes", kHostHeaders,
     [](const Mutant& m) {
       return m.length([](const std::string& text) {
         return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0]));
       });
     }},
    {"bad length skipped silently", kHostHeaders,
     [](const Mutant& m) {
       return m.has("Content-Length: -1\r\n") && m.read.frames_after_junk > 1;
     }},
    {"characters counted instead of bytes (by a reader)", kHostHeaders,
     [](const Mutant& m) {
       return m.any([&](const Read::Frame& frame) {
         return !IsAscii(frame.body) && m.valid(frame) && !frame.head.empty();
       });
     }},
    {"characters counted instead of bytes (by a writer)", kPluginHeaders,
     [](const Mutant& m) {
       const size_t body = m.bytes.find("\r\n\r\n");
       const auto lengths = m.lengths();
       if (body == m.bytes.npos || lengths.empty() || !Digits(lengths[0])) return false;
       const size_t end = m.bytes.find("Content-Length", body);
       if (end == m.bytes.npos) return false;
       const std::string_view text = std::string_view(m.bytes).substr(body + 4, end - body - 4);
       return !IsAscii(text) && lengths[0] == std::to_string(Characters(text));
     }},
    {"Content-Type breaks it", kHostHeaders,
     [](const Mutant& m) {
       return m.any(
           [](const Read::Frame& frame) { return frame.head.starts_with("Content-Type"); });
     }},
    {"case", kHostHeaders, [](const Mutant& m) { return m.has("content-length: "); }},
    {"spacing", kHostHeaders,
     [](const Mutant& m) {
       return m.any([](const Read::Frame& frame) { return frame.oddities & wire::kHeaderSpacing; });
     }},
    {"X-Content-Length matched as substring", kHostHeaders,
     [](const Mutant& m) {
       return m.any([](const Read::Frame& frame) {
         return frame.head.starts_with("X-Content-Length: 1\r\nContent-Length: ");
       });
     }},
    {"duplicate lengths", kHostHeaders,
     [](const Mutant& m) { return m.has("\r\nContent-Length: 1\r\n\r\n{"); }},
    {"LF-only headers", kHostHeaders,
     [](const Mutant& m) {
       return m.any([](const Read::Frame& frame) { return frame.head.ends_with("\n\n"); });
     }},
    {"never resynchronises", kHostHeaders,
     [](const Mutant& m) { return !m.read.junk.empty() && m.read.frames_after_junk > 2; }},
    {"BOM", kHostLines, [](const Mutant& m) { return m.bytes.starts_with("\ufeff{"); }},
    {"UTF-8 split across reads", kHostLines,
     [](const Mutant& m) {  // a read of whole blocks ends inside a character
       for (size_t at = kBlock; at < m.bytes.size(); at += kBlock) {
         if ((m.bytes[at] & 0xC0) == 0x80) {
           return m.any([&](const Read::Frame& frame) {
             return frame.body.size() > kBlock && m.valid(frame);
           });
         }
       }
       return false;
     }},
    {"invalid UTF-8 ends the loop", kHostLines,
     [](const Mutant& m) {
       return m.right_after([](const Read::Frame& f) { return f.oddities & wire::kInvalidUtf8; });
     }},
    {"U+2028 splits a line", kHostLines,
     [](const Mutant& m) {
       return m.any([&](const Read::Frame& frame) {
         return m.valid(frame) && frame.body.find("\u2028") != frame.body.npos;
       });
     }},
    {"unbounded line", kHostLines,
     [](const Mutant& m) {
       size_t from = 0, longest = 0;
       for (size_t at; (at = m.bytes.find('\n', from)) != m.bytes.npos; from = at + 1) {
         longest = std::max(longest, at - from);
       }
       return longest > kBuffer;
     }},
    {"quadratic buffering", kHostHeaders,
     [](const Mutant& m) {
       return m.any([&](const Read::Frame& f) { return f.body.size() > kBuffer && m.valid(f); });
     }},
    {"one malformed line ends the server", kHostLines,
     [](const Mutant& m) {
       return m.right_after([&](const Read::Frame& frame) { return !m.valid(frame); });
     }},
    {"interleaved writes", kPluginLines,
     [](const Mutant& m) {  // one inside of the other
       const size_t first = m.bytes.find(kPluginBodies[1].substr(0, 30));
       const size_t rest = m.bytes.find(kPluginBodies[1].substr(55));
       const size_t other = m.bytes.find(kPluginBodies[2]);
       return first < other && other < rest && rest != m.bytes.npos;
     }},
    {"spin at EOF", kHostHeaders,
     [](const Mutant& m) {  // ends within a body
       return !m.read.junk.empty() && m.read.frames_after_junk == 0 &&
              m.read.junk.back().find("\r\n\r\n{\"") != m.bytes.npos;
     }},
    {"answers lost at EOF", kHostLines,
     [](const Mutant& m) {
       return !m.frames().empty() && IsRequest(m.frames().back()) && m.valid(m.frames().back()) &&
              m.first("exit") == m.frames().size();
     }},
    {"stderr full deadlocks", kHostLines,
     [](const Mutant& m) {  // so much to complain of that 64 KiB of complaints are sure
       return std::count_if(m.frames().begin(), m.frames().end(), [](const Read::Frame& frame) {
                return frame.message.kind != wire::Kind::kNotification;
              }) > 300;
     }},
    {"pollution of stdout", kPluginLines,
     [](const Mutant& m) {
       return std::any_of(m.read.junk.begin(), m.read.junk.end(),
                          [](const std::string& junk) { return junk == "[INFO] started\n"; });
     }},
    {"deep nesting overflows the stack", kHostLines,
     [](const Mutant& m) {
       return m.any(
           [&](const Read::Frame& frame) { return Depth(frame.body) >= 10'000 && m.valid(frame); });
     }},
    {"lone surrogates", kHostLines,
     [](const Mutant& m) {
       return m.any([&](const Read::Frame& frame) {
         return m.valid(frame) && frame.body.find("\\ud800") != frame.body.npos;
       });
     }},
    {"NaN", kHostLines, [](const Mutant& m) { return m.has(":NaN"); }},
    {"1e309", kHostLines, [](const Mutant& m) { return m.has("1e309"); }},
    {"raw newline", kHostHeaders,
     [](const Mutant& m) {
       return m.any([](const Read::Frame& frame) {
         return frame.body.find('\n') != frame.body.npos && frame.body.back() == '}';
       });
     }},
    {"ids above 2^53", kHostLines,
     [](const Mutant& m) {
       return m.id([](const wire::Id& id) { return id.token == "9007199254740993"; });
     }},
    {"ids that are fractions", kHostLines,
     [](const Mutant& m) {
       return m.id([](const wire::Id& id) { return id.type == wire::Id::Type::kFraction; });
     }},
    {"id: null answered for a known id", kPluginLines,
     [](const Mutant& m) {
       return m.any([](const Read::Frame& frame) {
         return frame.message.kind == wire::Kind::kResponse &&
                frame.message.id.type == wire::Id::Type::kNull;
       });
     }},
    {"batch crash", kHostLines,
     [](const Mutant& m) {
       return m.any([&](const Read::Frame& frame) {
         return m.valid(frame) && frame.message.elements.size() > 1 &&
                frame.message.elements[1].method == "initialized";
       });
     }},
    {"empty batch", kHostLines,
     [](const Mutant& m) {
       return m.any([](const Read::Frame& frame) { return frame.body == "[]"; });
     }},
    {"null element", kHostLines,
     [](const Mutant& m) {
       return m.any([](const Read::Frame& frame) {
         return frame.body.starts_with("[null,{") || frame.body == "[null]";
       });
     }},
    {"result and error both", kPluginLines,
     [](const Mutant& m) {
       return m.any([](const Read::Frame& f) { return f.message.flags & wire::kResultAndError; });
     }},
    {"result and error neither", kPluginLines,
     [](const Mutant& m) {
       return m.any([](const Read::Frame& f) {
         return f.body.starts_with("{\"jsonrpc\":\"2.0\",\"id\":1}");
       });
     }},
    {"params missing", kHostLines,
     [](const Mutant& m) { return m.has(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"); }},
    {"params null", kHostLines,
     [](const Mutant& m) { return m.has(R"("method":"initialize","params":null})"); }},
    {"params of a wrong type", kHostLines,
     [](const Mutant& m) { return m.has(R"("method":"textDocument/hover","params":")"); }},
    {"duplicate id in flight", kHostLines,
     [](const Mutant& m) {  // the first two requests, one behind the other
       const Read::Frame* before = nullptr;
       for (const Read::Frame& frame : m.frames()) {
         if (!IsRequest(frame)) continue;
         if (before != nullptr && before->message.id == frame.message.id &&
             before->message.method != frame.message.method) {
           return true;
         }
         before = &frame;
       }
       return false;
     }},
    {"duplicate keys", kHostLines,
     [](const Mutant& m) {
       return m.any([&](const Read::Frame& frame) {
         return m.valid(frame) && frame.message.flags & wire::kDuplicateMember;
       });
     }},
    {"cancel crash", kHostLines,
     [](const Mutant& m) {
       const size_t request = m.first("textDocument/hover"), cancel = m.first("$/cancelRequest");
       return cancel < m.frames().size() && request < cancel &&
              m.frames()[cancel].body.find("\"id\":2}") != std::string::npos;
     }},
    {"cancel of what is not asked yet", kHostLines,
     [](const Mutant& m) {
       const size_t request = m.first("textDocument/hover"), cancel = m.first("$/cancelRequest");
       return cancel < request && request < m.frames().size() &&
              m.frames()[cancel].body.find("\"id\":2}") != std::string::npos;
     }},
    {"before initialize", kHostLines,
     [](const Mutant& m) {
       return m.first("textDocument/hover") < m.first("initialize") &&
              m.first("initialize") < m.frames().size();
     }},
    {"after shutdown", kHostLines,
     [](const Mutant& m) {
       return m.last("shutdown") >= 0 && m.last("textDocument/hover") > m.last("shutdown");
     }},
    {"twice initialize", kHostLines, [](const Mutant& m) { return m.count("initialize") > 1; }},
    {"answer to a notification", kPluginLines,
     [](const Mutant& m) {  // which has no id: null, or one that was never used
       return m.frames().size() > kPluginBodies.size() && m.any([](const Read::Frame& frame) {
         return frame.message.IsAnswer() && (frame.message.id.type == wire::Id::Type::kNull ||
                                             frame.message.id.token.size() > 6);
       });
     }},
    {"answered twice", kPluginLines,
     [](const Mutant& m) {
       return std::count_if(m.frames().begin(), m.frames().end(), [](const Read::Frame& frame) {
                return frame.message.IsAnswer() && frame.message.id.token == "2";
              }) > 1;
     }},
    {"UTF-16 position out of range", kHostLines,
     [](const Mutant& m) { return m.has("\"character\":65536}") || m.has("\"character\":-1}"); }},
    {"use of a destroyed handle", kHostLines,
     [](const Mutant& m) {
       const int use = m.last("object/use"), destroy = m.last("object/destroy");
       return destroy >= 0 && use > destroy &&
              m.frames()[use].body.find("h-17") != std::string::npos;
     }},
};

class MutantClassTest : public testing::TestWithParam<Row> {};

TEST_P(MutantClassTest, IsMetByAMutant) {
  const Row& row = GetParam();
  const bool lines = row.seed == kHostLines || row.seed == kPluginLines;
  const Framing framing = lines ? Framing::kLine : Framing::kContentLength;
  const bool host = row.seed == kHostHeaders || row.seed == kHostLines;
  const std::string session = Session(framing, host ? kHostBodies : kPluginBodies);
  ASSERT_FALSE(row.met(Mutant(session, framing))) << "already by the seed";
  const Vocabulary words = SessionWords();
  const Mutator mutator(&words);
  for (uint64_t seed = 0; seed < kMostSeeds; ++seed) {
    Input input = ParseInput(session, framing);
    mutator.Mutate(&input, seed);
    if (row.met(Mutant(input.Bytes(), framing))) {
      RecordProperty("seeds", std::to_string(seed + 1));
      return;
    }
  }
  ADD_FAILURE() << row.bug << ": not by any of " << kMostSeeds << " mutants";
}

std::string RowName(const testing::TestParamInfo<Row>& info) {
  std::string name;
  for (const char c : std::string_view(info.param.bug)) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  return name;
}

void PrintTo(const Row& row, std::ostream* out) { *out << row.bug; }

INSTANTIATE_TEST_SUITE_P(Classes, MutantClassTest, testing::ValuesIn(kRows), RowName);

}  // namespace
}  // namespace midwire::fuzz
