#!/usr/bin/env bash
# Replays and checks cassettes, fuzzes the plugin, and writes reports and a summary. action.yml calls it; so can any
# other CI system. All input is in variables: CASSETTES (shell patterns), PLUGIN (a line for sh), and optional
# DIALECT, FUZZ_MINUTES (0), FUZZ (midwire-fuzz, corpus and findings), FUZZ_ARGS (options), RESULTS
# (midwire-results), MIDWIRE (midwire).
# Exits with 0 if nothing was found, 1 if something was, 2 if it could not be run.
set -uo pipefail
midwire=${MIDWIRE:-midwire} results=${RESULTS:-midwire-results} minutes=${FUZZ_MINUTES:-0} fuzz=${FUZZ:-midwire-fuzz}
summary=${GITHUB_STEP_SUMMARY:-/dev/stdout}
shopt -s nullglob globstar
# Patterns are split at blanks and expanded, and nothing else is.
# shellcheck disable=SC2206
options=(${FUZZ_ARGS:-})
# shellcheck disable=SC2206
cassettes=(${CASSETTES:-})
if [ "${#cassettes[@]}" -eq 0 ]; then
  echo "no cassette matches: ${CASSETTES:-}" >&2
  exit 2
fi
[ -n "${PLUGIN:-}" ] || { echo "PLUGIN is empty: the command of the plugin" >&2; exit 2; }
[[ $minutes =~ ^[0-9]+$ ]] || { echo "FUZZ_MINUTES: not a number of minutes: \"$minutes\"" >&2; exit 2; }
plugin=(sh -c "exec $PLUGIN")
dialect=()
[ -z "${DIALECT:-}" ] || dialect=(--dialect "$DIALECT")
mkdir -p "$results"

worst=0
rows=()
# step WHAT NAME COMMAND...: runs it, prints its output, and adds a row to the summary. The status of a run with a
# finding is 1; one that could not run is worse.
step() {
  local what=$1 name=$2 log status
  log=$results/$what-${name//\//_}.txt
  shift 2
  echo "::group::$what $name"
  "$@" > "$log" 2>&1
  status=$?
  cat "$log"
  echo "::endgroup::"
  local verdict=passed
  case "$status" in 0) ;; 1) verdict="**failed**" ;; *) verdict="**not run** (exit status $status)" ;; esac
  rows+=("| $what | ${name//|/\\|} | $verdict |")
  [ "$status" -le "$worst" ] || worst=$status
}

for cassette in "${cassettes[@]}"; do
  report=${cassette//\//_}
  step replay "$cassette" "$midwire" replay --no-stderr --junit "$results/replay-$report.xml" "${dialect[@]}" \
    "$cassette" -- "${plugin[@]}"
  step check "$cassette" "$midwire" check --sarif "$results/check-$report.sarif" \
    --junit "$results/check-$report.xml" "${dialect[@]}" "$cassette"
done
if [ "$minutes" -gt 0 ]; then
  from=()
  for cassette in "${cassettes[@]}"; do
    from+=(--from "$cassette")
  done
  step fuzz "$minutes min" "$midwire" fuzz "${from[@]}" "${dialect[@]}" --max-time "${minutes}m" -o "$fuzz" \
    "${options[@]}" -- "${plugin[@]}"
fi

{
  printf '### midwire\n\n| | | |\n| --- | --- | --- |\n'
  printf '%s\n' "${rows[@]}"
  printf '\nThe reports are in the artifact of this job.\n'
} >> "$summary"
[ "$worst" -le 1 ] || exit 2
exit "$worst"
