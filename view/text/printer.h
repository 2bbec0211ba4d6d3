// Prints the lines of a timeline, as text for people (text_printer.cc) or JSON for programs
// (json_printer.cc). Called by show. Printers append to a buffer and keep nothing of their
// arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trace/reader.h"
#include "trace/report/session_head.h"
#include "trace/session.h"
#include "view/text/style.h"

namespace midwire::view {

// Nanoseconds since the start of the session; empty if the cassette has no times.
using At = std::optional<int64_t>;

// What is known of a message beside its own members. Nothing is escaped.
struct Notes {
  std::string_view label;    // of a call and of its answer, by the dialect; "": none
  bool failed = false;       // an error, or an answer that the dialect calls a failure
  std::string_view failure;  // of such an answer: why; "": not known
  size_t depth = 0;          // of a call that was made during another one, and of its answer
  uint64_t parent = 0;       // the number of that other call; 0: none
  bool perhaps = false;      // only its time speaks for that parent
  bool open = false;         // of a request: the row ends with an Ending, once it is known
};

// How a request went.
struct Outcome {
  enum class Fate : uint8_t { kAnswered, kUnanswered, kNeverRead, kCancelled, kFar };
  Fate fate = Fate::kAnswered;     // kFar: not among the messages that were looked at
  std::optional<int64_t> open_ns;  // without an answer: for how long
  bool of_log = false;             // the trace was made from a log, which may lack the answer
  uint64_t messages = 0;           // kFar: how many were looked at
  // To be shown beside the request; else null.
  const trace::RecordedMessage* answer = nullptr;
  const Notes* notes = nullptr;  // of the answer
  At at = std::nullopt;
};

// 2000-01-01: a trace with earlier times was made without a calendar.
inline constexpr int64_t kFirstDate = 946'684'800'000'000'000;

// A longer list is not read.
inline constexpr size_t kMaxOpenNumbers = 20;

class Printer {
 public:
  virtual ~Printer() = default;
  // What the columns are.
  virtual void Header() {}
  // What the session agreed on: before its lines.
  virtual void Head(const trace::SessionHead& head) = 0;
  virtual void Message(At at, const trace::RecordedMessage& recorded, const Notes& notes) = 0;
  // One message of a batch, after the batch.
  virtual void Element(At at, const trace::RecordedMessage& recorded, const Notes& notes) = 0;
  virtual void Junk(At at, const trace::RecordedJunk& recorded) = 0;
  virtual void StderrLine(At at, std::string_view line) = 0;
  virtual void Event(At at, int64_t unix_ns, const trace::Event& event) = 0;
  // The end of a request's row, to be inserted at open_at(). `remarks`: as they were after Message.
  virtual std::string Ending(const std::string& remarks, const Outcome& outcome) = 0;
  virtual size_t open_at() const = 0;
  virtual std::string remarks() const { return ""; }
  // Of a session that was followed and has ended: so many calls have no answer. `numbers`: those of
  // the oldest, at most kMaxOpenNumbers.
  virtual void OpenCalls(uint64_t count, std::span<const uint64_t> numbers) {
    (void)count, (void)numbers;
  }
  virtual void Damage(const trace::Damage& damage) = 0;
};

struct PrintOptions {
  Style style;
  bool body = false;
  bool labels = false;  // messages may have labels
  // Appends the time of day of a Unix time; then `At` is one from kFirstDate on. Empty: seconds.
  std::function<void(int64_t unix_ns, std::string* out)> clock = {};
  // Called in the middle of a long body: what is in the buffer may be written out.
  std::function<void()> settle = [] {};
};

std::unique_ptr<Printer> MakeTextPrinter(const PrintOptions& options, std::string* out);
std::unique_ptr<Printer> MakeJsonPrinter(const PrintOptions& options, std::string* out);

// The method a message is about: of an answer, that of its request. "" when not known.
std::string_view MethodOf(const trace::RecordedMessage& recorded);
// Of an answer whose request was seen, where times are known.
std::optional<int64_t> LatencyOf(const trace::RecordedMessage& recorded);
// The flags of a message's JSON that are worth a remark, with their names.
struct FlagName {
  wire::MessageFlag flag;
  std::string_view name;
};
std::span<const FlagName> RemarkedFlags();
// What is odd about a message, comma-separated: oddities of its frame, flags of its JSON.
void AppendRemarks(const trace::RecordedMessage& recorded, std::string* out);

}  // namespace midwire::view
