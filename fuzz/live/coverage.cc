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

// A copy, because the peer may keep writing.
CoverageHeader HeaderOf(const CoverageMemory& memory) {
  CoverageHeader header;
  memcpy(&header, &memory.header, sizeof header);
  return header;
}

// The size is the peer's.
std::string TextOf(const uint8_t (&text)[kMaxReportText], size_t size) {
  return std::string(reinterpret_cast<const char*>(text), std::min(size, kMaxReportText));
}

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
  if (memory == MAP_FAILED) return Error{"no memory for counters", strerror(errno), "free memory"};
  responses_ = static_cast<uint8_t*>(memory);
  const Status ours = ours_.Open(sizeof(CoverageMemory));
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
  if (HeaderOf(*memory()).guards != 0) return Tier::kOurs;
  return filled({afl_.at, afl_.size}) ? Tier::kAfl : Tier::kResponses;
}

std::span<uint8_t> Coverage::Edges(Tier tier) const {
  if (tier == Tier::kAfl) return {afl_.at, afl_.size};
  if (tier == Tier::kResponses) return {};
  const uint32_t guards = HeaderOf(*memory()).guards;
  const size_t edges =
      std::min<size_t>((guards + kCoveragePage - 1) / kCoveragePage * kCoveragePage, kEdgeCounters);
  return {ours_.at + offsetof(CoverageMemory, compares), kCompareCounters + edges};
}

void Coverage::Clear(Tier tier) const {
  memset(responses_, 0, kResponseCounters);
  const std::span<uint8_t> edges = Edges(tier);
  if (!edges.empty()) memset(edges.data(), 0, edges.size());
}

void Coverage::NextRun() const {
  CoverageHeader header = HeaderOf(*memory());
  if (++header.run == 0) ++header.run;  // 0 means no reports wanted
  header.reports = 0;
  memcpy(&memory()->header, &header, sizeof header);
}

std::vector<Compare> Coverage::Compares(Tier tier) const {
  std::vector<Compare> compares;
  if (tier != Tier::kOurs) return compares;
  const uint32_t count = std::min(HeaderOf(*memory()).reports, kMaxReports);
  for (uint32_t i = 0; i < count; ++i) {
    CompareReport report;  // a copy, because the peer may keep writing
    memcpy(&report, &memory()->reports[i], sizeof report);
    Compare compare = {.place = report.place, .width = report.width};
    if (report.width == 0) {
      compare.seen_text = TextOf(report.seen, report.seen_size);
      compare.wanted_text = TextOf(report.wanted, report.wanted_size);
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

KeptCounters::KeptCounters(const Coverage& coverage, Tier tier)
    : kept_{{.counters = coverage.Responses(), .values = {}},
            {.counters = coverage.Edges(tier), .values = {}}} {
  for (Kept& kept : kept_) kept.values.assign(kept.counters.begin(), kept.counters.end());
}

KeptCounters::~KeptCounters() {
  for (const Kept& kept : kept_) {
    std::copy(kept.values.begin(), kept.values.end(), kept.counters.begin());
  }
}

}  // namespace midwire::fuzz
