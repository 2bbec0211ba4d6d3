// The timeline for people. Columns: number, seconds, arrow, kind, method, label, id, size, latency,
// remarks (timeline_layout.h).
#include <algorithm>
#include <string>
#include <utility>

#include "view/text/append.h"
#include "view/text/printer.h"
#include "view/text/timeline_layout.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/format.h"
#include "wire/json/parts.h"
#include "wire/json/utf8.h"
#include "wire/json/value.h"

namespace midwire::view {
namespace {

using trace::RecordedMessage;
using wire::Direction;
using wire::Kind;

// How much of junk, of what is no message, or of an odd header, is shown on its line; --body shows
// all of the first two.
constexpr size_t kJunkPreview = 120;
// Bodies above this are printed as they stand: indented they are no easier to read, and longer.
constexpr size_t kMaxPretty = 8u << 20;
// How much of a body is escaped before the buffer may be written out.
constexpr size_t kPiece = 64 * 1024;
// Ids in a pipe: the width of a wider one, which is cut in its middle, and how much of its end
// stays. The column of the size has room for the rest of this width and a size of five digits.
constexpr size_t kLongId = 16, kIdEnd = 10;
constexpr std::string_view kBodyIndent = "        ";

// A deeper call is indented like this one.
constexpr size_t kMostDepth = 8;
// Of "2026-01-31 14:05:10.123456", what comes before the time of day.
constexpr size_t kDate = sizeof "2026-01-31 " - 1;

constexpr Paint kKindPaint[] = {Paint::kCyan,   Paint::kGreen,   Paint::kRed,
                                Paint::kYellow, Paint::kMagenta, Paint::kRed};

class TextPrinter : public Printer {
 public:
  TextPrinter(const PrintOptions& options, std::string* out)
      : options_(options),
        out_(out),
        layout_(LayOut(options.style.width, options.labels, options.clock != nullptr)) {}

  void Header() override {
    *out_ += PaintOn(options_.style, Paint::kBold);
    const auto left = [&](std::string_view name, size_t columns) {
      if (columns == 0) return;
      const size_t start = out_->size();
      *out_ += name;
      Clip(start, columns);
      PadRight(start, columns, out_);
      *out_ += ' ';
    };
    const auto right = [&](std::string_view name, size_t columns) {
      if (columns == 0) return;
      const size_t start = out_->size();
      *out_ += name;
      PadLeft(start, columns, out_);
      *out_ += ' ';
    };
    right("no.", layout_.number);
    right(options_.clock ? "time" : "seconds", layout_.time);
    left("", layout_.arrow);
    left("kind", layout_.kind);
    left("method", layout_.method);
    left("label", layout_.label);
    left("id", layout_.id);
    right("bytes", layout_.size);
    right("latency", layout_.latency);
    out_->resize(out_->find_last_not_of(' ') + 1);
    *out_ += PaintOff(options_.style, Paint::kBold);
    *out_ += '\n';
  }

  void Head(const trace::SessionHead& head) override {
    number_.clear();
    Start(std::nullopt, "**", Paint::kDim, "dialect");
    Rest(head.Text(), Paint::kBold);
  }

  void Message(At at, const RecordedMessage& recorded, const Notes& notes) override {
    number_.clear();
    AppendNumber(recorded.number, &number_);
    Row(at, recorded, recorded.frame->size, notes);
    settles_ = !notes.open;  // an open row and its body stay together
    if (options_.body) Body(*recorded.frame);
  }

  void Element(At at, const RecordedMessage& recorded, const Notes& notes) override {
    number_ = "+";
    Row(at, recorded, std::nullopt, notes);
  }

  std::string Ending(const std::string& remarks, const Outcome& outcome) override {
    std::string ending;
    std::string* const out = std::exchange(out_, &ending);
    excess_ = 0;
    remarks_.clear();
    std::optional<int64_t> latency;
    Paint paint = outcome.fate == Outcome::Fate::kAnswered ? Paint::kDim : Paint::kYellow;
    if (outcome.answer != nullptr) {
      const RecordedMessage& answer = *outcome.answer;
      latency = LatencyOf(answer);
      AppendTail(answer, *outcome.notes);
      const std::string tail = std::exchange(remarks_, "");
      remarks_ += ArrowOf(answer.direction);
      remarks_ += ' ';
      AppendNumber(answer.number, &remarks_);
      remarks_ += ' ';
      remarks_ += wire::Name(answer.message->kind);
      remarks_ += ", ";
      AppendNumber(answer.frame->size, &remarks_);
      remarks_ += " bytes";
      if (!tail.empty()) remarks_ += ", " + tail;
      if (outcome.notes->failed) paint = Paint::kRed;
    }
    if (outcome.fate == Outcome::Fate::kUnanswered) {
      remarks_ = outcome.of_log ? "no answer in the log" : "unanswered";
    }
    if (outcome.fate == Outcome::Fate::kNeverRead) remarks_ = "never read, unanswered";
    if (outcome.fate == Outcome::Fate::kCancelled) remarks_ = "cancelled";
    if (outcome.fate == Outcome::Fate::kFar) {
      remarks_ = "no answer in the next ";
      AppendNumber(outcome.messages, &remarks_);
      remarks_ += " messages";
    } else if (outcome.open_ns.value_or(0) != 0) {  // 0: nothing came after it
      remarks_ += outcome.fate == Outcome::Fate::kCancelled ? ", without an answer for " : " for ";
      AppendDuration(*outcome.open_ns, &remarks_);
    }
    if (!remarks.empty() && !remarks_.empty()) remarks_ += remarks[0] == '[' ? " " : ", ";
    remarks_ += remarks;
    Latency(latency);
    Remarks(paint);
    out_ = out;
    return ending;
  }
  size_t open_at() const override { return open_at_; }
  std::string remarks() const override { return remarks_; }

  void Junk(At at, const trace::RecordedJunk& recorded) override {
    number_.clear();
    Start(at, ArrowOf(recorded.direction), Paint::kMagenta, "junk");
    remarks_.clear();
    JunkCells(*recorded.junk);
    remarks_ += '"';
    const std::string_view bytes = recorded.junk->bytes;
    wire::AppendEscaped(bytes.substr(0, kJunkPreview), &remarks_);
    remarks_ += bytes.size() > kJunkPreview ? "\"..." : "\"";
    Remarks(Paint::kNone);
    if (options_.body && bytes.size() > kJunkPreview) Indented(bytes, true);
  }

  void StderrLine(At at, std::string_view line) override {
    number_.clear();
    Start(at, "##", Paint::kDim, "stderr");
    Rest(line, Paint::kDim);
  }

  void Event(At at, int64_t unix_ns, const trace::Event& event) override {
    number_.clear();
    Start(at, "**", Paint::kDim, "event");
    std::string text = trace::Describe(event);
    if (std::holds_alternative<trace::SpawnEvent>(event) && unix_ns != 0) {
      text += ", ";
      AppendUtc(unix_ns, &text);
    }
    Rest(text, Paint::kBold);
  }

  void OpenCalls(uint64_t count, std::span<const uint64_t> numbers) override {
    number_.clear();
    Start(std::nullopt, "**", Paint::kYellow, "open");
    std::string text = wire::Counted(count, "call");
    text += count == 1 ? " was not answered" : " were not answered";
    text += count > numbers.size() ? ", the oldest: " : ": ";
    for (const uint64_t number : numbers) {
      if (number != numbers.front()) text += ", ";
      AppendNumber(number, &text);
    }
    Rest(text, Paint::kYellow);
  }

  void Damage(const trace::Damage& damage) override {
    number_.clear();
    Start(std::nullopt, "!!", Paint::kRed, "damage");
    std::string text;
    AppendNumber(damage.bytes, &text);
    text += " bytes at " + damage.Place() + ": " + damage.reason;
    Rest(text, Paint::kRed);
  }

 private:
  static std::string_view ArrowOf(Direction direction) {
    return direction == Direction::kHostToPlugin ? "->" : "<-";
  }

  void Painted(std::string_view text, Paint paint) {
    *out_ += PaintOn(options_.style, paint);
    *out_ += text;
    *out_ += PaintOff(options_.style, paint);
  }

  // Everything up to and including the kind.
  void Start(At at, std::string_view arrow, Paint paint, std::string_view kind) {
    excess_ = 0;
    *out_ += PaintOn(options_.style, Paint::kDim);
    size_t start = out_->size();
    if (layout_.number != 0) {
      *out_ += number_;
      ToColumns(start, layout_.number, /*left=*/true);
      *out_ += ' ';
    }
    start = out_->size();
    if (layout_.time != 0) {
      if (at && options_.clock && *at >= kFirstDate) {
        options_.clock(*at, out_);
        if (layout_.time < kDateAndTime) {
          out_->erase(start, kDate);
          out_->resize(start + layout_.time);
        }
      } else if (at) {
        AppendSeconds(*at, out_);
      } else {
        *out_ += '-';
      }
      ToColumns(start, layout_.time, /*left=*/true);
    }
    *out_ += PaintOff(options_.style, Paint::kDim);
    if (layout_.time != 0) *out_ += ' ';
    *out_ += arrow;
    *out_ += ' ';
    if (layout_.kind == 0) return;
    Painted(kind, paint);
    out_->append(layout_.kind + 1 - std::min(kind.size(), layout_.kind), ' ');
  }

  // Pads the text from `start` on. What is wider than its column takes the blanks of those behind
  // it, so that the others are where they are on each line.
  void ToColumns(size_t start, size_t columns, bool left = false) {
    const size_t used = ColumnsOf(std::string_view(*out_).substr(start)) + excess_;
    if (used < columns) out_->insert(left ? start : out_->size(), columns - used, ' ');
    excess_ = used - std::min(used, columns);
  }

  // Escaped, padded to `columns`, and on a terminal cut to them.
  void Column(std::string_view text, size_t columns) {
    if (columns == 0) return;
    const size_t start = out_->size();
    wire::AppendEscaped(text, out_);
    if (options_.style.width != 0) Clip(start, columns);
    ToColumns(start, columns);
    *out_ += ' ';
  }

  // Of a path the end says most.
  void Label(std::string_view label) {
    label.find('/') == label.npos ? Column(label, layout_.label) : EndOf(label, layout_.label);
  }

  // The same as Column, cut at the front.
  void EndOf(std::string_view text, size_t columns) {
    if (columns == 0) return;
    if (options_.style.width == 0) return Column(text, columns);
    const size_t start = out_->size();
    *out_ += EndInColumns(text, columns);
    ToColumns(start, columns);
    *out_ += ' ';
  }

  // On a terminal cut at the front: "srv-101", "srv-102" differ at their ends.
  void IdCell(std::string_view token) {
    if (options_.style.width != 0 || layout_.id == 0) return EndOf(token, layout_.id);
    const size_t start = out_->size();
    wire::AppendEscaped(token, out_);
    const std::string_view whole = std::string_view(*out_).substr(start);
    if (whole.size() > kLongId && ColumnsOf(whole) > kLongId) {
      const std::string end(LastColumns(whole, kIdEnd));
      out_->resize(start + PrefixOfColumns(whole, kLongId - kIdEnd - 1));
      *out_ += kEllipsis;
      *out_ += end;
    }
    ToColumns(start, layout_.id);
    *out_ += ' ';
  }

  // The bytes of junk are in their column; where that has gone, they are a remark.
  void JunkCells(const wire::Junk& junk) {
    const size_t columns = layout_.middle() - (layout_.size == 0 ? 0 : layout_.size + 1);
    Column(wire::Name(junk.reason), columns - std::min<size_t>(columns, 1));
    const size_t start = out_->size();
    if (layout_.size == 0) {
      remarks_ = wire::Counted(junk.size, "byte") + ": ";
    } else {
      AppendNumber(junk.size, out_);
      ToColumns(start, layout_.size, /*left=*/true);
      *out_ += ' ';
    }
    if (layout_.latency != 0) out_->append(layout_.latency, ' ');
  }

  void Clip(size_t start, size_t columns) {
    const std::string_view text = std::string_view(*out_).substr(start);
    if (text.size() <= columns || ColumnsOf(text) <= columns) return;
    out_->resize(start + PrefixOfColumns(text, columns == 0 ? 0 : columns - 1));
    if (columns != 0) *out_ += "\u2026";
  }

  void Row(At at, const RecordedMessage& recorded, std::optional<uint64_t> size,
           const Notes& notes) {
    const wire::Message& message = *recorded.message;
    const int kind = static_cast<int>(message.kind);
    const bool failed = notes.failed || message.kind == Kind::kError;
    Start(at, ArrowOf(recorded.direction), failed ? Paint::kRed : kKindPaint[kind],
          wire::Name(message.kind));
    // A method without a label takes the place of both, where it would be cut.
    const bool alone = options_.style.width != 0 && layout_.label != 0 && notes.label.empty();
    const size_t columns = layout_.method + (alone ? 1 + layout_.label : 0);
    if (notes.depth == 0) {
      Column(MethodOf(recorded), columns);
    } else {
      indented_.assign(2 * std::min(notes.depth, kMostDepth), ' ');
      indented_ += MethodOf(recorded);
      Column(indented_, columns);
    }
    if (!alone) Label(notes.label);
    IdCell(message.id.token);
    size_t start = out_->size();
    if (layout_.size != 0) {
      if (size) AppendNumber(*size, out_);
      ToColumns(start, layout_.size, /*left=*/true);
      *out_ += ' ';
    }
    open_at_ = out_->size();
    remarks_.clear();
    AppendTail(recorded, notes);
    if (notes.open) return;
    Latency(LatencyOf(recorded));
    Remarks(failed ? Paint::kRed : Paint::kDim);
  }

  void Latency(std::optional<int64_t> latency) {
    if (layout_.latency == 0) return;
    const size_t start = out_->size();
    if (latency) AppendDuration(*latency, out_);
    ToColumns(start, layout_.latency, /*left=*/true);
  }

  void AppendTail(const RecordedMessage& recorded, const Notes& notes) {
    const wire::Message& message = *recorded.message;
    if (notes.failed && message.kind != Kind::kError) {
      remarks_ += notes.failure.empty() ? "failed" : "failed: ";
      wire::AppendEscaped(notes.failure, &remarks_);
    }
    if (message.kind == Kind::kError) {
      if (message.error_code) AppendNumber(*message.error_code, &remarks_);
      if (message.error_code && !message.error_message.empty()) remarks_ += ' ';
      wire::AppendEscaped(message.error_message, &remarks_);
    }
    if (message.kind == Kind::kBatch) {
      AppendNumber(message.elements.size(), &remarks_);
      remarks_ += message.elements.size() == wire::kMaxBatchElements ? "+ elements"
                  : message.elements.size() == 1                     ? " element"
                                                                     : " elements";
    }
    // Nothing else of it is shown, and its text says what it was meant to be.
    if (message.kind == Kind::kInvalid && number_ != "+" && !options_.body) {
      const std::string_view body = recorded.frame->body();
      remarks_ += '"';
      wire::AppendEscaped(body.substr(0, kJunkPreview), &remarks_);
      remarks_ += body.size() > kJunkPreview ? "\"..." : "\"";
    }
    if (message.IsAnswer() && !recorded.request) {
      remarks_ += remarks_.empty() ? "answers no request" : ", answers no request";
    }
    if (notes.parent != 0 && !message.IsAnswer()) {
      if (!remarks_.empty()) remarks_ += ", ";
      remarks_ += notes.perhaps ? "perhaps during " : "during ";
      AppendNumber(notes.parent, &remarks_);
    }
    const size_t start = remarks_.size();
    if (number_ != "+") AppendRemarks(recorded, &remarks_);
    if (remarks_.size() == start) return;
    // Nothing else shows a header, and its carriage returns are what is wrong.
    if (number_ != "+" && (recorded.frame->oddities & wire::kDoubledCr)) {
      remarks_ += ": \"";
      wire::AppendEscaped(recorded.frame->head().substr(0, kJunkPreview), &remarks_);
      remarks_ += recorded.frame->head().size() > kJunkPreview ? "\"..." : "\"";
    }
    remarks_.insert(start, start == 0 ? "[" : " [");
    remarks_ += ']';
  }

  // Ends the row with what is in remarks_ (escaped already); where a terminal has no room for it,
  // on a line of its own.
  void Remarks(Paint paint) {
    if (remarks_.empty()) {
      out_->resize(out_->find_last_not_of(' ') + 1);
      *out_ += '\n';
      return;
    }
    const size_t width = options_.style.width;
    const size_t used = layout_.used() + 2;
    size_t room = width > used ? width - used : 0;
    if (layout_.narrow && ColumnsOf(remarks_) > room) {
      const size_t indent = layout_.start() - (layout_.kind == 0 ? 0 : layout_.kind + 1);
      out_->resize(out_->find_last_not_of(' ') + 1);
      *out_ += '\n';
      out_->append(indent, ' ');
      room = width > indent ? width - indent : 0;
    } else {
      *out_ += "  ";
    }
    *out_ += PaintOn(options_.style, paint);
    const size_t start = out_->size();
    *out_ += remarks_;
    if (width != 0) Clip(start, room);
    *out_ += PaintOff(options_.style, paint);
    *out_ += '\n';
  }

  void Rest(std::string_view text, Paint paint) {
    const size_t used = layout_.start();
    const size_t width = options_.style.width;
    *out_ += PaintOn(options_.style, paint);
    const size_t start = out_->size();
    wire::AppendEscaped(text, out_);
    if (width != 0) Clip(start, width > used ? width - used : 0);
    *out_ += PaintOff(options_.style, paint);
    *out_ += '\n';
  }

  void Body(const wire::Frame& frame) {
    if (frame.whole() && frame.body().size() <= kMaxPretty) {
      *out_ += kBodyIndent;
      wire::PrettyJson(Trimmed(frame.body()), [this](std::string_view piece) { Lines(piece); });
      *out_ += '\n';
    } else {
      Indented(frame.body());
    }
    if (frame.whole()) return;
    *out_ += kBodyIndent;
    *out_ += "... only the first ";
    AppendNumber(frame.body().size(), out_);
    *out_ += " bytes of the body; all of it: midwire show --raw\n";
  }

  static std::string_view Trimmed(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    return text;
  }

  void Indented(std::string_view text, bool shows_returns = false) {
    text = Trimmed(text);
    if (text.empty()) return;
    *out_ += kBodyIndent;
    Lines(text, shows_returns);
    *out_ += '\n';
  }

  // Text of any length, in pieces: the buffer does not grow with it. `shows_returns`: also those at
  // the ends of lines.
  void Lines(std::string_view text, bool shows_returns = false) {
    while (!text.empty()) {
      size_t size = std::min(text.size(), kPiece);
      if (size < text.size()) {
        // Between characters, and not within CR LF.
        const auto inner = [&] {
          return wire::IsWithinCharacter(text[size]) || text[size] == '\n';
        };
        for (int back = 0; back < 4 && inner(); ++back) --size;
      }
      std::string_view piece = text.substr(0, size);
      for (size_t at; shows_returns && (at = piece.find("\r\n")) != piece.npos;) {
        wire::AppendEscapedLines(piece.substr(0, at), kBodyIndent, out_);
        *out_ += "\\r";
        piece.remove_prefix(at + 1);
      }
      wire::AppendEscapedLines(piece, kBodyIndent, out_);
      text.remove_prefix(size);
      if (settles_) options_.settle();
    }
  }

  const PrintOptions options_;
  std::string* out_;
  const TimelineLayout layout_;
  size_t open_at_ = 0;
  bool settles_ = true;
  size_t excess_ = 0;  // columns by which the row is wider than its cells up to here
  std::string number_, remarks_, indented_;
};

}  // namespace

std::unique_ptr<Printer> MakeTextPrinter(const PrintOptions& options, std::string* out) {
  return std::make_unique<TextPrinter>(options, out);
}

}  // namespace midwire::view
