#include "tools/fuzzing/export_files.h"

#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::tools {
namespace {

constexpr std::string_view kDecoder =
    R"text(// Fuzzes @PROJECT@'s framing decoder. Replace this decoder of lines by your own. feed() gets any piece
// of the stream; call emit() for each whole frame. Checks: no crash; the same frames for every
// chunking; little memory; a later frame is found after junk (resynchronises: "line",
// "content-length", or leave it out).
#include <midwire/fuzz/harness.h>

#include <string>
#include <string_view>

struct Decoder {
  std::string held;
  void feed(std::string_view bytes, const midwire::fuzz::Emit& emit) {
    held += bytes;
    for (size_t end; (end = held.find('\n')) != held.npos; held.erase(0, end + 1)) {
      emit(std::string_view(held).substr(0, end));
    }
  }
};

MIDWIRE_FUZZ_DECODER(Decoder, .resynchronises = "line", .dialect = "@DIALECT@")
)text";

constexpr std::string_view kDispatcher =
    R"text(// Fuzzes @PROJECT@'s dispatcher. Replace this dispatcher by your own. It gets the body of each
// message, without framing; call emit() for each message that it sends. Checks: no crash; each
// well-formed request has one answer, with its id, and a result or an error; notifications have none;
// answers match the dialect's schemas.
#include <midwire/fuzz/harness.h>

#include <string>
#include <string_view>
#include <vector>

#include "wire/json/parts.h"  // these two for this example alone
#include "wire/json/unescape.h"

struct Dispatcher {
  void dispatch(std::string_view body, const midwire::fuzz::Emit& emit) {
    std::vector<midwire::wire::RawMember> members;
    if (!midwire::wire::RawMembers(body, &members)) return;
    std::string_view id, method;
    for (const auto& member : members) {
      std::string name;
      midwire::wire::AppendUnescaped('"' + std::string(member.name) + '"', &name);
      if (name == "id") id = member.value;
      if (name == "method") method = member.value;
    }
    if (id.empty() || !method.starts_with('"')) return;
    emit(R"({"jsonrpc":"2.0","id":)" + std::string(id) +
         R"(,"error":{"code":-32601,"message":"Method not found"}})");
  }
};

MIDWIRE_FUZZ_DISPATCHER(Dispatcher, .dialect = "@DIALECT@")
)text";

constexpr std::string_view kCMake =
    R"text(# Fuzz targets of @PROJECT@. By themselves they play files:
#   cmake -S fuzz -B build/fuzz && cmake --build build/fuzz && ctest --test-dir build/fuzz
# With libFuzzer they search for new inputs:
#   cmake -S fuzz -B build/libfuzzer -DCMAKE_CXX_COMPILER=clang++ -DFUZZING_ENGINE=-fsanitize=fuzzer \
#     -DCMAKE_CXX_FLAGS="-g -O1 -fsanitize=address,undefined,fuzzer-no-link"
#   cmake --build build/libfuzzer
#   build/libfuzzer/decoder_fuzz -timeout=20 -dict=fuzz/fuzz.dict corpus fuzz/seeds
cmake_minimum_required(VERSION 3.22)
project(fuzz LANGUAGES CXX)
find_package(midwire REQUIRED)
set(FUZZING_ENGINE "" CACHE STRING "What targets are linked with; empty: a main that plays files")
enable_testing()

foreach(target decoder_fuzz dispatcher_fuzz)
  # Your own code: LIBRARIES ...
  midwire_add_fuzz_target(NAME ${target} SOURCES ${target}.cc SEEDS seeds)
endforeach()
)text";

constexpr std::string_view kBuild = R"text(#!/usr/bin/env bash
# Builds the fuzz targets into $OUT for OSS-Fuzz and ClusterFuzzLite: NAME, NAME_seed_corpus.zip,
# NAME.dict and NAME.options. Their images set $CXX, $CXXFLAGS, $LIB_FUZZING_ENGINE, $SRC, $WORK, $OUT.
# $MIDWIRE_PREFIX: where midwire is installed; else it is built from $SRC/midwire first.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=${FUZZ_SOURCE:-$here}
[ -e "$source/decoder_fuzz.cc" ] || source=$SRC/@PROJECT@/fuzz
mkdir -p "$OUT" "$WORK/static"

# Targets run in an image without these libraries: the linker finds the archives first.
for library in sodium deflate re2; do
  for archive in /usr/lib/*/lib"$library".a /usr/local/lib/lib"$library".a; do
    [ -e "$archive" ] && ln -sf "$archive" "$WORK/static/lib$library.a"
  done
done

# The images have a C++ standard library of their own, so RE2 is compiled with it, from $SRC/re2. Elsewhere
# the installed one is linked.
flags=${CXXFLAGS:-}
if [ -d "$SRC/re2" ]; then
  make -C "$SRC/re2" -j"$(nproc)" CXX="$CXX" CXXFLAGS="$flags" obj/libre2.a
  ln -sf "$SRC/re2/obj/libre2.a" "$WORK/static/libre2.a"
fi

prefix=${MIDWIRE_PREFIX:-}
if [ -z "$prefix" ]; then
  prefix=$WORK/midwire
  cmake -S "$SRC/midwire" -B "$WORK/midwire-build" -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DMIDWIRE_COMMAND=OFF -DMIDWIRE_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$flags -I$SRC/re2" \
    -DCMAKE_LIBRARY_PATH="$WORK/static"
  cmake --build "$WORK/midwire-build" --target install
fi
cmake -S "$source" -B "$WORK/fuzz-build" -G Ninja -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_PREFIX_PATH="$prefix" -DFUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
  -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$flags" \
  -DCMAKE_EXE_LINKER_FLAGS="-L$WORK/static"
cmake --build "$WORK/fuzz-build"

for program in "$WORK"/fuzz-build/*_fuzz; do
  name=${program##*/}
  cp "$program" "$OUT/$name"
  cp "$source/fuzz.dict" "$OUT/$name.dict"
  printf '[libfuzzer]\nmax_len = 65536\ntimeout = 20\n' > "$OUT/$name.options"
  rm -f "$OUT/${name}_seed_corpus.zip"
  find "$source/seeds" -type f | sort | zip -q -j -X "$OUT/${name}_seed_corpus.zip" -@
done
)text";

constexpr std::string_view kLiteDockerfile =
    R"text(# The image in which ClusterFuzzLite builds the targets of this working copy.
FROM gcr.io/oss-fuzz-base/base-builder:ubuntu-24-04
RUN apt-get update && apt-get install -y --no-install-recommends \
    ninja-build rapidjson-dev libsodium-dev libdeflate-dev make zip
# The last release of RE2 that does not need Abseil; build.sh compiles it.
RUN git clone --depth 1 --branch 2023-03-01 https://github.com/google/re2 $SRC/re2
# Where you have midwire from.
ARG MIDWIRE_REPOSITORY=""
RUN test -n "$MIDWIRE_REPOSITORY" || { echo "set MIDWIRE_REPOSITORY in this Dockerfile" >&2; exit 1; }
RUN git clone --depth 1 "$MIDWIRE_REPOSITORY" $SRC/midwire
COPY . $SRC/@PROJECT@
WORKDIR $SRC/@PROJECT@
COPY fuzz/build.sh $SRC/build.sh
)text";

constexpr std::string_view kDockerfile =
    R"text(# projects/@PROJECT@/Dockerfile for OSS-Fuzz. Both addresses are yours to fill in.
FROM gcr.io/oss-fuzz-base/base-builder:ubuntu-24-04
RUN apt-get update && apt-get install -y --no-install-recommends \
    ninja-build rapidjson-dev libsodium-dev libdeflate-dev make zip
# The last release of RE2 that does not need Abseil; build.sh compiles it.
RUN git clone --depth 1 --branch 2023-03-01 https://github.com/google/re2 $SRC/re2
ARG MIDWIRE_REPOSITORY=""
ARG REPOSITORY=""
RUN test -n "$MIDWIRE_REPOSITORY" -a -n "$REPOSITORY" || \
    { echo "set MIDWIRE_REPOSITORY and REPOSITORY in this Dockerfile" >&2; exit 1; }
RUN git clone --depth 1 "$MIDWIRE_REPOSITORY" $SRC/midwire
RUN git clone --depth 1 "$REPOSITORY" $SRC/@PROJECT@
WORKDIR $SRC/@PROJECT@
RUN cp fuzz/build.sh $SRC/build.sh
)text";

constexpr std::string_view kProject =
    R"text(# projects/@PROJECT@/project.yaml for OSS-Fuzz; it also wants homepage, main_repo and primary_contact.
language: c++
sanitizers:
  - address
  - undefined
fuzzing_engines:
  - libfuzzer
  - afl
  - honggfuzz
)text";

constexpr std::string_view kPullRequests = R"text(name: Fuzz what a pull request changes
on: pull_request
permissions: read-all
jobs:
  fuzz:
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        sanitizer: [address, undefined]
    steps:
      - uses: google/clusterfuzzlite/actions/build_fuzzers@v1
        with:
          language: c++
          github-token: ${{ secrets.GITHUB_TOKEN }}
          sanitizer: ${{ matrix.sanitizer }}
      - uses: google/clusterfuzzlite/actions/run_fuzzers@v1
        with:
          github-token: ${{ secrets.GITHUB_TOKEN }}
          fuzz-seconds: 300
          mode: code-change
          sanitizer: ${{ matrix.sanitizer }}
)text";

constexpr std::string_view kBatch = R"text(name: Fuzz every night
on:
  schedule:
    - cron: '0 3 * * *'
permissions: read-all
jobs:
  fuzz:
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        sanitizer: [address, undefined]
    steps:
      - uses: google/clusterfuzzlite/actions/build_fuzzers@v1
        with:
          language: c++
          sanitizer: ${{ matrix.sanitizer }}
      - uses: google/clusterfuzzlite/actions/run_fuzzers@v1
        with:
          github-token: ${{ secrets.GITHUB_TOKEN }}
          fuzz-seconds: 3600
          mode: batch
          sanitizer: ${{ matrix.sanitizer }}
)text";

constexpr ExportFile kFiles[] = {
    {"fuzz/decoder_fuzz.cc", kDecoder},
    {"fuzz/dispatcher_fuzz.cc", kDispatcher},
    {"fuzz/CMakeLists.txt", kCMake},
    {"fuzz/build.sh", kBuild, true},
    {".clusterfuzzlite/Dockerfile", kLiteDockerfile},
    {".clusterfuzzlite/project.yaml", "language: c++\n"},
    {".github/workflows/cflite_pr.yml", kPullRequests},
    {".github/workflows/cflite_batch.yml", kBatch},
    {"oss-fuzz/Dockerfile", kDockerfile},
    {"oss-fuzz/project.yaml", kProject},
};

}  // namespace

std::span<const ExportFile> ExportFiles() { return kFiles; }

}  // namespace midwire::tools
