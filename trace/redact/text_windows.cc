#include "trace/redact/text_windows.h"

#include <algorithm>
#include <functional>

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

// Calls visit(at, size) for each run of marks.
void VisitMarks(std::string_view marks, const std::function<void(size_t, size_t)>& visit) {
  for (size_t at = 0; (at = marks.find(Redactor::kMark, at)) != marks.npos;) {
    const size_t end = std::min(marks.find_first_not_of(Redactor::kMark, at), marks.size());
    visit(at, end - at);
    at = end;
  }
}

}  // namespace

TextWindows::TextWindows(TraceSecrets* secrets, Patches* patches, Stream stream,
                         const StreamedPlaces& places)
    : secrets_(secrets),
      patches_(patches),
      stream_(stream),
      marker_(places.pointers, Redactor::Key{}, places.names) {
  marker_.MarkOnly();
}

void TextWindows::Forget() {
  marker_.Start();
  line_start_ = true;
}

Status TextWindows::Append(uint64_t offset, std::string_view bytes) {
  if (was_.empty()) offset_ = offset;
  for (std::string* text : {&was_, &now_, &marks_}) *text += bytes;
  MarkPlaces(marks_.size() - bytes.size());
  return was_.size() < kWindow ? Status(Ok{}) : Look(/*all=*/false);
}

void TextWindows::MarkPlaces(size_t from) {
  for (size_t at = from; at < marks_.size();) {
    if (line_start_ && BeginsText(marks_[at])) marker_.Start();
    const size_t end = std::min(marks_.find('\n', at), marks_.size() - 1) + 1;
    line_start_ = marks_[end - 1] == '\n';
    marker_.Rewrite(marks_.data() + at, end - at);
    at = end;
  }
}

// Finds or hides what is known of the window, and moves on.
Status TextWindows::Look(bool all) {
  size_t cut = all ? was_.size() : Cut();
  const Status done = patches_ == nullptr ? Find(all, &cut) : Hide(cut);
  offset_ += cut;
  for (std::string* text : {&was_, &now_, &marks_}) text->erase(0, cut);
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
  VisitMarks(marks_, [&](size_t at, size_t size) {
    if (at >= *cut || !done) return;
    const std::string value = ValueOf(std::string_view(was_).substr(at, size));
    done = secrets_->Add(value, {.rule = "name"}, {.stream = stream_, .offset = offset_ + at});
  });
  return done;
}

Status TextWindows::Hide(size_t cut) {
  VisitMarks(marks_, [&](size_t at, size_t size) {
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
  while (cut > kWindow / 4 && marks_[cut - 1] == Redactor::kMark) --cut;
  return cut;
}

}  // namespace midwire::trace::redact
