#!/bin/sh
# Holds the plugin against every recorded session.
failed=0
for session in sessions/*.jsonl; do
  echo "== $session"
  midwire replay "$session" -- python3 plugin.py || failed=1
done
exit $failed
