// Runs one input on a dispatcher: its bodies are passed one by one, and the protocol oracle judges
// the answers as `midwire fuzz` does for a program. Framing is not tested here; that is the decoder
// target's task.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/harness/report.h"
#include "fuzz/harness/state.h"
#include "fuzz/harness/try.h"
#include "fuzz/oracle/features.h"
#include "fuzz/oracle/protocol_oracle.h"
#include "trace/session.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

// Answers to requests of a dispatcher per input; each may cause another request.
constexpr size_t kMaxReplies = 1024;
// Number of messages at the end of a report.
constexpr size_t kMaxShownMessages = 10;
// What is kept of an input's messages, for reports and cassettes.
constexpr size_t kMaxKept = 16u << 20;
constexpr auto kFramed = wire::Framing::kContentLength;
// An answer counts once in an input. libFuzzer keeps an input for each power of two of a counter,
// and what an instrumented target does with repeated messages its own counters show.
constexpr uint8_t kMostHits = 1;
// Answers of a method, and pairs of them, that count. A dispatcher that repeats params has as many
// answers as there are params. Each would be kept in the corpus until all counters are used, and
// none would be left for the answers of other methods.
constexpr size_t kMostPerMethod = 64;

// What the finding of an oracle was found in place of.
struct Expectation {
  Oracle oracle;
  const char* text;
};
constexpr Expectation kExpectations[] = {
    {Oracle::kMissing, "an answer with the request's id, before the input ends (see settle)"},
    {Oracle::kDouble, "one answer to a request"},
    {Oracle::kUnknown, "the id of a request that has no answer yet"},
    {Oracle::kIdType, "the id as the request has it, of the same type"},
    {Oracle::kShape, "either a result or an error, which has a code and a message"},
    {Oracle::kNotification, "nothing: a notification has no answer"},
    {Oracle::kBadMessage, "messages of JSON-RPC, one each"},
    {Oracle::kUtf8, "UTF-8"},
    {Oracle::kDialect, "what the dialect says of the method"},
};

// The messages of one input, in one block that is used again: this runs for each of them.
class Messages {
 public:
  void Clear() {
    bytes_.clear();
    ends_.clear();
    left_out_ = 0;
  }
  void Add(bool sent, std::string_view body) {
    if (bytes_.size() + body.size() > kMaxKept) {
      ++left_out_;
      return;
    }
    bytes_ += body;
    ends_.push_back({bytes_.size(), sent});
  }
  Evidence Latest() const {
    Evidence shown;
    if (ends_.size() > kMaxShownMessages) {
      shown.emplace_back("before", std::to_string(ends_.size() - kMaxShownMessages) + " messages");
    }
    for (size_t i = ends_.size() - std::min(ends_.size(), kMaxShownMessages); i < ends_.size();
         ++i) {
      shown.emplace_back(ends_[i].sent ? "sent" : "emitted", At(i));
    }
    if (left_out_ != 0) shown.emplace_back("then", std::to_string(left_out_) + " messages");
    return shown;
  }
  Transcript AsTranscript(wire::Direction ours) const {
    const wire::Direction theirs = Opposite(ours);
    Transcript transcript;
    for (size_t i = 0; i < ends_.size(); ++i) {
      transcript.chunks.push_back({ends_[i].sent ? ours : theirs, Framed(At(i), kFramed).bytes});
    }
    return transcript;
  }

 private:
  struct End {
    size_t at;  // in bytes_
    bool sent;
  };
  std::string At(size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1].at;
    return bytes_.substr(begin, ends_[i].at - begin);
  }

  std::string bytes_;
  std::vector<End> ends_;
  size_t left_out_ = 0;
};

// Removes the first of `frames`, which Framed has made, and returns its body.
std::string_view TakeBody(std::string_view* frames) {
  const size_t head = frames->find("\r\n\r\n") + 4;
  const size_t size = std::strtoull(frames->data() + std::strlen("Content-Length: "), nullptr, 10);
  const std::string_view body = frames->substr(head, size);
  frames->remove_prefix(std::min(head + size, frames->size()));
  return body;
}

wire::Direction Ours(const DispatcherOptions& options) {
  return options.host ? wire::Direction::kPluginToHost : wire::Direction::kHostToPlugin;
}

OracleSet OraclesOf(const DispatcherOptions& options) {
  const auto oracles = ParseOracles(OptionOf("MIDWIRE_ORACLE", options.oracles));
  if (oracles) return *oracles;
  std::fprintf(stderr, "midwire: %s\n", oracles.error().Text().c_str());
  std::exit(2);
}

// What a recording shows: which values are handles, answers to the dispatcher's requests.
void ReadRecording(const DispatcherOptions& options, const wire::Dialect* dialect, Seeds* seeds) {
  const std::string path = OptionOf("MIDWIRE_FROM", options.from);
  if (path.empty()) return;
  SeedCollector collector(seeds, dialect);
  trace::Session session(&collector);
  const auto reader = trace::OpenTrace(path);
  const Status read = reader ? trace::Play(reader->get(), &session) : Status(reader.error());
  collector.EndSession();
  if (read) return;
  Error error = read.error();
  if (error.where.empty()) error.where = path;
  std::fprintf(stderr, "midwire: %s\n", error.Text().c_str());
  std::exit(2);
}

class Bench {
 public:
  Bench(const DispatcherOptions& options, std::span<uint8_t> responses)
      : host_(options.host),
        seeds_(Ours(options)),
        features_(responses, kMostHits, kMostPerMethod),
        oracle_(&seeds_, &features_, OptionsOf(options, &seeds_),
                [this](const Finding& finding) { Report(finding); }) {
    emit_ = [this](std::string_view body) { Receive(body); };
  }

  void Run(std::string_view bytes, DispatcherMaker make) {
    bytes_ = bytes;
    Frame(bytes);
    messages_.Clear();
    replies_.clear();
    oracle_.OnPeer();
    oracle_.OnRun(&input_);
    const auto dispatcher = make();
    size_t replies = 0;
    for (size_t i = 0; i < input_.parts.size(); ++i) {
      std::string_view sent = oracle_.PartToSend(i);
      if (sent.empty()) continue;
      Dispatch(dispatcher.get(), TakeBody(&sent));
      Reply(dispatcher.get(), &replies);
    }
    dispatcher->Settle(emit_);
    Reply(dispatcher.get(), &replies);
    oracle_.OnPeerEnd();
    oracle_.ReportMissing(Oracle::kMissing);
    oracle_.ReportUnanswered();
  }

 private:
  // Frames the body of each part; input_ has them.
  void Frame(std::string_view bytes) {
    ParseInput(bytes, &parsed_);
    size_t count = 0;
    for (const Part& part : parsed_.parts) {
      const std::string_view body = wire::Trimmed(part.junk() ? part.bytes : part.body());
      if (body.empty()) continue;
      if (count == input_.parts.size()) input_.parts.emplace_back();
      input_.parts[count++].SetFrame(body, kFramed);
    }
    input_.parts.resize(count);
  }

  static ProtocolOracleOptions OptionsOf(const DispatcherOptions& options, Seeds* seeds) {
    const HarnessState& state = StateOfHarness(options.dialect);
    ReadRecording(options, state.dialect ? &*state.dialect : nullptr, seeds);
    seeds->framing = kFramed;
    ProtocolOracleOptions made{.oracles = OraclesOf(options)};
    if (!state.dialect) return made;
    made.dialect = &*state.dialect;
    if (state.dialect->jsonrpc_missing != wire::Severity::kMust) {
      seeds->usual_flags |= wire::kNoVersion;
    }
    if (state.dialect->name == "dap") seeds->usual_flags |= wire::kNoVersion | wire::kDap;
    return made;
  }

  void Dispatch(DispatcherUnderTest* dispatcher, std::string_view body) {
    // In a block of exactly this size, so that a sanitizer detects reads beyond it.
    const auto block = std::make_unique<char[]>(std::max<size_t>(body.size(), 1));
    std::memcpy(block.get(), body.data(), body.size());
    messages_.Add(/*sent=*/true, body);
    dispatcher->Dispatch({block.get(), body.size()}, emit_);
  }

  // The oracle's answers to the dispatcher's requests, and to those that follow.
  void Reply(DispatcherUnderTest* dispatcher, size_t* replies) {
    std::string frames;
    while (!replies_.empty() && *replies < kMaxReplies) {
      frames.swap(replies_);
      replies_.clear();
      for (std::string_view rest = frames; !rest.empty() && *replies < kMaxReplies; ++*replies) {
        Dispatch(dispatcher, TakeBody(&rest));
      }
    }
    replies_.clear();
  }

  void Receive(std::string_view body) {
    messages_.Add(/*sent=*/false, body);
    received_.SetFrame(body, kFramed);
    oracle_.OnBytes(received_.bytes, &replies_);
  }

  void Report(const Finding& finding) {
    if (!IsNewFault(finding.key)) return;
    Evidence shown = {{"key", finding.key}};
    for (const Expectation& row : kExpectations) {
      if (row.oracle == finding.oracle) shown.emplace_back("expected", row.text);
    }
    for (auto& message : messages_.Latest()) shown.push_back(std::move(message));
    FindingRecord record = {.oracle = finding.oracle, .key = finding.key, .text = finding.text};
    record.kind = finding.kind;
    record.of_host = host_;
    DescribeSeeds(seeds_, &record);
    ReportFailure({.rule = Name(finding.oracle),
                   .text = finding.text,
                   .shown = std::move(shown),
                   .input = bytes_,
                   .cassette = WriteFinding(&record, messages_.AsTranscript(seeds_.ours),
                                            {StateOfHarness().program})});
  }

  const bool host_;
  Seeds seeds_;
  Features features_;
  ProtocolOracle oracle_;
  Emit emit_;
  // Their memory is used again: this runs for each input.
  Input parsed_, input_;
  Part received_;
  std::string replies_;
  std::string_view bytes_;  // of this input
  Messages messages_;
};

}  // namespace

void TryDispatcher(std::string_view input, DispatcherMaker make, const DispatcherOptions& options,
                   std::span<uint8_t> responses) {
  static Bench bench(options, responses);
  bench.Run(input, make);
}

}  // namespace midwire::fuzz
