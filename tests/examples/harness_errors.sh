#!/usr/bin/env bash
# A wrong target of the harness kit is refused by the compiler with a message that names the mistake.
# Usage: harness_errors.sh COMPILER WORK INCLUDE...
set -euo pipefail
compiler=$1 work=$2
shift 2
mkdir -p "$work"

refused() { # MESSAGE SOURCE
  printf '#include <midwire/fuzz/harness.h>\nusing midwire::fuzz::Emit;\n%s\n' "$2" > "$work/target.cc"
  if "$compiler" -std=c++20 -fsyntax-only "${@:3}" "$work/target.cc" > "$work/said" 2>&1 ||
    ! grep -q "error: .*$1" "$work/said"; then
    cat "$work/target.cc" "$work/said"
    echo "not refused with \"$1\""
    exit 1
  fi
}

includes=("${@/#/-I}")
refused "a decoder has feed(std::string_view bytes, const Emit& emit)" \
  'struct D { int x; }; MIDWIRE_FUZZ_DECODER(D)' "${includes[@]}"
refused "needs a constructor without arguments" \
  'struct D { explicit D(int); void feed(std::string_view, const Emit&); }; MIDWIRE_FUZZ_DECODER(D)' "${includes[@]}"
refused "a dispatcher is called as f(body, emit)" \
  'int Dispatch(int); MIDWIRE_FUZZ_DISPATCHER(Dispatch)' "${includes[@]}"
refused "no non-static data member named .*dialekt" \
  'void F(std::string_view, const Emit&); MIDWIRE_FUZZ_DISPATCHER(F, .dialekt = "mcp")' "${includes[@]}"
