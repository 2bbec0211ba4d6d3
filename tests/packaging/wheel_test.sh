#!/usr/bin/env bash
# Installs the wheel into an empty environment of Python, and runs the command and the pytest plugin there.
# Usage: wheel_test.sh PACKAGES SCRATCH_FOLDER PYTHON. Exits 77 if this Python cannot make environments.
set -euo pipefail
packages=$1 work=$2 python=$3
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..

fail() {
  printf '%s\n' "$*"
  exit 1
}

rm -rf "$work"
mkdir -p "$work/project"
# Debian's has pytest (tools/packages.txt); the one that CMake found may be another.
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
"$python" -m venv --system-site-packages "$work/venv" || exit 77
bin=$work/venv/bin
quiet=(--no-index --disable-pip-version-check --quiet --find-links "$packages")
"$bin/pip" install "${quiet[@]}" midwire
cmp "$bin/midwire" "$top/build/static/stage/bin/midwire" || fail "the script is not the command itself"
sample=$work/venv/share/midwire/sample.pcapng
"$bin/midwire" replay --no-stderr "$sample" -- "$bin/midwire" mock "$sample"
"$bin/midwire" cov-flags

# The pytest plugin: replays and mocks, fails where the plugin or the host differs, and records again.
cp "$here"/pytest/*.py "$top/corpora/desktop-sidecar/plugin.py" "$top/corpora/desktop-sidecar/host.py" "$work/project"
mkdir "$work/project/sessions"
cp "$top/corpora/desktop-sidecar/sessions/notes.jsonl" "$work/project"
cp "$top/corpora/desktop-sidecar/sessions/notes.jsonl" "$work/project/sessions"
cd "$work/project"
env -u MIDWIRE PATH="$bin:$PATH" "$bin/python" -m pytest -q -p no:cacheprovider .

# Elsewhere: pip takes the other wheel, and its command prints one line.
"$bin/pip" download "${quiet[@]}" --platform macosx_11_0_arm64 --only-binary :all: -d "$work/mac" midwire
"$bin/pip" install "${quiet[@]}" --no-deps --target "$work/elsewhere" "$work"/mac/*.whl
! PYTHONPATH=$work/elsewhere "$bin/python" "$work/elsewhere/bin/midwire" --version 2> "$work/line" ||
  fail "the command for other platforms succeeded"
grep -q "Linux on x86-64 only" "$work/line" || fail "$(cat "$work/line")"
[ "$(wc -l < "$work/line")" = 1 ] || fail "more than one line: $(cat "$work/line")"
