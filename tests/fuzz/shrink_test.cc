#include "fuzz/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace midwire::fuzz {
namespace {

using List = std::vector<int>;

struct Shrunk {
  List list;
  size_t tests = 0;
};

// What is left of 0, 1, ... while `still` holds.
Shrunk ShrunkFrom(size_t count, const std::function<bool(const List&)>& still) {
  Shrunk result = {.list = List(count)};
  std::iota(result.list.begin(), result.list.end(), 0);
  Shrink(
      count,
      [&](size_t first, size_t removed) {
        ++result.tests;
        List less = result.list;
        const auto at = less.begin() + static_cast<std::ptrdiff_t>(first);
        less.erase(at, at + static_cast<std::ptrdiff_t>(removed));
        if (!still(less)) return false;
        result.list = less;
        return true;
      },
      [] { return false; });
  return result;
}

bool Holds(const List& list, int element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

TEST(ShrinkTest, OfAListThatIsNeededForItsLengthTheLengthIsFound) {
  const Shrunk shrunk = ShrunkFrom(100'000, [](const List& list) { return list.size() >= 65'537; });
  EXPECT_EQ(shrunk.list.size(), 65'537u);
  EXPECT_LE(shrunk.tests, 150u);
}

TEST(ShrinkTest, AnElementOfALongListIsFound) {
  for (const int needed : {0, 1, 5000, 9998, 9999}) {
    const Shrunk shrunk = ShrunkFrom(10'000, [&](const List& list) { return Holds(list, needed); });
    EXPECT_EQ(shrunk.list, List{needed});
    EXPECT_LE(shrunk.tests, 100u);
  }
}

TEST(ShrinkTest, ElementsAllOverALongListAreFound) {
  const Shrunk shrunk = ShrunkFrom(4000, [](const List& list) {
    for (int i = 0; i < 4000; i += 100) {
      if (!Holds(list, i)) return false;
    }
    return true;
  });
  EXPECT_EQ(shrunk.list.size(), 40u);
}

TEST(ShrinkTest, ALengthAndAnElementOfAShortListAreFound) {
  const Shrunk shrunk =
      ShrunkFrom(200, [](const List& list) { return list.size() >= 30 && Holds(list, 150); });
  EXPECT_EQ(shrunk.list.size(), 30u);
}

}  // namespace
}  // namespace midwire::fuzz
