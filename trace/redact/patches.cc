#include "trace/redact/patches.h"

#include <algorithm>
#include <cstring>

namespace midwire::trace::redact {
namespace {

// A patch in the store: offset, size, bytes. Longer ones are split.
struct Head {
  uint64_t offset;
  uint64_t size;
};
constexpr size_t kMaxPatch = 64 * 1024;
// Equal bytes within a patch that are cheaper to repeat than another head.
constexpr size_t kJoin = sizeof(Head);

}  // namespace

Status Patches::Add(uint64_t offset, std::string_view was, std::string_view now) {
  size_t at = 0;
  while (true) {
    at = static_cast<size_t>(std::mismatch(was.begin() + static_cast<ptrdiff_t>(at), was.end(),
                                           now.begin() + static_cast<ptrdiff_t>(at))
                                 .first -
                             was.begin());
    if (at == was.size()) return Ok{};
    size_t end = at + 1;
    for (size_t i = end; i < was.size() && i - end < kJoin && i - at < kMaxPatch; ++i) {
      if (was[i] != now[i]) end = i + 1;
    }
    if (Status added = AddOne(offset + at, now.substr(at, end - at)); !added) return added;
    at = end;
  }
}

Status Patches::AddOne(uint64_t offset, std::string_view bytes) {
  const Head head{offset, bytes.size()};
  std::string entry(sizeof head, '\0');
  std::memcpy(entry.data(), &head, sizeof head);
  entry += bytes;
  const Result<uint64_t> added = store_.Add(entry);
  if (!added) return added.error();
  written_ += entry.size();
  return Ok{};
}

Status Patches::ReadOn() {
  const Result<std::string_view> stored = store_.Get(read_, sizeof(Head));
  if (!stored) return stored.error();
  Head head;
  std::memcpy(&head, stored->data(), sizeof head);
  const Result<std::string_view> bytes = store_.Get(read_ + sizeof head, head.size);
  if (!bytes) return bytes.error();
  offset_ = head.offset;
  bytes_ = *bytes;
  read_ += sizeof head + head.size;
  return Ok{};
}

Status Patches::Apply(uint64_t offset, char* bytes, size_t size) {
  while (true) {
    if (bytes_.empty()) {
      if (read_ == written_) return Ok{};
      if (Status read = ReadOn(); !read) return read;
    }
    const uint64_t from = std::max(offset, offset_);
    const uint64_t to = std::min(offset + size, offset_ + bytes_.size());
    if (from < to)
      std::memcpy(bytes + (from - offset), bytes_.data() + (from - offset_), to - from);
    if (offset_ + bytes_.size() > offset + size) return Ok{};
    bytes_.clear();
  }
}

}  // namespace midwire::trace::redact
