"""Recorded sessions as tests: the fixtures midwire_replay and midwire_mock.

    def test_session(midwire_replay):
        midwire_replay("sessions/notes.jsonl", [sys.executable, "plugin.py"])

    def test_host(midwire_mock):
        subprocess.run([*host, *midwire_mock("sessions/notes.jsonl")], check=True)

Both are a thin layer over `midwire replay` and `midwire mock` (doc/replay-in-tests.md). The command is that
of $MIDWIRE, else the one beside this Python, else the one in PATH.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import time
from typing import Callable, List, Optional, Sequence, Union

import pytest

Path = Union[str, "os.PathLike[str]"]
MODES = ("none", "once", "all")
PATIENCE = 10  # seconds; on a busy machine midwire ends within one


class MidwireError(AssertionError):
    """A session differed. Its text is the report of midwire."""


def command() -> str:
    """The midwire command that the fixtures run."""
    beside = os.path.join(sysconfig.get_path("scripts"), "midwire")
    found = os.environ.get("MIDWIRE") or (beside if os.path.exists(beside) else shutil.which("midwire"))
    if not found:
        raise FileNotFoundError("midwire: no such command (set MIDWIRE, or: pip install midwire)")
    return found


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("midwire").addoption(
        "--midwire-record", choices=MODES, default="none",
        help="none (default): a cassette must exist; once: record those that do not; all: record all again")


class Recorder:
    """Whether a cassette is played or recorded, and by which command."""

    def __init__(self, mode: str) -> None:
        self.mode = mode

    def needed(self, cassette: Path) -> bool:
        return self.mode == "all" or (self.mode == "once" and not os.path.exists(cassette))

    def require(self, cassette: Path) -> None:
        if not os.path.exists(cassette):
            raise FileNotFoundError(f"{os.fspath(cassette)}: no such cassette (try --midwire-record=once)")

    def convert(self, tape: str, cassette: Path) -> None:
        """The tape as the new cassette; an older one goes when the new one is complete."""
        if not wait_for(lambda: " end of the recording" in run([command(), "show", "-n", "1", tape]).stdout):
            raise MidwireError(f"{tape}: the host did not start the plugin, or it has not ended yet")
        whole = f"{os.fspath(cassette)}.new.jsonl"
        if os.path.exists(whole):
            os.remove(whole)
        run([command(), "convert", tape, whole])
        os.replace(whole, cassette)


def wait_for(done: Callable[[], bool]) -> bool:
    """A host that ends need not wait for its plugin: midwire may take a moment longer to end too."""
    end = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def run(words: Sequence[Path], timeout: Optional[float] = None) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run([os.fspath(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace", timeout=timeout)
    if done.returncode:
        raise MidwireError(f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


@pytest.fixture
def midwire_replay(request: pytest.FixtureRequest) -> Callable[..., str]:
    """midwire_replay(cassette, plugin, *options, timeout=None) -> the report.

    Plays the host of the cassette to the plugin, a list of words. Raises MidwireError if the plugin sends
    something else than recorded. options are those of `midwire replay`. There must be a cassette, because the
    messages of the host come from it; in the mode all, what the plugin sends now becomes the recorded answers
    (`midwire replay --update`).
    """
    recorder = Recorder(request.config.getoption("--midwire-record"))

    def replay(cassette: Path, plugin: Sequence[Path], *options: str, timeout: Optional[float] = None) -> str:
        recorder.require(cassette)
        update = ["--update"] if recorder.mode == "all" else []
        return run([command(), "replay", *update, *options, cassette, "--", *plugin], timeout).stdout

    return replay


@pytest.fixture
def midwire_mock(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """midwire_mock(cassette, plugin=None, *options) -> the words that a host starts in place of the plugin.

    They play the plugin of the cassette. After the test, each mock must have exited, and a host that differed
    from the recording fails the test, with the report. In the mode once (no cassette yet) or all, they record
    the real plugin instead, and the cassette is written after the test.
    """
    recorder = Recorder(request.config.getoption("--midwire-record"))
    folder = tmp_path_factory.mktemp("midwire")
    started: List[Callable[[], None]] = []

    def mock(cassette: Path, plugin: Optional[Sequence[Path]] = None, *options: str) -> List[str]:
        number = len(started)
        if plugin and recorder.needed(cassette):
            tape = str(folder / f"{number}.pcapng")
            started.append(lambda: recorder.convert(tape, cassette))
            return [command(), "record", "-o", tape, "--", *map(os.fspath, plugin)]
        recorder.require(cassette)
        report = str(folder / f"{number}.txt")
        started.append(lambda: judge(report))
        return [command(), "mock", "--report", report, *options, os.path.abspath(cassette)]

    yield mock
    for finish in started:
        finish()


def judge(report: str) -> None:
    """Raises if the report of a mock does not end with the verdict `same`."""
    if not wait_for(lambda: os.path.exists(report)):
        raise MidwireError("the host did not start the mock, or it has not ended yet")
    with open(report, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if not text.rstrip().rpartition("\n")[2].startswith("same"):
        raise MidwireError(text)
