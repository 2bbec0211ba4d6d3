#include "trace/frame_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>

namespace midwire::trace {
namespace {

// The file is written and read in pieces of this size: a gigabyte in order is 4,096 reads.
constexpr size_t kBlock = 256 * 1024;
// A replay reads forward, and rereads what was in flight: 8 blocks are kept, 2 MiB in all.
constexpr size_t kBlocks = 8;
// Memory is taken in pieces of this size, of which nothing is used up before it is written.
constexpr size_t kPiece = 1 << 20;
// A joined range above this is freed by the next Get: frames of many MiB are rare.
constexpr size_t kKeptJoined = 1 << 20;

std::string TemporaryFolder() {
  const char* folder = getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

// Opens a file without a name, for this user alone; -1 and errno on failure.
int OpenUnlinked(const std::string& folder) {
  const int fd = open(folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  // Not every file system supports nameless files: there the file has a name for a moment.
  std::string name = folder + "/.midwire-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

class FrameStore::File {
 public:
  ~File() {
    if (fd_ >= 0) close(fd_);
  }

  Status Append(std::string_view bytes) {
    if (failed_) return *failed_;
    while (!bytes.empty()) {
      const size_t taken = std::min(bytes.size(), kBlock - unwritten_.size());
      unwritten_.append(bytes.substr(0, taken));
      bytes.remove_prefix(taken);
      if (unwritten_.size() < kBlock) break;
      if (Status done = Flush(); !done) return done;
    }
    return Ok{};
  }

  Status Settle() { return failed_ ? Status(*failed_) : Flush(); }

  // A block from its start, at least up to `end`; valid until the next call.
  Result<std::string_view> Read(uint64_t number, size_t end) {
    auto block = std::find_if(blocks_.begin(), blocks_.end(),
                              [&](const Block& b) { return b.number == number; });
    if (block == blocks_.end()) {
      block = std::min_element(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) {
        return a.last_used < b.last_used;
      });
      block->number = number;
      block->bytes.clear();
    }
    block->last_used = ++clock_;
    if (block->bytes.size() < end) {
      if (Status done = Fill(&*block, end); !done) return done.error();
    }
    return std::string_view(block->bytes);
  }

 private:
  struct Block {
    uint64_t number = UINT64_MAX;
    uint64_t last_used = 0;
    std::string bytes;
  };

  Status Flush() {
    if (fd_ < 0) {
      folder_ = TemporaryFolder();
      fd_ = OpenUnlinked(folder_);
      if (fd_ < 0) return Fail("cannot make a temporary file for the trace's frames", errno);
    }
    std::string_view left = unwritten_;
    while (!left.empty()) {
      const ssize_t n = write(fd_, left.data(), left.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return Fail("cannot write the temporary file for the trace's frames", errno);
      left.remove_prefix(static_cast<size_t>(n));
    }
    written_ += unwritten_.size();
    unwritten_.clear();
    return Ok{};
  }

  Status Fill(Block* block, size_t end) {
    const uint64_t start = block->number * kBlock;
    if (start + end > written_) {
      if (Status done = failed_ ? Status(*failed_) : Flush(); !done) return done;
    }
    block->bytes.resize(std::min<uint64_t>(kBlock, written_ - start));
    for (size_t got = 0; got < block->bytes.size();) {
      const ssize_t n = pread(fd_, block->bytes.data() + got, block->bytes.size() - got,
                              static_cast<off_t>(start + got));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        block->bytes.clear();
        return Error{"cannot read the temporary file for the trace's frames", folder_,
                     strerror(n < 0 ? errno : EIO)};
      }
      got += static_cast<size_t>(n);
    }
    return Ok{};
  }

  Status Fail(const char* what, int error) {
    failed_ = Error{what, folder_,
                    std::string(strerror(error)) + "; set TMPDIR to a folder with room for them"};
    return *failed_;
  }

  int fd_ = -1;
  std::string folder_;
  std::string unwritten_;  // below a block
  uint64_t written_ = 0;
  std::optional<Error> failed_;
  std::array<Block, kBlocks> blocks_;
  uint64_t clock_ = 0;
};

FrameStore::FrameStore(size_t in_memory, size_t most, size_t cost)
    : in_memory_(in_memory), most_(most), cost_(cost) {}
FrameStore::~FrameStore() = default;

Result<uint64_t> FrameStore::Add(std::string_view bytes) {
  const uint64_t offset = size_;
  taken_ += bytes.size() + cost_;
  const size_t used = kept_ % kPiece;
  if (!file_ && taken_ <= most_ && used > 0 && bytes.size() <= kPiece - used) {  // nearly always
    memcpy(pieces_.back().get() + used, bytes.data(), bytes.size());
    kept_ += bytes.size();
    size_ += bytes.size();
    return offset;
  }
  if (file_ == nullptr && taken_ > most_) {
    if (Status done = Spill(); !done) return done.error();
  }
  const size_t kept = file_ ? std::min<uint64_t>(bytes.size(), in_memory_ - kept_) : bytes.size();
  Keep(bytes.substr(0, kept));
  if (kept < bytes.size()) {
    if (Status done = file_->Append(bytes.substr(kept)); !done) return done.error();
  }
  size_ += bytes.size();
  return offset;
}

void FrameStore::Keep(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t at = kept_ % kPiece;
    if (at == 0) pieces_.push_back(std::make_unique_for_overwrite<char[]>(kPiece));
    const size_t taken = std::min(bytes.size(), kPiece - at);
    memcpy(pieces_.back().get() + at, bytes.data(), taken);
    kept_ += taken;
    bytes.remove_prefix(taken);
  }
}

// The bytes from `at` on, at most `most`, as far as they are contiguous.
std::string_view FrameStore::InMemory(uint64_t at, size_t most) const {
  const size_t start = at % kPiece;
  return {pieces_[at / kPiece].get() + start,
          std::min<uint64_t>({most, kPiece - start, kept_ - at})};
}

Status FrameStore::Spill() {
  file_ = std::make_unique<File>();
  Status done = Ok{};
  for (uint64_t at = in_memory_; at < kept_ && done;) {
    const std::string_view bytes = InMemory(at, kPiece);
    done = file_->Append(bytes);
    at += bytes.size();
  }
  if (kept_ > in_memory_) {
    pieces_.resize((in_memory_ + kPiece - 1) / kPiece);
    kept_ = in_memory_;
  }
  return done;
}

Status FrameStore::Settle() { return file_ ? file_->Settle() : Ok{}; }

Result<std::string_view> FrameStore::Get(uint64_t offset, size_t size) {
  assert(offset <= size_ && size <= size_ - offset);
  if (joined_.capacity() > kKeptJoined) std::string().swap(joined_);
  if (size == 0) return std::string_view();
  joined_.clear();
  while (joined_.size() < size) {
    const uint64_t at = offset + joined_.size();
    const size_t left = size - joined_.size();
    std::string_view part;
    if (at < kept_) {
      part = InMemory(at, left);
    } else {
      const size_t start = (at - kept_) % kBlock;
      const size_t taken = std::min(left, kBlock - start);
      const auto block = file_->Read((at - kept_) / kBlock, start + taken);
      if (!block) return block.error();
      part = block->substr(start, taken);
    }
    if (part.size() == size) return part;
    joined_.append(part);
  }
  return std::string_view(joined_);
}

}  // namespace midwire::trace
