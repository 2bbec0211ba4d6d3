"""What a document shows is what the tests run: each of its indented blocks follows a comment that
names a file, and stands in that file. Usage: doc_test.py SOURCE_TREE DOCUMENT"""

import pathlib
import re
import sys


def blocks(text):
    """Yields (file or None, text) of each indented block."""
    name, lines = None, []
    for line in text.splitlines() + ["."]:
        if line.startswith("    ") or (lines and not line.strip()):
            lines.append(line[4:])
            continue
        if lines:
            yield name, "\n".join(lines).strip("\n")
            name, lines = None, []
        comment = re.fullmatch(r"<!-- (\S+) -->", line)
        name = comment[1] if comment else name if not line.strip() else None


def missing(tree, text):
    wrong, count = [], 0
    for name, block in blocks(text):
        count += 1
        first = block.splitlines()[0]
        if name is None:
            wrong.append(f"no file is named for the block that begins: {first}")
        elif f"\n{block}\n" not in "\n" + (tree / name).read_text(encoding="utf-8"):
            wrong.append(f"not in {name}: the block that begins: {first}")
    return wrong, count


def self_test(tree):
    name = pathlib.Path(__file__).resolve().relative_to(tree).as_posix()
    there = f"<!-- {name} -->\n\n    import pathlib\n    import re\n\ntext\n"
    assert missing(tree, there) == ([], 1)
    assert len(missing(tree, there.replace("import re", "import os"))[0]) == 1
    assert len(missing(tree, there.replace("<!--", "<-"))[0]) == 1


def main(tree, document):
    tree = pathlib.Path(tree).resolve()
    self_test(tree)
    wrong, count = missing(tree, (tree / document).read_text(encoding="utf-8"))
    print(*wrong, f"{count} examples, {len(wrong)} wrong", sep="\n")
    # A document without examples is a wrong path, not a pass.
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
