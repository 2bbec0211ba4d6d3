#include "tools/replaying/kept_lines.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "trace/cassette_format.h"
#include "wire/json/parts.h"

namespace midwire::tools {
namespace {

using trace::CassetteLine;

constexpr size_t kRead = 64 * 1024;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view EndOf(std::string_view line) {
  return line.ends_with("\r\n") ? "\r\n" : line.ends_with('\n') ? "\n" : "";
}

std::string_view WithoutEnd(std::string_view line) {
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  line.remove_suffix(EndOf(line).size());
  return line;
}

bool IsReadable(std::string_view line) {
  CassetteLine parsed;
  return trace::ParseCassetteLine(WithoutEnd(line), {}, &parsed) == nullptr;
}

// Nothing that the format knows: a comment, a blank line, a misspelt member.
bool IsUsers(std::string_view line) {
  CassetteLine parsed;
  return trace::ParseCassetteLine(WithoutEnd(line), {}, &parsed) != nullptr ||
         parsed.kind == CassetteLine::Kind::kUnknown;
}

// Which pieces the bytes came in is not compared, as the writer gets whole messages. `same_start`:
// nor are times.
bool SaysTheSame(const CassetteLine& a, const CassetteLine& b, bool same_start) {
  if (a.kind != b.kind || a.bytes != b.bytes) return false;
  if (a.kind == CassetteLine::Kind::kHeader) {
    return a.version == b.version && a.start_ns == b.start_ns;
  }
  return !a.segments.empty() && !b.segments.empty() &&
         a.segments[0].stream == b.segments[0].stream &&
         a.segments.back().more == b.segments.back().more &&
         (same_start || a.segments.back().time_ns == b.segments.back().time_ns);
}

const wire::RawMember* Find(const std::vector<wire::RawMember>& members, std::string_view name) {
  for (const wire::RawMember& member : members) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

bool IsKnownName(std::string_view name) {
  constexpr std::string_view kNames[] = {"from", "at",   "framing", "head",   "tail", "message",
                                         "body", "junk", "part",    "stderr", "event"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// The new line with what the user's line has beyond it: members such as "comment", and the line's
// end. Also their order and their blanks, if both have the same members of the format.
std::string InPlaceOf(std::string_view users, std::string_view line) {
  const std::string_view from = WithoutEnd(users), to = WithoutEnd(line);
  std::vector<wire::RawMember> old, fresh;
  if (!wire::RawMembers(from, &old) || !wire::RawMembers(to, &fresh)) return std::string(line);
  const auto known = std::count_if(old.begin(), old.end(),
                                   [](const auto& member) { return IsKnownName(member.name); });
  const bool alike = known == static_cast<ptrdiff_t>(fresh.size()) &&
                     std::all_of(fresh.begin(), fresh.end(), [&](const auto& member) {
                       return Find(old, member.name) != nullptr;
                     });
  std::string made;
  if (alike) {
    const char* at = from.data();
    for (const wire::RawMember& member : old) {
      made.append(at, member.value.data());
      const wire::RawMember* const now = Find(fresh, member.name);
      made += now != nullptr ? now->value : member.value;
      at = member.value.data() + member.value.size();
    }
    made.append(at, from.data() + from.size());
  } else {
    made = to.substr(0, to.size() - 1);
    for (const wire::RawMember& member : old) {
      if (IsKnownName(member.name)) continue;
      ((made += ",\"") += member.name) += "\":";
      made += member.value;
    }
    made += '}';
  }
  return made += EndOf(users).empty() ? "\n" : EndOf(users);
}

}  // namespace

Result<bool> KeptLines::ReadLine() {
  for (size_t searched = 0;;) {
    const size_t end = buffer_.find('\n', searched);
    const bool too_long = end == buffer_.npos && buffer_.size() > trace::cassette::kMaxLine;
    if (end != buffer_.npos || too_long || (old_ended_ && !buffer_.empty())) {
      const size_t size = end == buffer_.npos ? buffer_.size() : end + 1;
      // A piece of a line that is too long has the number of the line before it.
      number_ += !too_long;
      std::string text = buffer_.substr(0, size);
      const bool piece = std::exchange(in_long_line_, too_long) || too_long;
      const bool users = piece || IsUsers(text);
      lines_.push_back({std::move(text), users});
      buffer_.erase(0, size);
      return true;
    }
    if (old_ended_) return false;
    searched = buffer_.size();
    buffer_.resize(searched + kRead);
    const Result<size_t> got = old_->Read(buffer_.data() + searched, kRead);
    if (!got) return got.error();
    buffer_.resize(searched + *got);
    old_ended_ = *got == 0;
  }
}

Status KeptLines::Reach(uint64_t line) {
  reached_ = std::max(reached_, line);
  while (number_ < reached_) {
    const Result<bool> more = ReadLine();
    if (!more) return more.error();
    if (!*more) break;
    if (lines_.size() > 1 || !lines_[0].users) continue;
    if (Status written = Pass(); !written) return written;
  }
  return Ok{};
}

Status KeptLines::PutText(std::string_view text) {
  if (std::exchange(mid_line_, !text.ends_with('\n') && !in_long_line_)) {
    if (Status written = to_->Write("\n"); !written) return written;
  }
  return to_->Write(text);
}

// Of the next `count` lines, those of the user.
Status KeptLines::PutUsers(size_t count) {
  Status written = Ok{};
  for (; count > 0 && written; --count) {
    if (lines_.front().users) written = PutText(lines_.front().text);
    lines_.pop_front();
  }
  return written;
}

Status KeptLines::Pass() { return PutUsers(lines_.size()); }

Status KeptLines::Write(std::string_view line) {
  // A header is written with the first record, whatever that is.
  if (additional_ && !line.starts_with(trace::cassette::kMagic)) return PutText(line);
  CassetteLine fresh, old;
  bool is_parsed = false;
  size_t latest = lines_.size();  // of the kind and the stream of this one
  for (size_t i = 0; i < lines_.size(); ++i) {
    const std::string_view text = lines_[i].text;
    if (text != line) {
      if (lines_[i].users) continue;
      if (!std::exchange(is_parsed, true)) {
        trace::ParseCassetteLine(WithoutEnd(line), {}, &fresh);
      }
      if (trace::ParseCassetteLine(WithoutEnd(text), {}, &old) != nullptr) continue;
      if (old.kind == fresh.kind && !old.segments.empty() && !fresh.segments.empty() &&
          old.segments[0].stream == fresh.segments[0].stream) {
        latest = i;
      }
      // Times of lines are relative to that of their header, which the writer may change.
      if (old.kind == CassetteLine::Kind::kHeader && fresh.kind == old.kind) {
        same_start_ = old.start_ns == fresh.start_ns;
      }
      if (!SaysTheSame(old, fresh, same_start_)) continue;
    }
    if (text == line && line.starts_with(trace::cassette::kMagic)) same_start_ = true;
    const std::string same(text);
    if (Status written = PutUsers(i); !written) return written;
    lines_.pop_front();
    return PutText(same);
  }
  if (latest == lines_.size()) return PutText(line);
  const std::string made = InPlaceOf(lines_[latest].text, line);
  if (Status written = PutUsers(latest); !written) return written;
  lines_.pop_front();
  return PutText(made);
}

Status KeptLines::Finish() {
  if (Status passed = Pass(); !passed) return passed;
  for (;;) {
    const Result<bool> more = ReadLine();
    if (!more) return more.error();
    if (!*more) return Ok{};
    // What a killed writer left of a line is dropped.
    const bool torn = !lines_[0].text.ends_with('\n') && !IsReadable(lines_[0].text);
    if (torn && old_ended_) return Ok{};
    if (Status passed = Pass(); !passed) return passed;
  }
}

}  // namespace midwire::tools
