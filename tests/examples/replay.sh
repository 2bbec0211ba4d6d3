#!/bin/sh
# Replays every recorded session against the plugin.
failed=0
for session in sessions/*.jsonl; do
  echo "== $session"
  midwire replay "$session" -- python3 plugin.py || failed=1
done
exit $failed
