#!/usr/bin/env bash
# Installs into an empty prefix, builds a consumer with find_package(midwire) against nothing but
# that prefix, runs it and its tests, and looks for each kind of file that an install must bring.
set -euo pipefail
build=$1 work=$2 cmake=$3 compiler=$4 flags=$5 version=$6
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/prefix" > "$work/install.log"

"$cmake" -S "$here/consumer" -B "$work/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" -DWANTED_VERSION="$version"
"$cmake" --build "$work/consumer"
said=$("$work/consumer/consumer")
[ "$said" = "request plugin/health" ] || { echo "the consumer said: $said"; exit 1; }

# Its replay tests (doc/replay-in-tests.md) find the installed command by themselves. They pass, and
# with a plugin that counts otherwise each of them fails with a report.
unset MIDWIRE
ctest=$(dirname "$cmake")/ctest
"$ctest" --test-dir "$work/consumer" --output-on-failure --timeout 60
"$cmake" "$work/consumer" -DCHANGED=ON > "$work/changed.log"
"$cmake" --build "$work/consumer"
if "$ctest" --test-dir "$work/consumer" --output-on-failure --timeout 60 > "$work/changed.log" 2>&1; then
  echo "the changed plugin passed the consumer's tests"
  exit 1
fi
for line in "0% tests passed, 3 tests failed out of 3" "/result/words: expected 2, got 3" \
  "different: 2 differences (2 of 2 messages sent, 0 of 2 received as recorded)"; do
  grep -qF -- "$line" "$work/changed.log" || {
    cat "$work/changed.log"
    echo "the changed plugin's tests did not say: $line"
    exit 1
  }
done
[ "$(grep -c "/result/words: expected 1, got 2" "$work/changed.log")" = 3 ] || {
  cat "$work/changed.log"
  echo "not every test of the changed plugin shows the report"
  exit 1
}

# Its fuzz targets, with their own main: the seeds and some mutants pass. With a decoder that depends
# on reads, and with the dispatcher, which answers whatever it is sent, they fail and name the input.
targets=(decoder_fuzz dispatcher_fuzz)
seeds=$here/consumer/seeds
"$cmake" "$work/consumer" -DCHANGED=OFF > "$work/targets.log"
"$cmake" --build "$work/consumer" --target "${targets[@]}"
"$work/consumer/decoder_fuzz" -runs=2000 "$seeds/decoder"
must_fail() {
  local wanted=$1
  shift
  if "$@" > "$work/failed.log" 2>&1 || ! grep -q -- "$wanted" "$work/failed.log"; then
    cat "$work/failed.log"
    echo "did not fail with \"$wanted\": $*"
    exit 1
  fi
}
must_fail "^failed: $work/crash-1$" "$work/consumer/dispatcher_fuzz" -runs=2000 \
  -artifact_prefix="$work/" "$seeds/dispatcher"
must_fail "midwire: broken: " "$work/consumer/dispatcher_fuzz" "$work/crash-1"
"$cmake" "$work/consumer" -DCHANGED=ON > "$work/targets.log"
"$cmake" --build "$work/consumer" --target decoder_fuzz
must_fail "broken: chunking: " "$work/consumer/decoder_fuzz" "$seeds/decoder"
must_fail "^failed: $seeds/decoder/lines$" "$work/consumer/decoder_fuzz" "$seeds/decoder"

# The same sources with clang++ and libFuzzer, where they are.
if command -v clang++ > /dev/null && [ -z "$flags" ]; then
  "$cmake" -S "$here/consumer" -B "$work/libfuzzer" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_CXX_COMPILER=clang++ -DENGINE=-fsanitize=fuzzer -DWANTED_VERSION="$version" \
    -DCMAKE_CXX_FLAGS="-O1 -fsanitize=address,fuzzer-no-link" > "$work/libfuzzer.log"
  "$cmake" --build "$work/libfuzzer" --target "${targets[@]}"
  mkdir -p "$work/corpus"
  "$work/libfuzzer/decoder_fuzz" -runs=20000 "$work/corpus" "$seeds/decoder" > "$work/run.log" 2>&1 ||
    { cat "$work/run.log"; exit 1; }
  mkdir -p "$work/corpus-dispatcher"
  must_fail "midwire: broken: " "$work/libfuzzer/dispatcher_fuzz" -max_total_time=60 \
    -artifact_prefix="$work/" "$work/corpus-dispatcher" "$seeds/dispatcher"
fi

# What `midwire fuzz --export` writes builds against what is installed, as it is, and by its build.sh.
"$work/prefix/bin/midwire" fuzz --export "$work/my project" --dialect mcp > "$work/export.log"
"$cmake" -S "$work/my project/fuzz" -B "$work/exported" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" > "$work/exported.log"
"$cmake" --build "$work/exported"
"$ctest" --test-dir "$work/exported" --output-on-failure --timeout 60
g++ -std=c++20 -c "$here/../../fuzz/harness/main.cc" -o "$work/main.o"
env MIDWIRE_PREFIX="$work/prefix" WORK="$work/services" OUT="$work/services/out" SRC="$work" \
  CXX="$compiler" CXXFLAGS="$flags" LIB_FUZZING_ENGINE="$work/main.o" \
  bash "$work/my project/fuzz/build.sh" > "$work/services.log"
for file in decoder_fuzz dispatcher_fuzz decoder_fuzz_seed_corpus.zip dispatcher_fuzz.dict \
  decoder_fuzz.options; do
  [ -s "$work/services/out/$file" ] || { echo "not built by the exported build.sh: $file"; exit 1; }
done
if "$work/prefix/bin/midwire" fuzz --export "$work/my project" > "$work/export.log" 2>&1; then
  echo "a second export wrote over the first"
  exit 1
fi

# A version that this one does not satisfy must be refused, or the version file is not in force.
if "$cmake" -S "$here/consumer" -B "$work/refused" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" -DWANTED_VERSION=99.0 \
  > "$work/refused.log" 2>&1; then
  echo "find_package(midwire 99.0) was satisfied by $version"
  exit 1
fi
grep -q "99.0" "$work/refused.log"

said=$("$work/prefix/bin/midwire" --version)
[ "$said" = "midwire $version" ] || { echo "the command said: $said"; exit 1; }

for file in share/doc/midwire/LICENSE share/doc/midwire/README.md \
  share/bash-completion/completions/midwire share/zsh/site-functions/_midwire \
  share/fish/vendor_completions.d/midwire.fish share/man/man1/midwire.1 share/man/man1/midwire-show.1 \
  include/midwire/wire/decoder.h \
  include/midwire/trace/record.h include/midwire/tools/kit/gmock.h \
  include/midwire/fuzz/harness.h share/midwire/midwire.lua; do
  [ -s "$work/prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

# Nothing of this machine in what is exported: the tree may be moved to another.
if grep -rn -e "$build" -e "$(cd "$here/../.." && pwd)" "$work/prefix/lib"*/cmake; then
  echo "the exported targets name this machine's folders (above)"
  exit 1
fi

# The links between the installed documents lead to something that is installed.
python3 "$here/links.py" "$work/prefix/share/doc/midwire"

# The completion script must be one that bash can read.
bash -n "$work/prefix/share/bash-completion/completions/midwire"

# A manual page must be one that man can format.
if command -v man > /dev/null; then
  MANWIDTH=80 man -l "$work/prefix/share/man/man1/midwire-show.1" > "$work/show.txt" 2> "$work/man.log"
  grep -q "^OPTIONS" "$work/show.txt"
  [ ! -s "$work/man.log" ] || { cat "$work/man.log"; exit 1; }
fi
