#!/usr/bin/env bash
# Builds every fuzz target of midwire into $OUT, as OSS-Fuzz and ClusterFuzzLite require: NAME,
# NAME_seed_corpus.zip, NAME.dict and NAME.options. Their images set $CXX, $CXXFLAGS, $SRC, $WORK,
# $OUT and $LIB_FUZZING_ENGINE, which may be a flag (-fsanitize=fuzzer), an object or an archive.
set -euo pipefail
source=${MIDWIRE_SOURCE:-$SRC/midwire}
build=$WORK/midwire-build
mkdir -p "$OUT" "$WORK/static"

# Targets run in an image without these libraries: the linker finds the archives first.
for library in sodium deflate re2; do
  for archive in /usr/lib/*/lib"$library".a /usr/lib/lib"$library".a /usr/local/lib/lib"$library".a; do
    [ -e "$archive" ] && ln -sf "$archive" "$WORK/static/lib$library.a"
  done
done

# The images have their own C++ standard library, so RE2 is compiled with it, from $SRC/re2.
# Elsewhere the installed one is linked.
flags=${CXXFLAGS:-}
if [ -d "${SRC:-}/re2" ]; then
  make -C "$SRC/re2" -j"$(nproc)" CXX="$CXX" CXXFLAGS="$flags" obj/libre2.a
  ln -sf "$SRC/re2/obj/libre2.a" "$WORK/static/libre2.a"
  flags="$flags -I$SRC/re2"
fi

cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None \
  -DMIDWIRE_COMMAND=OFF -DMIDWIRE_TESTS=OFF -DMIDWIRE_FUZZ=ON \
  -DMIDWIRE_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_EXE_LINKER_FLAGS="-L$WORK/static" \
  -DCMAKE_LIBRARY_PATH="$WORK/static"
cmake --build "$build" --target fuzz_targets

# A dictionary may contain a token only once; several corpora share some.
cat "$source"/corpora/*/fuzz.dict | awk '/^"/ && !seen[$0]++' > "$WORK/midwire.dict"
for program in "$build"/tests/fuzz/targets/*_fuzz; do
  name=${program##*/}
  short=${name%_fuzz}
  cp "$program" "$OUT/$name"
  cp "$WORK/midwire.dict" "$OUT/$name.dict"
  cp "$source/packaging/oss-fuzz/fuzz.options" "$OUT/$name.options"
  rm -f "$OUT/${name}_seed_corpus.zip"
  folders=("$build/tests/fuzz/targets/seeds/$short")
  [ -d "$source/tests/fuzz/targets/regressions/$short" ] && folders+=("$source/tests/fuzz/targets/regressions/$short")
  find "${folders[@]}" -type f | sort | zip -q -j -X "$OUT/${name}_seed_corpus.zip" -@
done
