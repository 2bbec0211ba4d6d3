#include "fuzz/live/coverage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "io/process/child_process.h"
#include "io/process/launcher.h"

namespace midwire::fuzz {
namespace {

// AFL++'s default; a larger program prints its size on request.
constexpr size_t kAflMap = 64 * 1024, kMaxAflMap = 8u << 20;
constexpr int64_t kAskTimeout = 2'000'000'000;

// AFL's runtime reads this variable, so its name is in the file. A program without it is not
// started for this.
bool IsBuiltByAfl(const std::vector<std::string>& argv) {
  const std::string path = argv.empty() ? "" : io::FindExecutable(argv[0]);
  const int fd = path.empty() ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat info;
  bool found = false;
  if (fstat(fd, &info) == 0 && info.st_size > 0) {
    const auto size = static_cast<size_t>(info.st_size);
    void* file = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    constexpr std::string_view kName = "__AFL_SHM_ID";
    found = file != MAP_FAILED && memmem(file, size, kName.data(), kName.size()) != nullptr;
    if (file != MAP_FAILED) munmap(file, size);
  }
  close(fd);
  return found;
}

// A program built by AFL++ prints the size of its map if AFL_DUMP_MAP_SIZE is set, and exits. Any
// other is killed after its first output or two seconds.
size_t AskMapSize(const std::vector<std::string>& argv) {
  if (!IsBuiltByAfl(argv)) return kAflMap;
  io::ChildProcess peer(argv, {"AFL_DUMP_MAP_SIZE=1"});
  if (!peer.Start()) return kAflMap;
  std::string out, err;
  peer.CloseStdin();
  const int64_t end = io::MonotonicNow() + kAskTimeout;
  while (!peer.out_ended() && io::MonotonicNow() < end && out.size() < 64) {
    peer.Wait(end - io::MonotonicNow(), false, &out, &err);
  }
  if (out.empty() || out.find_first_not_of("0123456789\n") != std::string::npos) return kAflMap;
  const size_t page = 4096;
  const size_t size = strtoull(out.c_str(), nullptr, 10);
  return size == 0 || size > kMaxAflMap ? kAflMap : (size + page - 1) / page * page;
}

// As the peer writes it: a little-endian number, or the beginning of a text.
struct Report {
  uint32_t place;
  uint8_t width, seen_size, wanted_size, unused;
  char seen[28], wanted[28];
};

}  // namespace

std::string_view Name(Tier tier) {
  switch (tier) {
    case Tier::kResponses:
      return "responses";
    case Tier::kAfl:
      return "AFL edges";
    case Tier::kOurs:
      return "edges and compares";
  }
  return "";
}

Status Coverage::Segment::Open(size_t bytes) {
  id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
  if (id >= 0) {
    void* memory = shmat(id, nullptr, 0);
    // Linux allows attaching to a segment marked for removal while it is in use: so nothing is left
    // behind if we are killed.
    const int error = memory == reinterpret_cast<void*>(-1) ? errno : 0;
    shmctl(id, IPC_RMID, nullptr);
    if (error == 0) {
      at = static_cast<uint8_t*>(memory);
      size = bytes;
      return Ok{};
    }
  }
  return Error{"no shared memory for coverage", strerror(errno), "see /proc/sys/kernel/shmmax"};
}

Status Coverage::Create(const std::vector<std::string>& argv) {
  void* memory =
      mmap(nullptr, kResponseCounters, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Error{"no memory", strerror(errno), ""};
  responses_ = static_cast<uint8_t*>(memory);
  const Status ours = ours_.Open(kCoverageSize);
  return ours ? afl_.Open(AskMapSize(argv)) : ours;
}

Coverage::~Coverage() {
  for (const Segment* segment : {&ours_, &afl_}) {
    if (segment->at != nullptr) shmdt(segment->at);
  }
  if (responses_ != nullptr) munmap(responses_, kResponseCounters);
}

std::vector<std::string> Coverage::Environment() const {
  return {std::string(kCoverageVariable) + "=" + std::to_string(ours_.id),
          "__AFL_SHM_ID=" + std::to_string(afl_.id), "AFL_MAP_SIZE=" + std::to_string(afl_.size)};
}

Tier Coverage::Detect() const {
  const auto filled = [](std::span<const uint8_t> map) {
    return std::any_of(map.begin(), map.end(), [](uint8_t count) { return count != 0; });
  };
  uint32_t guards;
  memcpy(&guards, ours_.at, sizeof guards);
  if (guards != 0) return Tier::kOurs;
  return filled({afl_.at, afl_.size}) ? Tier::kAfl : Tier::kResponses;
}

std::span<uint8_t> Coverage::Edges(Tier tier) const {
  if (tier == Tier::kAfl) return {afl_.at, afl_.size};
  if (tier == Tier::kResponses) return {};
  uint32_t guards;
  memcpy(&guards, ours_.at, sizeof guards);
  const size_t edges = std::min<size_t>((guards + 4095) / 4096 * 4096, kEdgeCounters);
  return {ours_.at + kCoverageHeader, kCompareCounters + edges};
}

void Coverage::Clear(Tier tier) const {
  memset(responses_, 0, kResponseCounters);
  const std::span<uint8_t> edges = Edges(tier);
  if (!edges.empty()) memset(edges.data(), 0, edges.size());
}

void Coverage::NextRun() const {
  uint32_t header[3];
  memcpy(header, ours_.at, sizeof header);
  if (++header[1] == 0) ++header[1];  // 0 means no reports wanted
  header[2] = 0;
  memcpy(ours_.at, header, sizeof header);
}

std::vector<Compare> Coverage::Compares(Tier tier) const {
  std::vector<Compare> compares;
  if (tier != Tier::kOurs) return compares;
  uint32_t header[3];
  memcpy(header, ours_.at, sizeof header);
  const size_t count = std::min<size_t>(header[2], kMaxCompares);
  for (size_t i = 0; i < count; ++i) {
    Report report;  // a copy, because the peer may keep writing
    static_assert(sizeof report == kCompareSize);
    memcpy(&report, ours_.at + kCoverageSize - (kMaxCompares - i) * kCompareSize, sizeof report);
    Compare compare = {.place = report.place, .width = report.width};
    if (report.width == 0) {
      compare.seen_text.assign(report.seen, std::min<size_t>(report.seen_size, sizeof report.seen));
      compare.wanted_text.assign(report.wanted,
                                 std::min<size_t>(report.wanted_size, sizeof report.wanted));
    } else if (report.width <= 8 && std::has_single_bit(report.width)) {
      memcpy(&compare.seen, report.seen, report.width);
      memcpy(&compare.wanted, report.wanted, report.width);
    } else {
      continue;
    }
    compares.push_back(std::move(compare));
  }
  return compares;
}

}  // namespace midwire::fuzz
