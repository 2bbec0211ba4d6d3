#!/usr/bin/env python3
"""Writes corpora/NAME/fuzz.dict, a libFuzzer dictionary, from the protocol's dialect and messages.

Usage: dictionary.py NAME

Its words: methods, member names, enumerated values, error codes, what the framing is made of. Names
of members that stand in messages/ and in no schema are in it too. Standard library only.
"""

import json
import sys

from cassette import CORPORA

JSON_RPC = ["jsonrpc", "id", "method", "params", "result", "error", "code", "message", "data"]
FRAMING = {
    "line": ["\n", "\r\n"],
    "content-length": [
        "Content-Length: ",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8",
        "\r\n\r\n",
        "\r\n",
    ],
}
FRAMING["any"] = FRAMING["line"] + FRAMING["content-length"]
# Where dispatchers fall over.
EDGES = ["null", "true", "false", "{}", "[]", "0", "-1", "1.0", "1e400", "9007199254740993",
         "18446744073709551616", '"\\ud800"', '"\\u0000"']  # fmt: skip


def words_of_schema(schema, names, values):
    if isinstance(schema, list):
        for part in schema:
            words_of_schema(part, names, values)
    if not isinstance(schema, dict):
        return
    names.update(schema.get("properties", {}))
    for part in list(schema.get("properties", {}).values()):
        words_of_schema(part, names, values)
    for keyword, part in schema.items():
        if keyword == "enum":
            values.update(json.dumps(value) for value in part)
        elif keyword not in ("properties", "required"):
            words_of_schema(part, names, values)


def words_of_message(value, names):
    if isinstance(value, dict):
        names.update(value)
        value = list(value.values())
    for part in value if isinstance(value, list) else []:
        words_of_message(part, names)


def escaped(word):
    plain = {'"': '\\"', "\\": "\\\\"}
    return "".join(
        plain.get(chr(byte)) or (chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}")
        for byte in word.encode()
    )


def section(title, words):
    return [f"# {title}"] + [f'"{escaped(word)}"' for word in words] + [""]


def main(name):
    folder = CORPORA / name
    dialect = json.loads((folder / "dialect.json").read_text(encoding="utf-8"))
    names, values = set(), set()
    for spec in dialect.get("methods", {}).values():
        words_of_schema([spec, spec.get("strict", {})], names, values)
    words_of_schema(list(dialect.get("definitions", {}).values()), names, values)
    for file in (folder / "messages").glob("*.json"):
        words_of_message(json.loads(file.read_text(encoding="utf-8")), names)
    methods = [f'"{method}"' for method in dialect.get("methods", {})]
    codes = sorted(dialect.get("errors", {}).get("codes", {}), key=int)
    kind = dialect.get("framing", {}).get("kind", "any")
    lines = [f"# libFuzzer dictionary of {name}; written by tests/corpora/dictionary.py", ""]
    lines += section("framing", FRAMING[kind])
    lines += section("JSON-RPC", [f'"{word}":' for word in JSON_RPC] + ['"jsonrpc":"2.0"'])
    lines += section("methods", methods)
    lines += section("members", sorted(f'"{word}":' for word in names - set(JSON_RPC)))
    lines += section("values", sorted(values - {"null", "true", "false"}))
    lines += section("codes", codes)
    lines += section("edges", EDGES)
    (folder / "fuzz.dict").write_text("\n".join(lines[:-1]) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
