#include "trace/redact/text_windows.h"

#include <algorithm>

#include "trace/redact/nested_encoding.h"

namespace midwire::trace::redact {
namespace {

// A secret may straddle two windows, so the end of one is searched again with the next.
constexpr size_t kWindow = 4u << 20;
// A secret that a pattern finds is shorter: a private key of 16384 bits has 13 KiB.
constexpr size_t kLongestMatch = 64u << 10;
// How much longer than its value a secret may be spelt: \u escapes, twice.
constexpr size_t kMaxSpelling = 12;

// Whether a line that begins with `c`, its first column not blank, begins a new text: it cannot
// close or continue a printed object.
bool BeginsText(char c) {
  return std::string_view(" \t\r\n}]\",").find(c) == std::string_view::npos;
}

}  // namespace

TextWindows::TextWindows(TraceSecrets* secrets, Patches* patches, Stream stream,
                         const StreamedPlaces& places)
    : secrets_(secrets),
      patches_(patches),
      stream_(stream),
      places_(places.pointers, TokenKey{}, places.names) {}

void TextWindows::Forget() {
  places_.Start();
  line_start_ = true;
}

Status TextWindows::Append(uint64_t offset, std::string_view bytes) {
  if (was_.empty()) offset_ = offset;
  was_ += bytes;
  now_ += bytes;
  FindPlaces(bytes, offset_ + was_.size() - bytes.size());
  return was_.size() < kWindow ? Status(Ok{}) : Look(/*all=*/false);
}

void TextWindows::FindPlaces(std::string_view bytes, uint64_t offset) {
  while (!bytes.empty()) {
    if (line_start_ && BeginsText(bytes.front())) places_.Start();
    const size_t size = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    line_start_ = bytes[size - 1] == '\n';
    places_.Locate(bytes.substr(0, size), offset, &placed_);
    bytes.remove_prefix(size);
    offset += size;
  }
}

// Calls visit(at, size) for what is at secret places in the window, as far as it is there.
template <typename Visit>
void TextWindows::EachPlaced(const Visit& visit) const {
  for (const Redactor::Place& place : placed_) {
    const uint64_t from = std::max(place.at, offset_);
    visit(static_cast<size_t>(from - offset_), static_cast<size_t>(place.at + place.size - from));
  }
}

// Finds or hides what is known of the window, and moves on.
Status TextWindows::Look(bool all) {
  size_t cut = all ? was_.size() : Cut();
  const Status done = patches_ == nullptr ? Find(all, &cut) : Hide(cut);
  offset_ += cut;
  was_.erase(0, cut);
  now_.erase(0, cut);
  std::erase_if(placed_,
                [&](const Redactor::Place& place) { return place.at + place.size <= offset_; });
  return done;
}

// Finds what begins before *cut. What may continue in the next window is left to it: *cut moves to
// its beginning.
Status TextWindows::Find(bool all, size_t* cut) {
  Status done = Ok{};
  secrets_->finder().InText(was_, [&](std::string_view value, const Found& found) {
    const bool unfinished = !all && found.at + value.size() >= was_.size();
    if (unfinished && found.at > kWindow / 4) *cut = std::min(*cut, found.at);
    if (found.at < *cut && done) {
      done = secrets_->Add(value, found, {.stream = stream_, .offset = offset_ + found.at});
    }
    return std::string();
  });
  EachPlaced([&](size_t at, size_t size) {
    if (at >= *cut || !done) return;
    const std::string value = ValueOf(std::string_view(was_).substr(at, size));
    done = secrets_->Add(value, {.rule = "name"}, {.stream = stream_, .offset = offset_ + at});
  });
  return done;
}

Status TextWindows::Hide(size_t cut) {
  EachPlaced([&](size_t at, size_t size) {
    now_.replace(at, size, was_, at, size);
    secrets_->values().RewriteAll(now_.data() + at, size);
  });
  secrets_->HideInText(was_, &now_);
  return patches_->Add(offset_, std::string_view(was_).substr(0, cut),
                       std::string_view(now_).substr(0, cut));
}

// Up to where no value is unfinished.
size_t TextWindows::Cut() const {
  size_t keep = secrets_->values().longest() * kMaxSpelling + 64;
  if (secrets_->has_patterns()) keep = std::max(keep, kLongestMatch);
  keep = std::min(keep, kWindow / 2);
  size_t cut = was_.size() - keep;
  EachPlaced([&](size_t at, size_t size) {
    if (at < cut && cut <= at + size) cut = std::max(at, std::min(cut, kWindow / 4));
  });
  return cut;
}

}  // namespace midwire::trace::redact
