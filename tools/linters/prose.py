"""The prose of a source file: comments and messages, for words.py.

prose(path, text) returns a text of the same length and the same lines in which everything else is CODE.
Comment markers and the quotes between adjacent strings become blanks, so that a pattern finds words that are
separated by a line break. Quoted single words and `code` are not prose.
"""

import ast
import io
import re
import tokenize

CODE = "\0"

# A string without a blank is a name; one that starts like JSON is protocol text.
MESSAGE = re.compile(r"\s*(?![\[{])[^ ]+ ", re.S)
QUOTED_CODE = re.compile(r"`[^`\n]*`|\"\S*\"|'[^\s']+'(?!\w)")

CXX = re.compile(
    r"""(?P<line>//[^\n]*)
      | (?P<block>/\*.*?\*/)
      | (?P<raw>(?:u8|[uUL])?R"(?P<end>[^\s()\\]{0,16})\((?P<body>.*?)\)(?P=end)")
      | (?P<string>"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*)
      | (?<!\w)'(?:\\.|[^'\\\n])+'""", re.S | re.X)
# A "#" within a word or after "$" opens no comment.
HASH = re.compile(
    r"""(?P<line>(?<![^\s;])\#[^\n]*)
      | (?P<raw>\[(?P<end>=+)\[(?P<body>.*?)\](?P=end)\])
      | (?P<string>"(?:\\.|[^"\\])*"|(?<!\w)'[^']*')
      | \\.""", re.S | re.X)

HASH_FILES = (".sh", ".cmake", ".cmake.in", ".yml", ".yaml", ".clang-tidy", ".flake8", "CMakeLists.txt",
              "packages.txt")


def blank(text):
    return re.sub(r"[^\n]", CODE, text)


def without_code(text):
    """The text with `code` and quoted single words blanked."""
    return QUOTED_CODE.sub(lambda found: blank(found.group()), text)


def comment_text(text):
    """The text of a comment; its markers become blanks."""
    text = re.sub(r"(?m)^([ \t]*)(///?|/\*+|#+|\*(?!/))", lambda found: " " * len(found.group()), text)
    return without_code(text.replace("*/", "  "))


def message_text(text, opening=1, closing=1):
    """The text of one or more adjacent string literals, or CODE if they hold no message."""
    body = re.sub(r'(?<!\\)"(\s*)"', r" \1 ", text[opening:len(text) - closing])
    if not MESSAGE.match(body):
        return blank(text)
    body = re.sub(r"\\[nt]", "  ", body)
    return " " * opening + without_code(body.replace('\\"', ' "')) + " " * closing


def lexed(text, grammar, messages):
    """The prose of a language; `grammar` matches its comments and strings."""
    result, end = [], 0
    for found in grammar.finditer(text):
        between = text[end:found.start()]
        result.append(between if not between.strip() else blank(between))
        whole, kind = found.group(), found.lastgroup
        if kind in ("line", "block"):
            result.append(comment_text(whole))
        elif kind == "string" and messages:
            result.append(message_text(whole))
        elif found.groupdict().get("body") is not None and messages:
            opening = found.start("body") - found.start()
            result.append(message_text(whole, opening, len(whole) - opening - len(found["body"])))
        else:
            result.append(blank(whole))
        end = found.end()
    result.append(blank(text[end:]))
    return "".join(result)


def identifiers(path, text):
    """(line, identifier) of the code of a C++ file, each identifier once."""
    if not path.endswith((".cc", ".h")):
        return
    code = CXX.sub(lambda found: blank(found.group()), text)
    seen = set()
    for number, line in enumerate(code.split("\n"), 1):
        for name in re.findall(r"[A-Za-z_]\w*", line):
            if name not in seen:
                seen.add(name)
                yield number, name


def phrase(identifier):
    """The words of an identifier: `a plugin is told` for APluginIsTold and for a_plugin_is_told_."""
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", identifier)).lower()


def python(text):
    """Comments and docstrings."""
    lines = text.splitlines(keepends=True)
    kept = [list(blank(line)) for line in lines]

    def keep(row, column, piece):
        for line in piece.splitlines(keepends=True):
            kept[row][column:column + len(line)] = line
            row, column = row + 1, 0

    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            keep(token.start[0] - 1, 0, " " * token.start[1] + comment_text(token.string))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str):
            first, last = node.lineno - 1, node.end_lineno
            keep(first, 0, without_code("".join(lines[first:last]).replace('"""', "   ")))
    return "".join("".join(line) for line in kept)


def markdown(text):
    """All but code spans. Blocks are prose too: they show comments and what midwire prints."""
    return without_code(text)


def prose(path, text, messages=True):
    """None if the language, which the name or the first line shows, is not known."""
    name = path.rsplit("/", 1)[-1]
    if name.endswith((".md", " --help")):
        return markdown(text)
    if name.endswith((".cc", ".h", ".mjs")):
        return lexed(text, CXX, messages)
    if name.endswith(".py") or re.match(r"#!.*\bpython", text):
        return python(text)
    if name.endswith(HASH_FILES) or text.startswith("#!"):
        return lexed(text, HASH, messages)
    return None
