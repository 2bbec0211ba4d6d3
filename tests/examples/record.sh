#!/bin/sh
set -e
python3 host.py -- midwire record -o session.pcapng -- python3 plugin.py
midwire convert session.pcapng sessions/notes.jsonl
midwire replay sessions/notes.jsonl --learn -- python3 plugin.py
