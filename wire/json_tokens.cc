#include "wire/json_tokens.h"

#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace midwire::wire {
namespace {

// Most parts have less than 32 bytes: inlined, as a call of memcmp costs as much as the comparison.
[[gnu::always_inline]] inline bool SameBytes(const char* a, const char* b, size_t size) {
#if defined(__SSE2__)
  const auto same = [&](size_t at) {
    const __m128i one = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + at));
    const __m128i other = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + at));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(one, other)) == 0xffff;
  };
  if (size >= 16 && size <= 32) return same(0) && same(size - 16);
#endif
  if (size >= 8 && size <= 16) {
    uint64_t first[2], last[2];
    std::memcpy(&first[0], a, 8);
    std::memcpy(&first[1], b, 8);
    std::memcpy(&last[0], a + size - 8, 8);
    std::memcpy(&last[1], b + size - 8, 8);
    return first[0] == first[1] && last[0] == last[1];
  }
  if (size >= 4 && size < 8) {
    uint32_t first[2], last[2];
    std::memcpy(&first[0], a, 4);
    std::memcpy(&first[1], b, 4);
    std::memcpy(&last[0], a + size - 4, 4);
    std::memcpy(&last[1], b + size - 4, 4);
    return first[0] == first[1] && last[0] == last[1];
  }
  if (size < 4) {  // such as a comma
    for (; size > 0; --size, ++a, ++b) {
      if (*a != *b) return false;
    }
    return true;
  }
  return std::memcmp(a, b, size) == 0;
}

}  // namespace

void JsonTokens::MakeShape(std::string_view text) {
  shape_.reset();
  const size_t count = static_cast<size_t>(end_ - begin());
  if (size_ == 0 || !complete_ || count > kMostOfShape) return;
  auto shape = std::make_shared<JsonShape>();
  starts_.clear();
  size_t from = 0, bytes = 0;  // of the part, in the text and in shape->bytes
  uint32_t first = 0;
  const auto end_part = [&](size_t end, uint32_t token) {
    starts_.push_back(static_cast<uint32_t>(from));
    shape->parts.push_back(
        {static_cast<uint32_t>(bytes), static_cast<uint32_t>(end - from), first, token});
    shape->bytes.append(text.substr(from, end - from));
    bytes += end - from;
    first = token + 1;
  };
  for (uint32_t i = 0; i < count; ++i) {
    const Token& token = tokens_[i];
    shape->places.push_back(static_cast<uint32_t>(bytes + token.at - from));
    if (token.type != JsonToken::kScalar) continue;
    end_part(token.at, i);
    from = token.at + token.size;
    if (bytes > kMostBytesOfShape) return;
  }
  end_part(size_, static_cast<uint32_t>(count));
  if (bytes <= kMostBytesOfShape) shape_ = std::move(shape);
}

const char* JsonTokens::ReadLike(std::string_view text) {
  const JsonShape& shape = *shape_;
  const char* at = text.data();
  const char* const end = at + text.size();
  if (text.size() > UINT32_MAX) return nullptr;
  const uint32_t count = static_cast<uint32_t>(end_ - begin());
  const char* const bytes = shape.bytes.data();
  Token* const tokens = tokens_.get();
  uint32_t* start = starts_.data();
  for (const JsonShape::Part& part : shape.parts) {
    if (static_cast<size_t>(end - at) < part.size) return nullptr;
    if (!SameBytes(at, bytes + part.at, part.size)) return nullptr;
    const uint32_t now = static_cast<uint32_t>(at - text.data());
    if (const uint32_t moved = now - *start) {  // what wraps around is moved back
      for (uint32_t i = part.first_token; i < part.end; ++i) tokens[i].at += moved;
      *start = now;
    }
    ++start;
    at += part.size;
    if (part.end == count) break;
    if (at == end) return nullptr;
    const char* const from = at;
    bool plain = false;
    at = *at == '"' ? SkipLooseString(at + 1, end, &plain)
                    : SkipJsonScalar<JsonSyntax::kLoose>(at, end);
    if (!at) return nullptr;
    Token& scalar = tokens[part.end];
    scalar.at = static_cast<uint32_t>(from - text.data());
    scalar.size = static_cast<uint32_t>(at - from);
  }
  size_ = static_cast<size_t>(at - text.data());
  if (!known_shape_) known_shape_ = shape_;
  return at;
}

}  // namespace midwire::wire
