#!/usr/bin/env bash
# Installs the packages of Debian in a bare Debian 12, runs the command there, and builds with midwire-dev.
# Usage: deb_test.sh PACKAGES SCRATCH_FOLDER. Exits 77 without root, debootstrap or a mirror.
set -euo pipefail
packages=$1 work=$2
root=$work/root

fail() {
  printf '%s\n' "$*"
  exit 1
}

errors=$(lintian --allow-root --tag-display-limit 0 "$packages"/*.deb | grep '^E:' || true)
[ -z "$errors" ] || fail "lintian: $errors"

[ "$(id -u)" = 0 ] || exit 77
command -v debootstrap > /dev/null || exit 77
leave() {
  for place in dev proc; do
    umount "$root/$place" 2> /dev/null || true
  done
  rm -rf --one-file-system "$root"
}
trap leave EXIT
leave
mkdir -p "$work"
debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian > "$work/debootstrap.log" 2>&1 || {
  tail -n 5 "$work/debootstrap.log"
  exit 77
}
mount --bind /proc "$root/proc" || exit 77 # a container that may not
mount --bind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$packages"/*.deb "$root/"
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }

# Without apt: it depends on nothing.
inside sh -c 'dpkg -i /midwire_*.deb'
sample=/usr/share/midwire/sample.pcapng
inside midwire replay --no-stderr $sample -- midwire mock $sample
inside midwire fuzz --from $sample --max-runs 20 -o /tmp/fuzz -- midwire mock --lenient --exhausted repeat $sample
[ "$(inside midwire cov-flags | grep -c lib/midwire/midwire-cov.o)" -gt 0 ] || fail "no coverage runtime"
for file in doc/midwire/README.md doc/midwire/NOTICES.gz bash-completion/completions/midwire midwire/midwire.lua; do
  [ -s "$root/usr/share/$file" ] || fail "not installed: /usr/share/$file"
done

# midwire-dev with what it depends on, and a project of a user.
mkdir "$root/project"
cat > "$root/project/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.25)
project(user CXX)
enable_testing()
find_package(midwire REQUIRED)
add_executable(user main.cc)
target_link_libraries(user PRIVATE midwire::replay midwire::fuzz_chaos midwire::view_page)
midwire_add_replay_test(NAME replay TRACE /usr/share/midwire/sample.pcapng
  COMMAND midwire::command mock /usr/share/midwire/sample.pcapng)
END
cat > "$root/project/main.cc" << 'END'
#include "wire/decoder.h"
#include "trace/record.h"
int main() { return sizeof(midwire::wire::Decoder) > 0 ? 0 : 1; }
END
inside sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends /midwire-dev_*.deb cmake g++ make' \
  > "$work/apt.log" 2>&1 || { tail -n 20 "$work/apt.log"; fail "midwire-dev cannot be installed"; }
inside sh -c 'cd project && cmake -B build && cmake --build build && cd build && ctest --output-on-failure'
inside sh -c 'dpkg --purge midwire-dev midwire && ! test -e /usr/bin/midwire && ! test -e /usr/share/midwire'
