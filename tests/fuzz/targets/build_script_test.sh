#!/usr/bin/env bash
# Runs packaging/oss-fuzz/build.sh as the services do, once with clang's libFuzzer and once with g++ and a main of
# ours in the place of an engine; then each target on some of its own seed corpus.
# Usage: build_script_test.sh SOURCE WORK
set -euo pipefail
source=$1 work=$2
unset CFLAGS LDFLAGS CXXFLAGS

build() {
  local kind=$1
  export CXX=$2 CXXFLAGS=$3 LIB_FUZZING_ENGINE=$4
  export MIDWIRE_SOURCE=$source WORK=$work/$kind/work OUT=$work/$kind/out
  rm -rf "$OUT"
  mkdir -p "$WORK"
  "$source/packaging/oss-fuzz/build.sh" > "$work/$kind.log" 2>&1 || {
    tail -n 50 "$work/$kind.log"
    echo "build.sh failed with $kind"
    exit 1
  }
}

run() {
  local kind=$1 out=$work/$1/out count=0
  for target in "$out"/*_fuzz; do
    for file in _seed_corpus.zip .dict .options; do
      [ -s "$target$file" ] || { echo "not there: $target$file"; exit 1; }
    done
    local name=${target##*/} seeds
    seeds=$work/$kind/seeds/$name
    rm -rf "$seeds"
    mkdir -p "$seeds"
    python3 -m zipfile -e "${target}_seed_corpus.zip" "$seeds"
    [ "$(find "$seeds" -mindepth 1 | wc -l)" -ge 5 ] || { echo "few seeds: $name"; exit 1; }
    (cd "$work/$kind" && "$target" -runs=400 -timeout=60 -dict="$target.dict" "$seeds") \
      > "$work/$kind/$name.log" 2>&1 || {
      tail -n 30 "$work/$kind/$name.log"
      echo "$kind: $name failed on its seeds"
      exit 1
    }
    count=$((count + 1))
  done
  [ "$count" -ge 8 ] || { echo "$kind: only $count targets"; exit 1; }
  echo "$kind: $count targets ran"
}

mkdir -p "$work"
if command -v clang++ > /dev/null; then
  # The flags of the preset fuzz, so that ccache has what tools/fuzz compiles.
  sanitizers='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all'
  build libfuzzer clang++ "-O1 $sanitizers -g" -fsanitize=fuzzer
  run libfuzzer
else
  echo "no clang++: libFuzzer is not tried"
fi
g++ -std=c++20 -O1 -c "$source/fuzz/harness/main.cc" -o "$work/main.o"
# The compiler and flags of the preset release, for ccache too.
build plain c++ '-O3 -DNDEBUG' "$work/main.o"
run plain
