#!/usr/bin/env bash
# The command needs nothing but a kernel: it records, replays and fuzzes in a root that has no other file.
# Usage: static_test.sh BUILD_FOLDER SCRATCH_FOLDER
set -euo pipefail
build=$1 root=$2
here=$(cd "$(dirname "$0")" && pwd)
limit=12000000 # bytes; what a download of it may cost

fail() {
  printf '%s\n' "$*"
  exit 1
}

rm -rf "$root"
mkdir -p "$root/tmp"
cp "$build/stage/bin/midwire" "$root/midwire"
cp "$here/../../corpora/mcp/sessions/golden.pcapng" "$root/session.pcapng"
[ "$(stat -c %s "$root/midwire")" -lt "$limit" ] || fail "larger than $limit bytes: $(ls -l "$root/midwire")"

# These would load shared objects of the machine when they are called, of whatever version it has.
if grep -oE 'libc\.a\((getaddrinfo|getpw\w+|getgr(nam|gid|ent)\w*|gethostby\w+|nss\w*)\.o\)' "$build/midwire.map"; then
  fail "linked, but needs shared objects at run time (above)"
fi

alone() { unshare --map-root-user --root="$root" --wd=/tmp "$@"; }
unshare --map-root-user true || exit 77 # no user namespaces here
[ "$(alone /midwire --version)" = "$("$build/midwire" --version)" ] || fail "another version"
alone /midwire record -o /tmp/new.pcapng -- /midwire mock --lenient /session.pcapng < /dev/null
[ -s "$root/tmp/new.pcapng" ] || fail "recorded nothing"
alone /midwire replay --no-stderr /session.pcapng -- /midwire mock /session.pcapng
alone /midwire show --local -n 1 /session.pcapng
alone /midwire fuzz --from /session.pcapng --seed 1 --max-runs 30 -o /tmp/fuzz -- \
  /midwire mock --lenient --exhausted repeat /session.pcapng
