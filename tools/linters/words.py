"""Checks the English of the tree against tools/linters/words.txt, and the width of its documents.

Usage: words.py [-q] [--midwire PROGRAM] [PATH...]

It reads *.md, comments of C++, Python, shell and CMake, and messages: the --help texts of PROGRAM, and string
literals that hold a blank. String literals of tests/ and corpora/ are skipped. PATHs limit the files.
It also reads the identifiers of C++, those of tests too, as the words that they consist of. old_names.txt
lists the identifiers that are older than this rule; one that is gone must leave it.

Prints FILE:LINE: "WORDS": SUGGESTION, then counts per folder (-q: only the counts). Exits 1 if it finds any.
Exceptions need a reason: "words-ok: REASON" in a comment on the line, or a line in words_allowed.txt.
"""

import argparse
import collections
import fnmatch
import functools
import pathlib
import re
import signal
import subprocess
import sys

from prose import CODE, identifiers, phrase, prose

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
WIDEST = 110
MARKER = re.compile(r"words-ok: \S")
# Their strings are input and expected output; messages are read where they are written.
NO_MESSAGES = re.compile(r"(tests|corpora)/")


def read_table(name):
    """Lines of the form LEFT  ->  RIGHT."""
    rows = []
    for number, line in enumerate((HERE / name).read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        columns = re.split(r"\s{2,}->\s{2,}", line)
        if len(columns) < 2 or not all(columns):
            sys.exit(f"{name}:{number}: not LEFT  ->  RIGHT: {line}")
        rows.append(columns)
    return rows


def compiled(pattern):
    """A blank matches any blanks and line breaks; in a look-behind, whose width must be fixed, just one."""
    def spaces(found):
        return found[1].replace(" ", r"\s") if found[1] else r"\s+"

    return re.compile(re.sub(r"(\(\?<![^)]*\))| ", spaces, pattern), re.I)


def read_words():
    return [(compiled(pattern), advice) for pattern, advice in read_table("words.txt")]


def read_allowed():
    """Globs of paths, and the words that they may hold."""
    return [(glob, re.compile(pattern, re.I)) for glob, pattern, _reason in read_table("words_allowed.txt")]


def too_wide(path, lines):
    """Lines of a document that are wider than WIDEST. Code blocks and rows of tables cannot be wrapped."""
    fenced = False
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
        alone = re.fullmatch(r"[-*\s]*\S+", line)  # a link cannot be broken
        if len(line) > WIDEST and not (fenced or alone or line.startswith(("    ", "|"))):
            yield number, "", f"{len(line)} columns: at most {WIDEST}"


def hits(path, text, words, messages=True):
    """(line, found words, advice) of a file's prose, in order of lines."""
    readable = prose(path, text, messages)
    if readable is None:
        return []
    lines = text.splitlines()
    found = list(too_wide(path, lines)) if path.endswith(".md") else []
    taken = set()
    for piece in re.finditer(f"[^{CODE}]+", readable):
        for pattern, advice in words:
            for match in pattern.finditer(piece.group()):
                start, end = piece.start() + match.start(), piece.start() + match.end()
                number = readable.count("\n", 0, start) + 1
                # Words are reported once, by the first line of the table that has them.
                if taken.isdisjoint(range(start, end)) and not MARKER.search(lines[number - 1]):
                    taken.update(range(start, end))
                    found.append((number, " ".join(match.group().split()), advice))
    return sorted(found)


def read_old_names():
    lines = (HERE / "old_names.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


class Names:
    """Finds identifiers that have words of the table, except old ones."""

    def __init__(self, words, old):
        self.words, self.old, self.met = words, old, set()
        self.verdict = functools.lru_cache(maxsize=None)(self._verdict)

    def _verdict(self, name):
        text = phrase(name)
        return next((advice for pattern, advice in self.words if pattern.search(text)), None)

    def hits(self, path, text):
        for number, name in identifiers(path, text):
            advice = self.verdict(name)
            if advice and name in self.old:
                self.met.add(name)
            elif advice:
                yield number, name, advice

    def gone(self):
        return sorted(self.old - self.met)


def listed_files(paths):
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--"]
    git = subprocess.run(command + paths, cwd=TREE, capture_output=True, check=True)
    return [path for path in git.stdout.decode().split("\0") if path and (TREE / path).is_file()]


def help_texts(program):
    """(name, text) of `midwire --help` and of each subcommand's."""
    def help_of(*command):
        shown = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True)
        return " ".join(["midwire", *command, "--help"]), shown.stdout

    name, text = help_of()
    yield name, text
    commands = re.search(r"(?ms)^Usage:\n.*?\n\n(.*)^Options:", text)  # in groups
    if commands is None:
        sys.exit("words.py: midwire --help lists no subcommands")
    for command in re.findall(r"(?m)^  (\w[\w-]*)", commands[1]):
        yield help_of(command)


def all_hits(paths, program):
    words, allowed = read_words(), read_allowed()
    texts = [(path, (TREE / path).read_bytes()) for path in listed_files(paths)]
    texts = [(path, data.decode("utf-8")) for path, data in texts if is_text(data)]
    if program:
        texts += help_texts(program)
    names = Names(words, read_old_names())
    for path, text in texts:
        found_in = [*names.hits(path, text), *hits(path, text, words, not NO_MESSAGES.match(path))]
        for number, found, advice in found_in:
            if not any(fnmatch.fnmatch(path, glob) and pattern.fullmatch(found) for glob, pattern in allowed):
                yield path, number, found, advice
    if not paths:
        for name in names.gone():
            yield "tools/linters/old_names.txt", 1, name, "no file has this name any more: remove its line"


def is_text(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-q", action="store_true")
    parser.add_argument("--midwire")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it
    counts = collections.Counter()
    for path, number, found, advice in all_hits(options.paths, options.midwire):
        counts[path.rsplit("/", 1)[0] + "/" if "/" in path else path] += 1
        if not options.q:
            print(f"{path}:{number}: " + (f'"{found}": ' if found else "") + advice)
    for folder, count in sorted(counts.items()):
        print(f"{count:6} {folder}")
    print(f"{counts.total():6} words to replace")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
