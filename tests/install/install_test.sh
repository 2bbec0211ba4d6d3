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
  "different: 2 findings (2 of 2 messages sent, 0 of 3 received as recorded)"; do
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
  share/bash-completion/completions/midwire include/midwire/wire/decoder.h \
  include/midwire/trace/record.h include/midwire/tools/kit/gmock.h; do
  [ -s "$work/prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

# Nothing of this machine in what is exported: the tree may be moved to another.
if grep -rn -e "$build" -e "$(cd "$here/../.." && pwd)" "$work/prefix/lib"*/cmake; then
  echo "the exported targets name this machine's folders (above)"
  exit 1
fi

# The completion script must be one that bash can read.
bash -n "$work/prefix/share/bash-completion/completions/midwire"
