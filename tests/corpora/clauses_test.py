#!/usr/bin/env python3
"""Each clause that a revision of a protocol changed has a case that passes and one that fails.

Usage: clauses_test.py MIDWIRE NAME

corpora/NAME/clauses.json is a list of
    {"clause": "batches", "edit": [...], "passes": ["2025-03-26"],
     "fails": {"2025-06-18": [{"rule": "batch", "severity": "must", "frame": ..., "pointer": ...}]}}
The edit (see violations_test.py) is done in corpora/NAME/sessions/REVISION.jsonl for each revision that is
named, and the file is checked against NAME: the session says which revision it is of. In a revision of
"passes" nothing is found beyond what is found in the session as it is, in one of "fails" exactly what stands
there. "strict": true checks with --strict. Several rows may have one clause; together they have both kinds of
case. Standard library only.
"""

import collections
import json
import sys
import tempfile

from cassette import CORPORA, Cassette
from violations_test import check, wanted


def session(name, revision):
    return CORPORA / name / "sessions" / f"{revision}.jsonl"


def kinds_of(findings):
    return collections.Counter(finding[:2] for finding in findings.elements())


def run(midwire, name, row, revision, finds):
    """Words about what is not as expected; "" if all is."""
    strict = row.get("strict", False)
    clean = check(midwire, name, session(name, revision), strict)
    cassette = Cassette(session(name, revision))
    for operation in row["edit"]:
        cassette.edit(operation)
    expected = wanted(cassette, {"finds": finds})
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.write(cassette.text())
        file.flush()
        got = check(midwire, name, file.name, strict)
    # Messages that an edit adds move the numbers of the findings of the session as it is.
    extra = kinds_of(got - expected) - kinds_of(clean)
    missing = expected - got
    words = [f"not found: {finding}" for finding in missing] + [f"found besides: {rule}" for rule in extra]
    return "; ".join(map(str, words))


def main(midwire, name):
    rows = json.loads((CORPORA / name / "clauses.json").read_text(encoding="utf-8"))
    kinds, failed, cases = collections.defaultdict(set), 0, 0
    for row in rows:
        everything = [(revision, []) for revision in row.get("passes", [])]
        for revision, finds in everything + list(row.get("fails", {}).items()):
            kinds[row["clause"]].add(bool(finds))
            cases += 1
            words = run(midwire, name, row, revision, finds)
            if words:
                failed += 1
                print(f"{name} {revision}: {row['clause']}: {words}")
    for clause, kind in kinds.items():
        if kind != {False, True}:
            failed += 1
            print(f"{name}: {clause}: needs a case that passes and one that fails")
    print(f"{name}: {cases} cases of {len(kinds)} clauses, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
