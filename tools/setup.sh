# What tools/quickstart and tools/test share: install packages, build a preset. Sourced by bash from
# the root of the source tree; runs nothing by itself.
# shellcheck shell=bash

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
if [ ! -t 1 ] || [ -n "${NO_COLOR:-}" ]; then
  say() { printf '\n== %s\n' "$*"; }
fi

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# missing_packages GROUP...: the packages of tools/packages.txt that are not installed, one per
# line.
missing_packages() {
  local wanted=" $* " group package command
  while read -r group package command; do
    case "$group" in '' | '#'*) continue ;; esac
    case "$wanted" in *" $group "*) ;; *) continue ;; esac
    [ -n "$command" ] && command -v "$command" > /dev/null && continue
    case "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2> /dev/null)" in
      installed) ;;
      *) printf '%s\n' "$package" ;;
    esac
  done < tools/packages.txt
}

# install_packages GROUP...: with apt, as root or through sudo; does nothing if nothing is missing.
install_packages() {
  command -v dpkg-query > /dev/null ||
    die "this is not Debian: install what tools/packages.txt lists by hand, then run cmake --preset release"
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  if [ "${#missing[@]}" -eq 0 ]; then
    say "packages: all there ($*)"
    return
  fi
  say "packages: installing ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || die "needs root or sudo to install: ${missing[*]}"
    as_root=(sudo)
  fi
  # A mirror that is partly down may still have every package: continue; the install reports
  # failures.
  printf 'takes about a minute; the output of apt goes to build/packages.log\n'
  "${as_root[@]}" apt-get update -q < /dev/null > build/packages.log 2>&1 || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}" \
    < /dev/null >> build/packages.log 2>&1 || {
    tail -n 30 build/packages.log >&2
    die "apt could not install them (log above; whole in build/packages.log)"
  }
}

# build_preset PRESET [CMAKE ARGUMENTS...]: configure and build into build/PRESET, with one compiler per processor.
# (Ninja's default is two more. They only share the processors, and a compiler takes up to 0.7 GB.)
build_preset() {
  local preset=$1
  shift
  say "build: build/$preset (preset $preset)"
  cmake --preset "$preset" "$@" > "build/$preset.log" 2>&1 || {
    cat "build/$preset.log" >&2
    die "cmake could not configure preset $preset (log above)"
  }
  cmake --build --preset "$preset" --parallel "$(nproc)" < /dev/null
}
