#include "check/pieces.h"

#include <utility>

#include "wire/json/parts.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::check {
namespace {

// A pretty-printed list of tools has thousands of lines; what is longer is judged piece by piece.
constexpr size_t kMaxPieces = 20'000;
constexpr size_t kMaxText = 1 << 20;

}  // namespace

Pieces::Taken Pieces::Add(const trace::RecordedMessage& recorded) {
  const wire::Frame& frame = *recorded.frame;
  const bool invalid = recorded.message->kind == wire::Kind::kInvalid && frame.whole();
  if (pieces_.empty()) {
    // Only what ends too early: a text that closes is judged by itself.
    const std::string_view body = wire::Trimmed(frame.body());
    if (!invalid || !(recorded.message->flags & wire::kMalformed)) return Taken::kNo;
    if (!body.starts_with('{') && !body.starts_with('[')) return Taken::kNo;
    scanner_.Start(/*line=*/false);
  } else if (!invalid || frame.framing != wire::Framing::kLine) {
    return Taken::kNo;
  }
  auto piece = std::make_unique<Piece>();
  piece->is_frame = true;
  piece->recorded = recorded;
  piece->frame = frame;
  piece->message = *recorded.message;
  const bool line = frame.framing == wire::Framing::kLine;
  piece->text = frame.bytes;
  piece->frame.bytes = piece->text;
  piece->recorded.frame = &piece->frame;
  piece->recorded.message = &piece->message;
  const std::string_view bytes = line ? piece->frame.bytes : piece->frame.body();
  return Add(std::move(piece), bytes);
}

Pieces::Taken Pieces::Add(const trace::RecordedJunk& junk) {
  if (pieces_.empty() || junk.junk->size != junk.junk->bytes.size()) return Taken::kNo;
  auto piece = std::make_unique<Piece>();
  piece->text = junk.junk->bytes;
  piece->bytes = *junk.junk;
  piece->bytes.bytes = piece->text;
  piece->junk = junk;
  piece->junk.junk = &piece->bytes;
  const std::string_view bytes = piece->text;
  return Add(std::move(piece), bytes);
}

Pieces::Taken Pieces::Add(std::unique_ptr<Piece> piece, std::string_view bytes) {
  if (pieces_.size() >= kMaxPieces || text_.size() + bytes.size() > kMaxText) return Taken::kNo;
  text_ += bytes;
  const size_t used = scanner_.Feed(bytes);
  const bool first = pieces_.empty();
  const bool rest = bytes.find_first_not_of(" \t\r\n", used) != bytes.npos;
  if ((first && scanner_.done()) || (scanner_.done() && (rest || !wire::IsLooseJson(text_)))) {
    if (first) text_.clear();
    return Taken::kNo;
  }
  pieces_.push_back(std::move(piece));
  return scanner_.done() ? Taken::kComplete : Taken::kYes;
}

std::vector<std::unique_ptr<Pieces::Piece>> Pieces::Take() {
  text_.clear();
  return std::exchange(pieces_, {});
}

}  // namespace midwire::check
