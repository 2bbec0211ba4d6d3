// Prints the lines of a timeline, as text for people (text_printer.cc) or JSON for programs
// (json_printer.cc). Called by show. Printers append to a buffer and keep nothing of their
// arguments.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trace/reader.h"
#include "trace/session.h"
#include "view/text/style.h"

namespace midwire::view {

// Nanoseconds since the start of the session; empty if the cassette has no times.
using At = std::optional<int64_t>;

class Printer {
 public:
  virtual ~Printer() = default;
  virtual void Message(At at, const trace::RecordedMessage& recorded) = 0;
  // One message of a batch, after the batch.
  virtual void Element(At at, const trace::RecordedMessage& recorded) = 0;
  virtual void Junk(At at, const trace::RecordedJunk& recorded) = 0;
  virtual void StderrLine(At at, std::string_view line) = 0;
  virtual void Event(At at, int64_t unix_ns, const trace::Event& event) = 0;
  virtual void Damage(const trace::Damage& damage) = 0;
};

struct PrintOptions {
  Style style;
  bool body = false;
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
