// Which tapes midwire clean takes for old.
#include "tools/old_tapes.h"

#include <gmock/gmock.h>

namespace midwire::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

io::StoredFile StoredTape(const std::string& path, int64_t written, uint64_t size) {
  io::StoredFile file;
  file.path = path;
  file.head = "\x0a\x0d\x0d\x0a....midwire 1";
  file.size = size;
  file.modified_ns = written;
  return file;
}

std::vector<std::string> Old(const std::vector<io::StoredFile>& files, const CleanLimits& limits) {
  std::vector<std::string> names;
  for (const io::StoredFile& file : OldTapes(files, limits, /*now_unix_ns=*/100)) {
    names.push_back(file.path);
  }
  return names;
}

TEST(OldTapesTest, ThoseThatAreOlder) {
  EXPECT_THAT(Old({StoredTape("b", 60, 1), StoredTape("a", 50, 1), StoredTape("c", 10, 1)},
                  {.older_ns = 40}),
              ElementsAre("c", "a"));
  EXPECT_THAT(Old({StoredTape("a", 10, 1)}, {}), IsEmpty());
}

TEST(OldTapesTest, OldestUntilTheRestIsSmallEnough) {
  const std::vector<io::StoredFile> files = {StoredTape("a", 3, 10), StoredTape("b", 1, 10),
                                             StoredTape("c", 2, 10)};
  EXPECT_THAT(Old(files, {.over = 20}), ElementsAre("b"));
  EXPECT_THAT(Old(files, {.over = 0}), ElementsAre("b", "c", "a"));
  EXPECT_THAT(Old(files, {.over = 30}), IsEmpty());
  EXPECT_THAT(Old(files, {.older_ns = 98, .over = 20}), ElementsAre("b"));
}

TEST(OldTapesTest, NoPartOfARecordingThatRuns) {
  std::vector<io::StoredFile> files = {StoredTape("/x/s.pcapng", 1, 1),
                                       StoredTape("/x/s.2.pcapng", 2, 1),
                                       StoredTape("/x/t.pcapng", 3, 1)};
  files[1].is_open = true;
  EXPECT_THAT(Old(files, {.over = 0}), ElementsAre("/x/t.pcapng"));
}

TEST(OldTapesTest, NothingButTapesOfMidwire) {
  std::vector<io::StoredFile> files = {StoredTape("a.pcapng", 1, 1), StoredTape("b.pcapng", 1, 1)};
  files[0].head = "\x0a\x0d\x0d\x0a....wireshark";
  files[1].head = "midwire";
  EXPECT_THAT(Old(files, {.older_ns = 0, .over = 0}), IsEmpty());
}

}  // namespace
}  // namespace midwire::tools
