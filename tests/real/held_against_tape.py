"""Compares a tape with the scripted host's log: every byte, message, latency, in every view."""

import datetime
import json
import pathlib
import subprocess
from collections import Counter

# The host and midwire read the clock independently; it may be adjusted a little between the two.
CLOCK_SLACK_NS = 1_000_000
DIRECTIONS = ("h2p", "p2h")
STREAMS = (*DIRECTIONS, "stderr")
# frame.p2p_dir as tshark numbers it: sent, received.
TSHARK_DIRECTION = {"h2p": "0", "p2h": "1"}


def run(*command):
    done = subprocess.run(command, capture_output=True, timeout=120)
    assert done.returncode == 0, f"{command}: exit {done.returncode}: {done.stderr.decode()}"
    assert done.stderr == b"", f"{command}: {done.stderr.decode()}"
    return done.stdout


def same(what, got, wanted):
    assert got == wanted, f"{what}\n  got:    {got!r}\n  wanted: {wanted!r}"


def raw_streams(midwire, trace):
    return {s: run(midwire, "show", "--raw", "--direction", s, trace) for s in STREAMS}


def shown_lines(midwire, trace):
    lines = [json.loads(line) for line in run(midwire, "show", "--json", trace).splitlines()]
    return lines, [line for line in lines if line["type"] == "message"]


def answered(said):
    """(request, answer) as the host saw them, by the direction of the request and its id."""
    pairs = {}
    for one in said:
        if one.kind == "request":
            pairs[one.direction, one.message["id"]] = [one, None]
        elif one.kind != "notification":
            asked = "p2h" if one.direction == "h2p" else "h2p"
            pairs[asked, one.message["id"]][1] = one
    return pairs


def hold_messages(direction, shown, said, methods):
    def of_said(one):
        method = one.message.get("method") or methods[direction, one.message["id"]]
        return (one.kind, method, one.message.get("id"), len(one.frame))

    def of_shown(line):
        return (line["kind"], line["method"], line.get("id"), line["size"])

    same(
        f"messages {direction}",
        [of_shown(line) for line in shown if line["dir"] == direction],
        [of_said(one) for one in said if one.direction == direction],
    )


def start_of(lines):
    """Unix time of at_ns 0, from the spawn event."""
    spawn = next(line for line in lines if line.get("event", {}).get("event") == "spawn")
    stamp, fraction = spawn["time"].rstrip("Z").split(".")
    at = datetime.datetime.fromisoformat(stamp + "+00:00")
    return int(at.timestamp()) * 10**9 + int(fraction) - spawn["at_ns"]


def hold_times(lines, shown, said, pairs):
    """What midwire saw lies between the host's writing and the host's reading."""
    start = start_of(lines)
    for direction in DIRECTIONS:
        ours = [start + line["at_ns"] for line in shown if line["dir"] == direction]
        theirs = [one.time_ns for one in said if one.direction == direction]
        for our_ns, host_ns in zip(ours, theirs, strict=True):
            late_ns = our_ns - host_ns if direction == "h2p" else host_ns - our_ns
            assert late_ns > -CLOCK_SLACK_NS, f"{direction}: recorded at {our_ns}, host: {host_ns}"

    latencies = {
        ("p2h" if line["dir"] == "h2p" else "h2p", line["id"]): line["latency_ns"]
        for line in shown
        if "latency_ns" in line
    }
    same("answered requests", sorted(map(str, latencies)), sorted(map(str, pairs)))
    for key, (request, answer) in pairs.items():
        host_ns = answer.time_ns - request.time_ns
        # The host is outside of midwire for its own requests and inside for the plugin's.
        longer, shorter = (host_ns, latencies[key]) if key[0] == "h2p" else (latencies[key], host_ns)
        assert longer > shorter - CLOCK_SLACK_NS, f"{key}: midwire {latencies[key]}, host {host_ns}"


def hold_stats(stats, host, said, pairs):
    sent = {"h2p": host.sent, "p2h": host.received}
    for direction in DIRECTIONS:
        totals = stats["directions"][direction]
        of_it = [one for one in said if one.direction == direction]
        same(f"bytes {direction}", totals["bytes"], len(sent[direction]))
        same(f"messages {direction}", totals["messages"], len(of_it))
        kinds = {kind: count for kind, count in totals["kinds"].items() if count}
        same(f"kinds {direction}", kinds, dict(Counter(one.kind for one in of_it)))
        same(f"unanswered {direction}", totals["unanswered"], 0)
        same(f"answers to nothing {direction}", totals["answers_to_nothing"], 0)
        same(f"junk {direction}", totals["junk"], 0)
    same("stderr bytes", stats["stderr_bytes"], len(host.log))
    same("damage", (stats["damaged_bytes"], stats["torn_bytes"]), (0, 0))
    same("sessions", [session["ended"] for session in stats["sessions"]], [True])

    wanted = Counter(
        (one.direction, one.message["method"], one.kind) for one in said if "method" in one.message
    )
    for (direction, _), (request, answer) in pairs.items():
        wanted[direction, request.message["method"], "answer"] += 1
        wanted[direction, request.message["method"], "error"] += answer.kind == "error"
    got = Counter()
    for row in stats["methods"]:
        key = row["dir"], row["method"]
        got[(*key, "request")] += row["requests"]
        got[(*key, "notification")] += row["notifications"]
        got[(*key, "answer")] += row["answers"]
        got[(*key, "error")] += row["errors"]
    same("counts per method", +got, +wanted)


def hold_convert(midwire, tape, streams, lines):
    """Tape to cassette to tape: with times nothing is lost, without them no byte is."""
    cassette, back = tape + ".times.jsonl", tape + ".back.pcapng"
    run(midwire, "convert", "--times", tape, cassette)
    run(midwire, "convert", cassette, back)
    same("lines of the cassette", shown_lines(midwire, cassette)[0], lines)
    whole = pathlib.Path(back).read_bytes() == pathlib.Path(tape).read_bytes()
    assert whole, f"{back} is not {tape}, byte for byte"

    cassette, back = tape + ".jsonl", tape + ".plain.pcapng"
    run(midwire, "convert", tape, cassette)
    run(midwire, "convert", cassette, back)
    for trace in cassette, back:
        same(f"raw bytes of {trace}", raw_streams(midwire, trace), streams)


def hold_tshark(tape, said):
    """Stock tshark opens it, and finds each method in the direction in which it was sent."""
    fields = ["-T", "fields", "-e", "frame.p2p_dir", "-e", "json.path_with_value"]
    run_quietly = ["env", "LC_ALL=C.UTF-8", "tshark", "-r", tape, *fields]
    done = subprocess.run(run_quietly, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    found = set()
    for line in done.stdout.decode().splitlines():
        direction, _, values = line.partition("\t")
        for value in values.split(","):
            if value.startswith("/method:"):
                found.add((direction, value.removeprefix("/method:")))
    wanted = {
        (TSHARK_DIRECTION[one.direction], one.message["method"])
        for one in said
        if "method" in one.message
    }
    same("methods that tshark finds", found, wanted)


def hold(midwire, tape, host):
    said, pairs = host.said, answered(host.said)
    methods = {}
    for (asked, request_id), (request, _) in pairs.items():
        methods["p2h" if asked == "h2p" else "h2p", request_id] = request.message["method"]

    streams = raw_streams(midwire, tape)
    same("bytes from host to plugin", streams["h2p"], host.sent)
    same("bytes from plugin to host", streams["p2h"], host.received)
    same("stderr", streams["stderr"], host.log)

    lines, shown = shown_lines(midwire, tape)
    for direction in DIRECTIONS:
        hold_messages(direction, shown, said, methods)
    hold_times(lines, shown, said, pairs)
    hold_stats(json.loads(run(midwire, "stats", "--json", tape)), host, said, pairs)
    hold_convert(midwire, tape, streams, lines)
    hold_tshark(tape, said)
    size = pathlib.Path(tape).stat().st_size
    print(f"{len(said)} messages, {len(pairs)} exchanges, tape of {size} bytes: as the host saw it")
    return shown
