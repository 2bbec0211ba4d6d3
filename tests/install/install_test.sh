#!/usr/bin/env bash
# Installs into an empty prefix, builds a consumer with find_package(midwire) against nothing but
# that prefix, runs it, and looks for each kind of file that an install must bring.
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
  include/midwire/trace/record.h; do
  [ -s "$work/prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

# Nothing of this machine in what is exported: the tree may be moved to another.
if grep -rn -e "$build" -e "$(cd "$here/../.." && pwd)" "$work/prefix/lib"*/cmake; then
  echo "the exported targets name this machine's folders (above)"
  exit 1
fi

# The completion script must be one that bash can read.
bash -n "$work/prefix/share/bash-completion/completions/midwire"
