"""The official MCP client and the example server, recorded; then `midwire mock` in the server's place:
the client sees the same. Usage: MIDWIRE WORK_FOLDER
"""

import json
import pathlib
import shutil
import sys

from mcp_test import SERVER, SKIP, fetch_server
from replayed import fresh_folder, run

CLIENT = pathlib.Path(__file__).resolve().parent / "mcp" / "client.mjs"


def progress(saw):
    """What the client cannot miss: it drops progress that it reads in one go with the answer, as the
    fourth of four is live, and each of them where a mock does not pause."""
    return [step["progress"] for step in saw["progress"]][:3]


def held(saw):
    """That the session had in it what it was made for."""
    assert saw["server"]["name"], saw
    assert progress(saw) == [1, 2, 3], saw["progress"]
    assert saw["asked"][0] == "roots/list", saw["asked"]
    assert saw["asked"][1][0] == "sampling/createMessage", saw["asked"]
    assert "with milk" in json.dumps(saw["sampled"]), saw["sampled"]
    assert "Grüße" in saw["echo"]["content"][0]["text"], saw["echo"]
    assert ["41" in saw["sums"][0]["content"][0]["text"], "42" in str(saw["sums"][1])] == [True] * 2
    assert saw["refused"][0] == -32602, saw["refused"]


def main(midwire, work):
    folder = fresh_folder(work)
    fetched = folder.parent / "mcp_server"
    if not fetch_server(fetched):
        print("skipped: npm cannot reach its registry, so there is no MCP client")
        return SKIP
    # Modules are looked up from where the program lies.
    client = [shutil.which("node"), str(shutil.copy(CLIENT, fetched))]
    tape, cassette = str(folder / "session.pcapng"), str(folder / "session.jsonl")

    server = [shutil.which("node"), str(fetched / SERVER), "stdio"]
    live = run(*client, midwire, "record", "-o", tape, "--", *server, cwd=folder)
    saw = json.loads(live.stdout)
    held(saw)
    run(midwire, "convert", tape, cassette)

    for trace, *timing in (tape, "--timing", "recorded"), (tape,), (cassette,):
        report = folder / "report.json"
        mock = [midwire, "mock", trace, *timing, "--json", "--report", str(report)]
        mocked = run(*client, *mock, cwd=folder)
        seen = json.loads(mocked.stdout)
        if timing:
            assert progress(seen) == progress(saw), seen["progress"]
        seen["progress"] = saw["progress"]
        assert seen == saw, f"{trace}:\n{mocked.stdout}\n{live.stdout}"
        told = json.loads(report.read_text())
        assert told["same"] and told["sent"] == told["to_send"], told
        # The server's log, too, comes from the trace.
        assert mocked.stderr == live.stderr, mocked.stderr
    print(f"the client saw the same of the mock: {told['sent']} messages sent, "
          f"{told['matched']} received as recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
