#include "fuzz/mutate/comparisons.h"

#include <algorithm>

#include "fuzz/hash.h"
#include "fuzz/random.h"

namespace midwire::fuzz {
namespace {

// More places than a real program has; invented reports end here.
constexpr size_t kMaxPlaces = 64 * 1024;
// A letter occurs about this often in a session. A comparison that does not match after so many
// mutants is left to chance.
constexpr int kMutantsOfOne = 32;
// Inputs that wait. A dropped one comes back with the next input that has its comparisons.
constexpr size_t kMaxNews = 8;
constexpr size_t kTriesOfOne = 16, kMaxTries = 256;

}  // namespace

void CompareMemory::OnOutput(std::string_view bytes, std::vector<Compare> compares) {
  last_ = std::move(compares);
  if (bytes.empty()) return;  // not caused by an input
  News news;
  for (const Compare& compare : last_) {
    const auto known = made_.find(compare.place);
    if (known == made_.end() ? made_.size() < kMaxPlaces : known->second < kMutantsOfOne) {
      news.compares.push_back(compare);
    }
  }
  if (news.compares.empty()) return;
  news.bytes = bytes;
  news.tries = std::min(kMaxTries, kTriesOfOne * news.compares.size());
  if (news_.size() == kMaxNews) news_.pop_front();
  news_.push_back(std::move(news));
}

CompareMemory::News* CompareMemory::Next(uint64_t seed) {
  std::erase_if(news_, [](const News& news) { return news.tries == 0; });
  if (news_.empty()) return nullptr;
  News* const news = &news_[Random(seed).Below(news_.size())];
  --news->tries;
  return news;
}

bool CompareMemory::Made(News* news, std::string_view mutant, const Compare& compare) {
  if (!news->made.insert(Hash(mutant)).second) return false;
  const int made = ++made_[compare.place];
  if (made >= kMutantsOfOne) {
    const uint32_t place = compare.place;
    for (News& each : news_) {
      std::erase_if(each.compares, [&](const Compare& of) { return of.place == place; });
      if (each.compares.empty()) each.tries = 0;
    }
  }
  return true;
}

}  // namespace midwire::fuzz
