#include "tools/bundling/zip_archive.h"

#include <minizip/zip.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace midwire::tools {
namespace {

// The "file" that minizip writes.
struct Memory {
  std::string bytes;
  uint64_t at = 0;
};

Memory* MemoryOf(voidpf stream) { return static_cast<Memory*>(stream); }

voidpf Open(voidpf memory, const void*, int) { return memory; }

uLong Read(voidpf, voidpf stream, void* to, uLong size) {
  Memory* const memory = MemoryOf(stream);
  const uint64_t left = memory->bytes.size() - std::min<uint64_t>(memory->at, memory->bytes.size());
  size = std::min<uLong>(size, left);
  memcpy(to, memory->bytes.data() + memory->at, size);
  memory->at += size;
  return size;
}

uLong Write(voidpf, voidpf stream, const void* from, uLong size) {
  Memory* const memory = MemoryOf(stream);
  if (memory->at + size > memory->bytes.size()) memory->bytes.resize(memory->at + size);
  memcpy(memory->bytes.data() + memory->at, from, size);
  memory->at += size;
  return size;
}

ZPOS64_T Position(voidpf, voidpf stream) { return MemoryOf(stream)->at; }

long Seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  Memory* const memory = MemoryOf(stream);
  const uint64_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? memory->at
                        : origin == ZLIB_FILEFUNC_SEEK_END ? memory->bytes.size()
                                                           : 0;
  memory->at = base + offset;
  return 0;
}

int Close(voidpf, voidpf) { return 0; }

bool Add(zipFile archive, const ZipEntry& entry) {
  constexpr uLong kUnix = 3 << 8 | 30;          // made by: permissions are those of Unix
  constexpr uLong kOwners = 0100600UL << 16;    // a file, 0600
  constexpr uLong kOldest = 1 << 21 | 1 << 16;  // 1980-01-01, the first date that DOS has
  zip_fileinfo about = {};
  about.dosDate = kOldest;
  about.external_fa = kOwners;
  const bool large = entry.bytes.size() >= UINT32_MAX;
  if (zipOpenNewFileInZip4_64(archive, entry.name.c_str(), &about, nullptr, 0, nullptr, 0, nullptr,
                              Z_DEFLATED, Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                              Z_DEFAULT_STRATEGY, nullptr, 0, kUnix, 0, large) != ZIP_OK) {
    return false;
  }
  constexpr size_t kPiece = 1u << 30;  // its sizes are 32 bits
  for (size_t at = 0; at < entry.bytes.size(); at += kPiece) {
    const size_t size = std::min(kPiece, entry.bytes.size() - at);
    if (zipWriteInFileInZip(archive, entry.bytes.data() + at, static_cast<unsigned>(size)) !=
        ZIP_OK) {
      return false;
    }
  }
  return zipCloseFileInZip(archive) == ZIP_OK;
}

}  // namespace

Result<std::string> ZipArchive(const std::vector<ZipEntry>& entries) {
  Memory memory;
  zlib_filefunc64_def functions = {.zopen64_file = Open,
                                   .zread_file = Read,
                                   .zwrite_file = Write,
                                   .ztell64_file = Position,
                                   .zseek64_file = Seek,
                                   .zclose_file = Close,
                                   .zerror_file = Close,
                                   .opaque = &memory};
  const zipFile archive = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
  bool done = archive != nullptr;
  for (const ZipEntry& entry : entries) done = done && Add(archive, entry);
  if (archive != nullptr && zipClose(archive, nullptr) != ZIP_OK) done = false;
  if (!done) {
    return Error{"cannot make the archive", "minizip reports an error",
                 "free memory: the archive is made there"};
  }
  return std::move(memory.bytes);
}

}  // namespace midwire::tools
