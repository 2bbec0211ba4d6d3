"""Holds every #include against the floors of doc/design.md. Usage: layers.py SOURCE_TREE

Prints each line that breaks a rule and exits 1. Tests itself first: planted lines must be caught.
"""

import pathlib
import re
import sys

# What each folder may include of ours, besides itself.
FLOORS = {
    "wire": set(),
    "trace": {"wire"},
    "replay": {"wire", "trace"},
    "fuzz": {"wire", "trace"},
    "proxy": {"wire", "trace"},
    "tools": {"wire", "trace", "replay", "fuzz", "proxy"},
}

# Header pattern: where it may be included, and the rule in words.
PROCESS = r"boost/(asio|process)|spawn\.h|sys/(prctl|ptrace|signalfd|wait)\.h"
KEPT_BACK = [
    (r"rapidjson/", r"wire/json[^/]*", "only wire/json* touches RapidJSON"),
    (r"CLI/|spdlog/", r"tools/.*", "only tools/ touches CLI11 and spdlog"),
    (PROCESS, r"(proxy|fuzz)/.*", "only proxy/ (and fuzz/) touches processes"),
    # tools/kit/gmock.h is compiled only by test programs of others, which have GoogleTest anyway; nothing
    # of ours is built with it.
    (r"(gtest|gmock)/", r"tests/.*|tools/kit/gmock\.h", "only tests/ touches GoogleTest"),
    # The test kit is a library of its own, without what the command drags in.
    (r"tools/(?!kit/)", r"tools/(?!kit/).*|tests/.*", "tools/kit/ stands on the floors below"),
    (r"tools/kit/gmock\.h", r"tests/.*", "tools/kit/gmock.h is for test programs"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def broken_rule(path, header):
    """The rule that `header` breaks when `path` (relative to the tree) includes it, or None."""
    folder, included = path.split("/")[0], header.split("/")[0]
    if folder in FLOORS and included in FLOORS and included != folder:
        if included not in FLOORS[folder]:
            return f"{folder}/ may not include {included}/"
    for pattern, allowed, rule in KEPT_BACK:
        if re.match(pattern, header) and not re.fullmatch(allowed, path):
            return rule
    return None


def check(tree):
    files = [f for folder in FLOORS for f in sorted((tree / folder).rglob("*.[hc]*"))]
    findings, includes = [], 0
    for file in files:
        path = file.relative_to(tree).as_posix()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            includes += 1
            rule = broken_rule(path, match[1])
            if rule:
                findings.append(f"{path}:{number}: {rule}: {line.strip()}")
    for finding in findings:
        print(finding, file=sys.stderr)
    print(f"{len(files)} files, {includes} includes, {len(findings)} break a rule")
    # A tree with nothing to check is a wrong path, not a pass.
    return 1 if findings or includes < 10 else 0


def self_test():
    must_break = [
        ("wire/x.h", "trace/record.h"),
        ("trace/x.cc", "proxy/child.h"),
        ("proxy/x.cc", "replay/matcher.h"),
        ("trace/x.cc", "rapidjson/document.h"),
        ("wire/decoder.cc", "rapidjson/reader.h"),
        ("proxy/x.cc", "spdlog/spdlog.h"),
        ("wire/x.cc", "CLI/CLI.hpp"),
        ("tools/x.cc", "boost/process/v2.hpp"),
        ("trace/x.cc", "sys/wait.h"),
        ("tools/x.cc", "gtest/gtest.h"),
        ("tools/kit/replays.cc", "gmock/gmock.h"),
        ("tools/kit/replays.cc", "tools/kit/gmock.h"),
        ("tools/kit/replays.cc", "sys/wait.h"),
        ("tools/kit/replays.cc", "tools/output.h"),
        ("replay/x.cc", "tools/kit/replays.h"),
    ]
    must_pass = [
        ("wire/json.cc", "rapidjson/document.h"),
        ("tools/x.cc", "wire/message.h"),
        ("tools/x.cc", "CLI/CLI.hpp"),
        ("proxy/x.cc", "sys/wait.h"),
        ("trace/x.cc", "wire/decoder.h"),
        ("tools/kit/gmock.h", "gmock/gmock.h"),
        ("tools/kit/replays.cc", "proxy/run_command.h"),
    ]
    wrong = [case for case in must_break if not broken_rule(*case)]
    wrong += [case for case in must_pass if broken_rule(*case)]
    for case in wrong:
        print(f"self-test: wrong verdict on {case}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(self_test() or check(pathlib.Path(sys.argv[1])))
