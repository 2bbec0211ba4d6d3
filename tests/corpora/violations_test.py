#!/usr/bin/env python3
"""Each violation of corpora/NAME/violations.json is found, as itself and as nothing else.

Usage: violations_test.py MIDWIRE NAME [VIOLATION...]

A violation is an edit of the golden cassette (corpora/NAME/sessions/golden.jsonl) and what `midwire
check` has to say of it beyond what it says of the session as it is:

    [{"name": "a ping that is answered twice",
      "edit": [{"at": "answer ping", "repeat": 1}],
      "finds": [{"rule": "answer.once", "severity": "must", "frame": "answer ping +1",
                 "pointer": "/id"}]}]

The operations of "edit" are done in order. "at" is a line, one of
    12                   the line's number in the file, from 1
    "host METHOD"        the host's request or notification of that method
    "plugin METHOD"      the plugin's
    "answer METHOD"      the answer to a request of that method, either way
    "event exit"         an event
except for the number, and optionally " 2", " 3", ... for the second, third, ... of them, and " +1",
" +2", ... for the first, second, ... message behind that. An answer is found by its request's id:
edit the answer first. What is done there:
    "set": POINTER, "to": VALUE      a member or item ("/list/-" appends), of message or event
    "remove": POINTER
    "delete": true
    "repeat": 1                      the line once more (or so many times), behind itself
    "repeat": 9, "vary": [POINTER]   "-1", "-2", ... behind what is there in each of them
    "after": LINE, "before": LINE    another line: {"from": "plugin", "message": {...}}
    "swap": AT                       the two lines change places
    "move_after": AT                 the line goes behind that one
    "body": TEXT                     instead of the message, bytes that may be anything
    "item": {...}                    members of the line itself: {"framing": "content-length"}
A VALUE or LINE may hold {"text": "x", "times": 2000000} for a long string.

"finds" lists all findings, in any order. "frame" is a number as `midwire show` prints it, or a
line of the edited cassette as above; 0 where a finding has none. "pointer" is "" where it is
missing. A violation with "strict": true is checked with --strict (and so is the session as it is).
The exit status has to be 1 when one of all findings is a must, else 0. Standard library only.
"""

import collections
import json
import subprocess
import sys
import tempfile

from cassette import CORPORA, Cassette, golden

MIN_VIOLATIONS = 12


def check(midwire, name, path, strict=False):
    command = [midwire, "check", str(path), "--json", "--dialect", name]
    run = subprocess.run(
        command + ["--strict"] * strict, capture_output=True, text=True, timeout=120
    )
    if run.returncode not in (0, 1):
        raise RuntimeError(f"check failed ({run.returncode}): {run.stderr}")
    findings = findings_of(run.stdout)
    musts = any(severity == "must" for _, severity, _, _ in findings)
    if run.returncode != int(musts):
        raise RuntimeError(f"exit status {run.returncode} with findings {findings}")
    return collections.Counter(findings)


def findings_of(text):
    return [
        (each["rule"], each["severity"], each.get("n", 0), each.get("pointer", ""))
        for each in json.loads(text)["findings"]
    ]


def wanted(cassette, violation):
    def frame(where):
        return cassette.frame(cassette.find(where)) if isinstance(where, str) else where

    return collections.Counter(
        (each["rule"], each["severity"], frame(each.get("frame", 0)), each.get("pointer", ""))
        for each in violation["finds"]
    )


def main(midwire, name, *only):
    violations = json.loads((CORPORA / name / "violations.json").read_text(encoding="utf-8"))
    unknown = set(only) - {violation["name"] for violation in violations}
    if unknown:
        print(f"{name}: no such violation: {sorted(unknown)}")
        return 2
    clean = {strict: check(midwire, name, golden(name), strict) for strict in (False, True)}
    failed, rules = 0, set()
    for violation in violations:
        if only and violation["name"] not in only:
            continue
        cassette = Cassette(golden(name))
        try:
            for operation in violation["edit"]:
                cassette.edit(operation)
            expected = wanted(cassette, violation)
        except (LookupError, TypeError, ValueError) as error:
            print(f"{name}: {violation['name']}: cannot be made: {error!r}")
            failed += 1
            continue
        strict = violation.get("strict", False)
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
            file.write(cassette.text())
            file.flush()
            got = check(midwire, name, file.name, strict) - clean[strict]
        rules |= {rule for rule, *_ in expected}
        if got == expected:
            continue
        failed += 1
        print(f"{name}: {violation['name']}:")
        for finding in sorted((expected - got).elements()):
            print("  not found:", *finding)
        for finding in sorted((got - expected).elements()):
            print("  found besides:", *finding)
    if not only and (len(violations) < MIN_VIOLATIONS or len(rules) < MIN_VIOLATIONS):
        print(f"{name}: {len(violations)} violations of {len(rules)} rules are too few")
        return 1
    print(f"{name}: {len(violations)} violations of {len(rules)} rules, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
