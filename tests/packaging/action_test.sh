#!/usr/bin/env bash
# The shell part of the GitHub Action, without GitHub: what it writes, and how it exits.
# Usage: action_test.sh MIDWIRE SCRATCH_FOLDER
set -euo pipefail
midwire=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
notes=$top/corpora/desktop-sidecar

rm -rf "$work"
mkdir -p "$work/sessions"
cd "$work"
cp "$notes/sessions/notes.jsonl" "$notes/plugin.py" .
cp notes.jsonl "sessions/a.jsonl"
cp notes.jsonl "sessions/b.jsonl"
sed 's/"characters": len/"characters": 1 + len/' plugin.py > changed.py

# run STATUS PLUGIN [VARIABLE=VALUE...]
run() {
  local wanted=$1 status=0
  rm -rf results summary.md
  env MIDWIRE="$midwire" RESULTS=results GITHUB_STEP_SUMMARY="$PWD/summary.md" CASSETTES='sessions/*.jsonl' \
    PLUGIN="$2" "${@:3}" bash "$top/packaging/action/run.sh" > log 2>&1 || status=$?
  [ "$status" = "$wanted" ] || { cat log; echo "exit status $status, not $wanted: ${*:2}"; exit 1; }
}
has() { grep -qF -- "$2" "$1" || { cat "$1"; echo "$1 does not have: $2"; exit 1; }; }

run 0 'python3 plugin.py'
has summary.md '| replay | sessions/a.jsonl | passed |'
has summary.md '| check | sessions/b.jsonl | passed |'
for report in replay-sessions_a.jsonl.xml check-sessions_a.jsonl.xml check-sessions_b.jsonl.sarif; do
  [ -s "results/$report" ] || { echo "not written: $report"; exit 1; }
done

run 1 'python3 changed.py'
has summary.md '| replay | sessions/a.jsonl | **failed** |'
has summary.md '| check | sessions/a.jsonl | passed |'
has log '/result/characters: expected'

run 2 'no-such-plugin-here' CASSETTES=notes.jsonl DIALECT=no-such-dialect
has summary.md '**not run** (exit status 2)'
run 2 'python3 plugin.py' CASSETTES='none/*.jsonl'
has log 'no cassette matches: none/*.jsonl'
run 2 'python3 plugin.py' FUZZ_MINUTES=soon
run 0 'python3 plugin.py' FUZZ_MINUTES=1 FUZZ_ARGS='--max-runs 20 --seed 1' CASSETTES=notes.jsonl
has summary.md '| fuzz | 1 min | passed |'

# What action.yml passes is what run.sh reads.
for name in MIDWIRE CASSETTES PLUGIN DIALECT FUZZ_MINUTES RESULTS; do
  has "$top/packaging/action/action.yml" "        $name: \${{ inputs."
done
