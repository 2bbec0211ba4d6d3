#!/usr/bin/env bash
# Installs the npm packages without a registry, with install scripts and without, and runs the command and the
# helper for node:test there. Usage: npm_test.sh PACKAGES SCRATCH_FOLDER
set -euo pipefail
packages=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
command=$top/build/static/stage/bin/midwire
tarballs=("$packages"/midwire-[0-9]*.tgz "$packages"/midwire-linux-x64-*.tgz)

fail() {
  printf '%s\n' "$*"
  exit 1
}

rm -rf "$work"
mkdir -p "$work/scripts" "$work/launcher"
export npm_config_cache=$work/cache npm_config_offline=true npm_config_audit=false npm_config_fund=false
install() {
  (cd "$work/$1" && echo '{"private": true}' > package.json && npm install --silent "${@:2}" "${tarballs[@]}")
}

# With scripts, the launcher is the command itself.
install scripts
bin=$work/scripts/node_modules/.bin/midwire
cmp "$bin" "$command" || fail "the launcher was not replaced by the command"
sample=$work/scripts/node_modules/midwire/share/midwire/sample.pcapng
"$bin" replay --no-stderr "$sample" -- "$bin" mock "$sample"
"$bin" cov-flags

# Without, it starts the command: output, exit status, and death by a signal are the command's.
install launcher --ignore-scripts
bin=$work/launcher/node_modules/.bin/midwire
head -n 1 "$bin" | grep -q node || fail "the launcher is not there"
"$bin" replay --no-stderr "$sample" -- "$bin" mock "$sample"
status=0
"$bin" show missing.pcapng 2> /dev/null || status=$?
[ "$status" = 2 ] || fail "exit status $status, not 2"
status=0
# shellcheck disable=SC2016  # the plugin's shell expands it
"$bin" record -o "$work/killed.pcapng" -- sh -c 'kill -TERM $$' < /dev/null || status=$?
[ "$status" = 143 ] || fail "exit status $status, not that of SIGTERM"
(cd "$work" && npx --offline --yes --package "${tarballs[0]}" --package "${tarballs[1]}" midwire --version)

# Elsewhere: one line.
status=0
node -e "Object.defineProperty(process, 'platform', {value: 'darwin'}); require('$work/launcher/node_modules/midwire/bin/midwire')" \
  2> "$work/line" || status=$?
[ "$status" = 1 ] || fail "the launcher succeeded elsewhere"
grep -q "Linux on x86-64 only" "$work/line" || fail "$(cat "$work/line")"
[ "$(wc -l < "$work/line")" = 1 ] || fail "more than one line: $(cat "$work/line")"

# The helper, in node:test, and in vitest where the registry has it.
for folder in scripts launcher; do
  cp "$here"/node/* "$top/corpora/desktop-sidecar/plugin.py" "$top/corpora/desktop-sidecar/host.py" "$work/$folder"
  mkdir "$work/$folder/sessions"
  cp "$top/corpora/desktop-sidecar/sessions/notes.jsonl" "$work/$folder/sessions"
  (cd "$work/$folder" && env -u MIDWIRE -u MIDWIRE_RECORD node --test helper.test.mjs notes.test.mjs)
done
if (cd "$work/scripts" && npm_config_offline=false npm install --silent vitest@3); then
  (cd "$work/scripts" && npx --offline vitest run notes.spec.mjs)
else
  echo "no vitest here: not tried"
fi
