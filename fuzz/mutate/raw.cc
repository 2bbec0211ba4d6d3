#include <algorithm>
#include <string>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/mutate.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

// Most bytes that one raw mutation adds; the rest of the room is for others.
constexpr size_t kMostAdded = 64;

// Bytes with a meaning in JSON, headers or UTF-8, and the limits of a byte.
constexpr std::string_view kTelling{
    "\0\x01\n\r\t \"\\/{}[],:.-+eE0189tfn\x7f\x80\xbf\xc0\xed\xef\xff\0", 35};

size_t OwnRaw(Random* random, uint8_t* data, size_t size, size_t max) {
  const size_t at = random->Below(size);
  const auto any = [&] {
    return random->OneIn(2) ? uint8_t(random->Next()) : uint8_t(random->Pick(kTelling));
  };
  const size_t count = size == 0 ? 0 : SomeOf(random, size - at);
  switch (size == 0 ? 4 : random->Below(6)) {
    case 0:
      data[at] ^= uint8_t(1u << random->Below(8));
      return size;
    case 1:
      data[at] = any();
      return size;
    case 2:  // removes bytes
      std::copy(data + at + count, data + size, data + at);
      return size - count;
    case 3: {  // copies bytes over others
      const size_t from = at, to = random->Below(size), length = std::min(count, size - to);
      std::copy_n(std::string(data + from, data + from + std::min(length, size - from)).data(),
                  std::min(length, size - from), data + to);
      return size;
    }
    case 4: {  // inserts bytes
      const size_t more = std::min(SomeOf(random, 8), max - size);
      std::copy_backward(data + at, data + size, data + size + more);
      for (size_t i = 0; i < more; ++i) data[at + i] = any();
      return size + more;
    }
    default:
      std::swap(data[at], data[random->Below(size)]);
      return size;
  }
}

// Returns `text` after a raw mutation.
std::string Raw(Mutation* mutation, std::string_view text) {
  const size_t room = mutation->room(), spare = room > 32 ? room - 32 : 0;
  const size_t max = text.size() + std::min(spare, kMostAdded);
  std::string made(text);
  if (max == 0) return made;
  made.resize(max);
  auto* const data = reinterpret_cast<uint8_t*>(made.data());
  const size_t size = mutation->raw != nullptr ? mutation->raw(data, text.size(), max)
                                               : OwnRaw(mutation->random, data, text.size(), max);
  made.resize(std::min(size, max));
  return made;
}

bool RawIn(Mutation* mutation, size_t at, size_t count) {
  return ReplaceInBody(mutation, at, count,
                       Raw(mutation, mutation->target().body().substr(at, count)));
}

// The time of LLVMFuzzerMutate and of our own mutation depends on the size they get.
constexpr size_t kWindow = 4096;

size_t WindowIn(size_t size, Random* random) {
  return size <= kWindow ? 0 : random->Below(size - kWindow);
}

}  // namespace

bool MutateRaw(Mutation* mutation) {
  const size_t size = mutation->target().body().size();
  return RawIn(mutation, WindowIn(size, mutation->random), std::min(size, kWindow));
}

bool MutateRawFrame(Mutation* mutation) {
  std::string bytes = mutation->target().bytes;
  const size_t at = WindowIn(bytes.size(), mutation->random);
  const size_t count = std::min(bytes.size() - at, kWindow);
  bytes.replace(at, count, Raw(mutation, std::string_view(bytes).substr(at, count)));
  return ReplaceTarget(mutation, std::move(bytes));
}

bool MutateRawInString(Mutation* mutation) {
  const std::string_view body = mutation->target().body();
  const auto node = PickInMessage(body, Of(wire::JsonType::kString), kAnyPlace, mutation->random);
  return node && node->size >= 2 && RawIn(mutation, node->at + 1, node->size - 2);
}

bool MutateRawInNumber(Mutation* mutation) {
  const std::string_view body = mutation->target().body();
  const auto node = PickInMessage(body, Of(wire::JsonType::kNumber), kAnyPlace, mutation->random);
  return node && RawIn(mutation, node->at, node->size);
}

}  // namespace midwire::fuzz
