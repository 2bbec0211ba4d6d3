#include "fuzz/mutate/edit.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace midwire::fuzz {
namespace {

// How much a length in a header may grow in digits with its body.
constexpr size_t kLengthDigits = 20;

bool Fits(const Mutation& mutation, size_t added, size_t removed) {
  return added <= removed || added - removed <= mutation.room();
}

}  // namespace

bool ReplaceInBody(Mutation* mutation, size_t at, size_t count, std::string_view with) {
  Part& part = mutation->target();
  const bool has_length = part.framing == wire::Framing::kContentLength;
  const size_t slack = has_length && with.size() > count ? kLengthDigits : 0;
  if (part.body().substr(at, count) == with) return false;
  if (!Fits(*mutation, with.size() + slack, count)) return false;
  part.bytes.replace(part.head + at, count, with);
  if (has_length) part.SetBody(part.body());
  return true;
}

bool ReplaceTarget(Mutation* mutation, std::string bytes) {
  Part& part = mutation->target();
  if (part.bytes == bytes || !Fits(*mutation, bytes.size(), part.bytes.size())) return false;
  part.SetBytes(std::move(bytes));
  return true;
}

bool InsertPart(Mutation* mutation, size_t at, Part part) {
  std::vector<Part>& parts = mutation->input->parts;
  if (part.bytes.empty() || parts.size() >= kMaxParts) return false;
  if (!Fits(*mutation, part.bytes.size(), 0)) return false;
  parts.insert(parts.begin() + std::min(at, parts.size()), std::move(part));
  return true;
}

bool InsertParts(Mutation* mutation, size_t at, std::vector<Part> more) {
  std::vector<Part>& parts = mutation->input->parts;
  size_t added = 0;
  for (const Part& part : more) added += part.bytes.size();
  if (added == 0 || parts.size() + more.size() > kMaxParts) return false;
  if (!Fits(*mutation, added, 0)) return false;
  parts.insert(parts.begin() + std::min(at, parts.size()), std::move_iterator(more.begin()),
               std::move_iterator(more.end()));
  return true;
}

void CutTo(Input* input, size_t max_size) {
  size_t size = input->size();
  while (size > max_size && input->parts.size() > 1) {
    size -= input->parts.back().bytes.size();
    input->parts.pop_back();
  }
  if (size > max_size) input->parts[0].SetBytes(input->parts[0].bytes.substr(0, max_size));
}

size_t SomeOf(Random* random, size_t max) {
  if (max == 0) return 0;
  const size_t magnitudes = std::bit_width(max);
  const size_t magnitude = 1 + std::min(random->Below(magnitudes), random->Below(magnitudes));
  return std::min(max, 1 + random->Below(size_t{1} << magnitude));
}

std::string_view Word(Random* random, const std::vector<std::string>& words,
                      std::initializer_list<std::string_view> known) {
  if (words.empty() || random->OneIn(16)) return OneOf(random, known);
  return random->Pick(words);
}

std::string_view OneOf(Random* random, std::initializer_list<std::string_view> of) {
  return of.begin()[random->Below(of.size())];
}

std::string Repeated(std::string_view text, size_t times) {
  if (text.size() == 1) return std::string(times, text.front());
  const size_t size = text.size() * times;
  std::string all(size == 0 ? std::string_view() : text);
  all.reserve(size);
  while (all.size() < size) all.append(all, 0, size - all.size());  // doubles each time
  return all;
}

}  // namespace midwire::fuzz
