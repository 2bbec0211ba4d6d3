#include "trace/cassette_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "trace/cassette_format.h"

namespace midwire::trace {
namespace {

using namespace cassette;

constexpr size_t kRead = 256 * 1024;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanksOfLine = " \t\r";

// Lines without bytes leave no place, so there are never more places than bytes.
void AddLine(uint64_t at, uint64_t line, std::vector<LinePlace>* lines) {
  if (!lines->empty() && lines->back().at == at) lines->pop_back();
  lines->push_back({at, line});
}

bool IsBlank(std::string_view text) { return text.find_first_not_of(kBlanksOfLine) == text.npos; }

}  // namespace

CassetteReader::CassetteReader(std::unique_ptr<Source> source, std::string_view start)
    : source_(std::move(source)), buffer_(start), end_(start.size()) {
  // Some editors write a byte order mark; it is not damage.
  if (start.starts_with(kByteOrderMark)) Consume(kByteOrderMark.size(), /*ends_line=*/false);
}

bool CassetteReader::Recognises(std::string_view start, bool ended) {
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  if (start.starts_with(kMagic)) return true;
  // Edited: the header may be spelt differently, damaged, or missing.
  CassetteLine line;
  while (!start.empty()) {
    size_t end = std::min(start.find('\n'), start.size());
    if (end == start.size() && !ended) return false;
    if (ParseCassetteLine(start.substr(0, end), {}, &line) == nullptr &&
        line.kind != CassetteLine::Kind::kUnknown) {
      return true;
    }
    start.remove_prefix(std::min(end + 1, start.size()));
  }
  return false;
}

void CassetteReader::Consume(size_t size, bool ends_line) {
  begin_ += size;
  offset_ += size;
  number_ += ends_line;
  searched_ = 0;
}

Result<bool> CassetteReader::Fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  // Rarely: making room costs more than a short read.
  if (buffer_.size() - end_ < kRead / 4) buffer_.resize(end_ + kRead);
  Result<size_t> got = source_->Read(buffer_.data() + end_, buffer_.size() - end_);
  if (!got) return got.error();
  end_ += *got;
  return *got > 0;
}

// The next line, without its end, or the available part of one that is too long.
Result<bool> CassetteReader::FindLine(std::string_view* line) {
  for (;;) {
    std::string_view rest = pending();
    size_t end = rest.find('\n', searched_);
    if (end != rest.npos || rest.size() > kMaxLine) {
      *line = rest.substr(0, end);
      return true;
    }
    searched_ = rest.size();
    Result<bool> more = Fill();
    if (!more) return more.error();
    if (!*more) {
      *line = pending();
      return false;
    }
  }
}

Step CassetteReader::Report(uint64_t offset, uint64_t bytes, std::string reason) {
  damage_ = {offset, bytes, std::move(reason), number_};
  damaged_bytes_ += bytes;
  return Step::kDamage;
}

// The held beginning of a record has no continuation: returns it as it is.
void CassetteReader::ReleaseHeld() {
  line_.segments.assign(1, std::exchange(held_, {}));
  line_.segments[0].more = false;
  line_.bytes = std::exchange(held_bytes_, {});
  first_lines_ = std::exchange(held_lines_, {});
  segment_ = at_ = 0;
}

// Joins a record that two lines share, and holds one that the next line continues.
void CassetteReader::OnItem() {
  std::vector<CassetteSegment>& segments = line_.segments;
  other_line_ = {0, number_};
  first_lines_.assign(1, other_line_);
  if (held_.more) {
    bool same = !segments.empty() && segments[0].stream == held_.stream &&
                held_.size + segments[0].size <= kMaxSegment;
    if (same) {
      AddLine(held_.size, number_, &held_lines_);
      held_.size += segments[0].size;
      held_.more = segments[0].more;
      segments[0] = held_;
    } else {
      held_.more = false;
      segments.insert(segments.begin(), held_);
    }
    line_.bytes.insert(0, held_bytes_);
    first_lines_ = std::exchange(held_lines_, {});
    held_ = {};
    held_bytes_.clear();
  }
  if (!segments.empty() && segments.back().more) {
    held_ = segments.back();
    segments.pop_back();
    held_bytes_ = line_.bytes.substr(line_.bytes.size() - held_.size);
    held_lines_ = segments.empty() ? first_lines_ : std::vector<LinePlace>{other_line_};
  }
  segment_ = at_ = 0;
}

// True: report *step. The line is consumed, unless another step comes first.
Result<bool> CassetteReader::OnLine(std::string_view text, size_t bytes, Step* step) {
  const char* reason = IsBlank(text) ? nullptr : ParseCassetteLine(text, clock_, &line_);
  if (IsBlank(text)) line_.kind = CassetteLine::Kind::kUnknown;
  bool reports = false;
  if (reason != nullptr) {
    *step = Report(offset_, bytes, reason);
    line_.segments.clear();
    reports = true;
  } else if (line_.kind == CassetteLine::Kind::kItem) {
    anything_seen_ = true;
    OnItem();
  } else if (line_.kind == CassetteLine::Kind::kHeader) {
    if (held_.more) {
      ReleaseHeld();
      return false;
    }
    if (line_.version > kVersion) {
      return Error{"a cassette of version " + std::to_string(line_.version), "",
                   "this midwire reads version " + std::to_string(kVersion) + "; use a newer one"};
    }
    clock_ = {line_.start_ns, line_.start_ns};
    segment_ = at_ = 0;
    first_lines_.assign(1, {0, number_});
    if (!line_.bytes.empty()) {
      line_.segments.push_back({.time_ns = line_.start_ns, .size = line_.bytes.size()});
    }
    *step = Step::kSection;
    reports = std::exchange(anything_seen_, true);
  }
  Consume(bytes, /*ends_line=*/bytes > text.size());
  return reports;
}

bool CassetteReader::HandOut(Record* record) {
  if (segment_ == line_.segments.size()) return false;
  record->lines = segment_ == 0 ? std::span<const LinePlace>(first_lines_)
                                : std::span<const LinePlace>(&other_line_, 1);
  const CassetteSegment& segment = line_.segments[segment_++];
  std::string_view bytes = std::string_view(line_.bytes).substr(at_, segment.size);
  at_ += segment.size;
  record->stream = segment.stream;
  record->hint = segment.hint;
  record->time_ns = clock_.latest_ns = segment.time_ns;
  record->head = bytes.substr(0, segment.head);
  record->body = bytes.substr(record->head.size());
  return true;
}

Result<Step> CassetteReader::Next(Record* record) {
  for (;;) {
    if (HandOut(record)) return Step::kRecord;
    line_.segments.clear();
    segment_ = 0;
    std::string_view text;
    Result<bool> found = FindLine(&text);
    if (!found) return found.error();
    bool ended = begin_ + text.size() < end_;  // by a line end
    if (skipping_ || text.size() > kMaxLine) {
      if (text.empty() && !ended) return Step::kWait;
      skipping_ = !ended;
      const size_t bytes = text.size() + ended;
      const Step damaged = Report(offset_, bytes, "a line longer than 8 MiB");
      Consume(bytes, ended);
      return damaged;
    }
    Step step;
    if (*found) {
      Result<bool> reports = OnLine(text, text.size() + 1, &step);
      if (!reports) return reports.error();
      if (*reports) return step;
      continue;
    }
    // The last line may lack its end: written by hand, or the writer was killed.
    CassetteLine last;
    bool whole = ParseCassetteLine(text, clock_, &last) == nullptr;
    torn_bytes_ = whole || IsBlank(text) ? 0 : text.size();
    if (whole && !text.empty()) {
      Result<bool> reports = OnLine(text, text.size(), &step);
      if (!reports) return reports.error();
      if (*reports) return step;
      continue;
    }
    if (!held_.more) return Step::kWait;
    ReleaseHeld();
  }
}

}  // namespace midwire::trace
