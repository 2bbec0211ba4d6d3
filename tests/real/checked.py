"""Checks the tape of a real program against its dialect, named and detected."""

import json
import subprocess


def checked(midwire, tape, dialect, tolerated=()):
    """Nothing is found except by the rules `tolerated`. Returns those findings."""
    named, detected = (
        subprocess.run([midwire, "check", tape, "--json", *arguments], capture_output=True, timeout=120)
        for arguments in (["--dialect", dialect], [])
    )
    assert named.returncode == 0, f"check: exit {named.returncode}: {named.stdout} {named.stderr}"
    assert named.stderr == b"", named.stderr.decode()
    report, of_detected = json.loads(named.stdout), json.loads(detected.stdout)
    assert of_detected.pop("sureness") == "certain", detected.stdout
    assert of_detected == report, f"detected:\n{detected.stdout}\nnamed:\n{named.stdout}"
    findings = report["findings"]
    unexpected = [found for found in findings if found["rule"] not in tolerated]
    assert not unexpected, json.dumps(unexpected, indent=1)
    print(f"{dialect}: nothing but {len(findings)} notes")
    return findings
