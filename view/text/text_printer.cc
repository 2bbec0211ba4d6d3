// The timeline for people. Columns: number, seconds, arrow, kind, method, id, size, latency,
// remarks.
#include <algorithm>
#include <string>

#include "view/text/append.h"
#include "view/text/printer.h"
#include "wire/json/escape.h"
#include "wire/json/format.h"
#include "wire/json/parts.h"
#include "wire/json/value.h"

namespace midwire::view {
namespace {

using trace::RecordedMessage;
using wire::Direction;
using wire::Kind;

constexpr size_t kNumber = 5, kTime = 11, kKind = 12, kSize = 9, kLatency = 7;
// The columns of method and id are narrower on a narrow terminal. In a pipe they fit real
// protocols.
constexpr size_t kWideMethod = 32, kNarrowMethod = 18;
constexpr size_t kWideId = 12, kNarrowId = 6;
// Number, time, arrow, kind, method, id, size, latency: eight columns and their blanks.
constexpr size_t kFixed =
    kNumber + 1 + kTime + 1 + 2 + 1 + kKind + 1 + 1 + 1 + kSize + 1 + kLatency;
// Remarks get at least this much, or a line of their own.
constexpr size_t kLeastRemarks = 24;
// How much of junk is shown on its line; --body shows all of it.
constexpr size_t kJunkPreview = 120;
// Bodies above this are printed as they stand: indented they are no easier to read, and longer.
constexpr size_t kMaxPretty = 8u << 20;
// How much of a body is escaped before the buffer may be written out.
constexpr size_t kPiece = 64 * 1024;
constexpr std::string_view kBodyIndent = "        ";

constexpr Paint kKindPaint[] = {Paint::kCyan,   Paint::kGreen,   Paint::kRed,
                                Paint::kYellow, Paint::kMagenta, Paint::kRed};

class TextPrinter : public Printer {
 public:
  TextPrinter(const PrintOptions& options, std::string* out) : options_(options), out_(out) {
    const size_t width = options.style.width;
    const size_t wide = kFixed + kWideMethod + kWideId + kLeastRemarks;
    narrow_ = width != 0 && width < wide;
    id_ = narrow_ ? kNarrowId : kWideId;
    method_ = kWideMethod;
    if (narrow_) {
      const size_t left = width > kFixed + id_ ? width - kFixed - id_ : 0;
      method_ = std::clamp(left, kNarrowMethod, kWideMethod);
    }
  }

  void Message(At at, const RecordedMessage& recorded) override {
    number_.clear();
    AppendNumber(recorded.number, &number_);
    Row(at, recorded, recorded.frame->size);
    if (options_.body) Body(*recorded.frame);
  }

  void Element(At at, const RecordedMessage& recorded) override {
    number_ = "+";
    Row(at, recorded, std::nullopt);
  }

  void Junk(At at, const trace::RecordedJunk& recorded) override {
    number_.clear();
    Start(at, ArrowOf(recorded.direction), Paint::kMagenta, "junk");
    Cell(wire::Name(recorded.junk->reason), method_ + 1 + id_ + 1 + kSize, recorded.junk->size);
    remarks_ = '"';
    const std::string_view bytes = recorded.junk->bytes;
    wire::AppendEscaped(bytes.substr(0, kJunkPreview), &remarks_);
    remarks_ += bytes.size() > kJunkPreview ? "\"..." : "\"";
    out_->append(kLatency + 1, ' ');
    Remarks(Paint::kNone);
    if (options_.body && bytes.size() > kJunkPreview) Indented(bytes);
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

  void Damage(const trace::Damage& damage) override {
    number_.clear();
    Start(std::nullopt, "!!", Paint::kRed, "damage");
    std::string text;
    AppendNumber(damage.bytes, &text);
    text += " bytes at offset ";
    AppendNumber(damage.offset, &text);
    text += ": " + damage.reason;
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
    *out_ += PaintOn(options_.style, Paint::kDim);
    size_t start = out_->size();
    *out_ += number_;
    PadLeft(start, kNumber, out_);
    *out_ += ' ';
    start = out_->size();
    if (at) {
      AppendSeconds(*at, out_);
    } else {
      *out_ += '-';
    }
    PadLeft(start, kTime, out_);
    *out_ += PaintOff(options_.style, Paint::kDim);
    *out_ += ' ';
    *out_ += arrow;
    *out_ += ' ';
    Painted(kind, paint);
    out_->append(kKind + 1 - std::min(kind.size(), kKind), ' ');
  }

  // Escaped, padded to `columns`, and on a terminal cut to them.
  void Column(std::string_view text, size_t columns) {
    const size_t start = out_->size();
    wire::AppendEscaped(text, out_);
    if (options_.style.width != 0) Clip(start, columns);
    PadRight(start, columns, out_);
    *out_ += ' ';
  }

  void Cell(std::string_view text, size_t columns, uint64_t number) {
    std::string digits;
    AppendNumber(number, &digits);
    Column(text, columns - std::min(columns, digits.size() + 1));
    *out_ += digits;
  }

  void Clip(size_t start, size_t columns) {
    const std::string_view text = std::string_view(*out_).substr(start);
    if (text.size() <= columns || ColumnsOf(text) <= columns) return;
    out_->resize(start + PrefixOfColumns(text, columns == 0 ? 0 : columns - 1));
    if (columns != 0) *out_ += "\u2026";
  }

  void Row(At at, const RecordedMessage& recorded, std::optional<uint64_t> size) {
    const wire::Message& message = *recorded.message;
    const int kind = static_cast<int>(message.kind);
    Start(at, ArrowOf(recorded.direction), kKindPaint[kind], wire::Name(message.kind));
    Column(MethodOf(recorded), method_);
    Column(message.id.token, id_);
    size_t start = out_->size();
    if (size) AppendNumber(*size, out_);
    PadLeft(start, kSize, out_);
    *out_ += ' ';
    start = out_->size();
    if (const std::optional<int64_t> latency = LatencyOf(recorded)) AppendDuration(*latency, out_);
    PadLeft(start, kLatency, out_);
    remarks_.clear();
    AppendTail(recorded);
    Remarks(message.kind == Kind::kError ? Paint::kRed : Paint::kDim);
  }

  void AppendTail(const RecordedMessage& recorded) {
    const wire::Message& message = *recorded.message;
    if (message.kind == Kind::kError) {
      if (message.error_code) AppendNumber(*message.error_code, &remarks_);
      if (message.error_code && !message.error_message.empty()) remarks_ += ' ';
      wire::AppendEscaped(message.error_message, &remarks_);
    }
    if (message.kind == Kind::kBatch) {
      AppendNumber(message.elements.size(), &remarks_);
      remarks_ += message.elements.size() == wire::kMaxBatchElements ? "+ elements" : " elements";
    }
    if (message.IsAnswer() && !recorded.request) {
      remarks_ += remarks_.empty() ? "answers no request" : ", answers no request";
    }
    const size_t start = remarks_.size();
    if (number_ != "+") AppendRemarks(recorded, &remarks_);
    if (remarks_.size() == start) return;
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
    const size_t used = kFixed + method_ + id_ + 2;
    size_t room = width > used ? width - used : 0;
    if (narrow_ && ColumnsOf(remarks_) > room) {
      constexpr size_t kIndent = kNumber + 1 + kTime + 1 + 2 + 1;
      out_->resize(out_->find_last_not_of(' ') + 1);
      *out_ += '\n';
      out_->append(kIndent, ' ');
      room = width > kIndent ? width - kIndent : 0;
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
    constexpr size_t kUsed = kNumber + 1 + kTime + 1 + 2 + 1 + kKind + 1;
    const size_t width = options_.style.width;
    *out_ += PaintOn(options_.style, paint);
    const size_t start = out_->size();
    wire::AppendEscaped(text, out_);
    if (width != 0) Clip(start, width > kUsed ? width - kUsed : 0);
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

  void Indented(std::string_view text) {
    text = Trimmed(text);
    if (text.empty()) return;
    *out_ += kBodyIndent;
    Lines(text);
    *out_ += '\n';
  }

  // Text of any length, in pieces: the buffer does not grow with it.
  void Lines(std::string_view text) {
    while (!text.empty()) {
      size_t size = std::min(text.size(), kPiece);
      if (size < text.size()) {
        // Between characters, and not within CR LF.
        const auto inner = [&] { return (text[size] & 0xC0) == 0x80 || text[size] == '\n'; };
        for (int back = 0; back < 4 && inner(); ++back) --size;
      }
      wire::AppendEscapedLines(text.substr(0, size), kBodyIndent, out_);
      text.remove_prefix(size);
      options_.settle();
    }
  }

  const PrintOptions options_;
  std::string* out_;
  size_t method_ = 0, id_ = 0;
  bool narrow_ = false;
  std::string number_, remarks_;
};

}  // namespace

std::unique_ptr<Printer> MakeTextPrinter(const PrintOptions& options, std::string* out) {
  return std::make_unique<TextPrinter>(options, out);
}

}  // namespace midwire::view
