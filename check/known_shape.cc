#include "check/known_shape.h"

#include <algorithm>

#include "wire/json/cursor.h"
#include "wire/json/read_loose.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace midwire::check {
namespace {

// How many of the first `size` bytes of both are the same.
size_t CommonSize(const char* a, const char* b, size_t size) {
  size_t at = 0;
#if defined(__SSE2__)
  for (; size - at >= 16; at += 16) {
    const __m128i one = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + at));
    const __m128i other = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + at));
    const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(one, other)) ^ 0xffff;
    if (mask) return at + __builtin_ctz(mask);
  }
#endif
  while (at < size && a[at] == b[at]) ++at;
  return at;
}

}  // namespace

// Collects strings and numbers.
class KnownShape::Sink {
 public:
  Sink(const char* text, std::vector<Scalar>* scalars) : text_(text), scalars_(scalars) {}

  void Name(const char*, const char*, bool, size_t) {}
  void Scalar(const char* from, const char* to, size_t) {
    const std::string_view text(from, static_cast<size_t>(to - from));
    const bool number = *from == '-' || (*from >= '0' && *from <= '9');
    if (*from != '"' && !number) return;
    scalars_->push_back({static_cast<uint32_t>(from - text_), static_cast<uint32_t>(to - text_),
                         number, number && text.find_first_of(".eE") != text.npos, 0});
  }
  void Open(const char*, size_t) {}
  void Close(const char*, size_t) {}

 private:
  const char* const text_;
  std::vector<KnownShape::Scalar>* const scalars_;
};

bool KnownShape::Learn(const ShapeKey& key, std::string_view text, const PlaceValues& values) {
  key_ = key;
  text_ = text;
  scalars_.clear();
  places_.clear();
  differences_.clear();
  readers_.clear();
  epoch_ = changed_ = 0;
  Sink sink(text_.data(), &scalars_);
  wire::ReadLooseJson(text_, &sink);
  if (scalars_.size() > kMaxScalars) {
    *this = KnownShape();
    return false;
  }
  for (uint32_t node = 0; node < values.size(); ++node) {
    const std::string_view value = values.At(node);
    if (value.data() == nullptr) continue;
    const auto from = static_cast<uint32_t>(value.data() - text.data());
    places_.push_back({node, from, from + static_cast<uint32_t>(value.size())});
  }
  std::ranges::sort(places_, {}, &Place::from);
  return true;
}

// Where a value of the same type ends that begins at `at`; null: there is none.
const char* KnownShape::EndOf(const Scalar& scalar, const char* at, const char* end) {
  if (!scalar.number) {
    bool plain = false;
    return at != end && *at == '"' ? wire::SkipLooseString(at + 1, end, &plain) : nullptr;
  }
  const char* const stop = wire::SkipJsonNumber(at, end);
  if (stop == nullptr) return nullptr;
  const std::string_view number(at, static_cast<size_t>(stop - at));
  return (number.find_first_of(".eE") != number.npos) == scalar.fraction ? stop : nullptr;
}

bool KnownShape::Matches(const ShapeKey& key, std::string_view text) {
  if (!(key == key_)) return false;
  differences_.clear();
  changed_ = 0;
  const char* const known = text_.data();
  const char* const known_end = known + text_.size();
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  const char* there = known;
  auto scalar = scalars_.begin();
  for (;;) {
    const size_t most = static_cast<size_t>(std::min(end - at, known_end - there));
    const size_t same = CommonSize(at, there, most);
    const char* const differs = there + same;
    if (same == most && end - at == known_end - there) return true;
    // The scalar that the difference is in, or right behind it: 12 and 123.
    const auto offset = static_cast<uint32_t>(differs - known);
    while (scalar != scalars_.end() && scalar->to < offset + (scalar->number ? 0 : 1)) ++scalar;
    if (scalar == scalars_.end() || scalar->from > offset) return false;
    const char* const stop = EndOf(*scalar, at + (known + scalar->from - there), end);
    if (stop == nullptr) return false;
    changed_ |= scalar->bits;
    there = known + scalar->to;
    differences_.push_back({scalar->to, (stop - text.data()) - (there - known)});
    at = stop;
    ++scalar;
  }
}

void KnownShape::Fill(std::string_view text, PlaceValues* values) const {
  values->Start();
  size_t before = 0;
  for (const Place& place : places_) {
    while (before < differences_.size() && differences_[before].to <= place.from) ++before;
    size_t within = before;
    while (within < differences_.size() && differences_[within].to <= place.to) ++within;
    const int64_t from = place.from + (before > 0 ? differences_[before - 1].shift : 0);
    const int64_t to = place.to + (within > 0 ? differences_[within - 1].shift : 0);
    values->Set(place.node, text.data() + from, static_cast<size_t>(to - from));
  }
}

void KnownShape::StartReaders(uint64_t epoch) {
  epoch_ = epoch;
  readers_.clear();
  bits_ = 0;
  for (Scalar& scalar : scalars_) scalar.bits = 0;
}

void KnownShape::AddReader(uint32_t rule, std::string_view text, const RuleReads& reads,
                           uint64_t state) {
  if (bits_ == 64) return AddReader(rule);
  const uint64_t bit = uint64_t{1} << bits_;
  bool any = false;
  for (const std::string_view part : reads.parts) {
    if (part.data() < text.data() || part.data() + part.size() > text.data() + text.size()) {
      return AddReader(rule);
    }
    const auto from = static_cast<uint32_t>(part.data() - text.data());
    const auto first = std::ranges::lower_bound(scalars_, from + 1, {}, &Scalar::to);
    for (auto at = first; at != scalars_.end() && at->from < from + part.size(); ++at) {
      at->bits |= bit;
      any = true;
    }
  }
  if (!any && !reads.state) return;
  if (any) ++bits_;
  readers_.push_back({rule, false, reads.state, any ? bit : 0, state});
}

KnownShape* KnownShapes::Find(const ShapeKey& key, std::string_view text) {
  if (asleep()) return nullptr;
  if (shapes_.empty()) return nullptr;
  const size_t guess = after_[latest_];
  for (size_t i = 0; i < shapes_.size(); ++i) {
    const size_t at = (guess + i) % shapes_.size();
    KnownShape& shape = shapes_[at];
    if (!shape.Matches(key, text)) continue;
    latest_ = after_[latest_] = at;
    misses_ = 0;
    credit_ = std::min(credit_ + 1, kMostCredit);
    return &shape;
  }
  return nullptr;
}

KnownShape* KnownShapes::Next(std::string_view text, size_t* left) {
  ++misses_;
  if (text.size() > KnownShape::kMaxText || !text.starts_with('{')) return nullptr;
  if (credit_ < kPrice && misses_ % kSometimes != 0) return nullptr;
  credit_ = std::max(credit_ - kPrice, 0);
  size_t at = shapes_.size();
  if (*left > 0 && at < kShapes) {
    --*left;
    shapes_.emplace_back();
    after_.push_back(at);
  } else if (shapes_.empty()) {
    return nullptr;
  } else {
    at = replaced_ = (replaced_ + 1) % shapes_.size();
  }
  latest_ = after_[latest_] = at;
  return &shapes_[at];
}

void KnownShapes::DropReaders() {
  for (KnownShape& shape : shapes_) shape.DropReaders();
}

}  // namespace midwire::check
