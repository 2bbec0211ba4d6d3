"""The programs that `measure` records and replays: how to start them, and the session with each."""

import dataclasses
import json
import shutil
import subprocess
from dataclasses import dataclass
from typing import Callable

import agent
import context
import debug
import editor
import language
import neovim


@dataclass
class Program:
    name: str
    version: list  # a command; its first line that has a digit is the version
    plugin: list  # {folder} and {modules} are replaced
    framing: str
    host: type
    session: Callable
    prepare: Callable
    signal: int = 0  # sent at the end, to a plugin that does not end by itself
    status: int = 0
    needs: str = ""  # a program other than the plugin, such as the host
    checked_only: bool = False  # the host decides when it sends what, so a replay differs


CPP = """\
#include <vector>
/// Adds up.
int sum(const std::vector<int>& numbers) {
  int total = 0;
  for (int number : numbers) total += number;
  return total;
}
int main() { return sum({1, 2, 3}) + undeclared; }
"""
C = """\
#include <stdio.h>
int twice(int number) {
  int result = number * 2;
  return result;
}
int main(void) {
  printf("%d\\n", twice(21));
  return 0;
}
"""
PYTHON = '''\
import os


def twice(number):
    """Twice the number."""
    result = number * 2
    return result


print(twice(21), os.sep, undefined)
'''
DEBUGGED = PYTHON.replace(", undefined", "")
TYPESCRIPT = """\
/** Twice the number. */
function twice(count: number): number {
  return count * 2;
}
const answer: string = twice(21);
console.log(answer, twice(1));
"""
BASH = """\
#!/usr/bin/env bash
# Greets.
greet() {
  local name=$1
  echo "Hello, $name"
}
greet world
greet
"""
YAML = """\
name: notes
items:
  - tea
  - bread
nested:
    deep: [1, 2
"""
JSON = '{\n  "name": "notes",\n  "items": [1, 2, 3,],\n  "name": "again"\n}\n'


def replaced(line, end, text):
    """A change of the line's start."""
    return {"range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": end}},
            "text": text}


def indexed(message):
    return message.get("params", {}).get("value", {}).get("kind") == "end"


CLANGD = language.Session("sum.cc", "cpp", CPP, (2, 5), [replaced(7, 0, "// "), replaced(7, 3, "")],
                          wait=[indexed])
PYLSP = language.Session("main.py", "python", PYTHON, (3, 5), [replaced(9, 0, "# ")])
TS = language.Session("main.ts", "typescript", TYPESCRIPT, (1, 11),
                      [replaced(4, 0, "// "), replaced(4, 3, "")])
BASH_LS = language.Session("greet.sh", "shellscript", BASH, (6, 2), [replaced(7, 0, "# ")])
YAML_LS = language.Session(
    "notes.yaml", "yaml", YAML, (0, 1), [replaced(5, 0, "# ")],
    settings={"yaml": {"schemaStore": {"enable": False, "url": ""}, "validate": True, "hover": True,
                       "completion": True, "format": {"enable": True}}})
JSON_LS = language.Session("notes.json", "json", JSON, (1, 4), [replaced(3, 0, " ")],
                           settings={"json": {"validate": {"enable": True}, "schemas": []}})
LLDB = debug.Session("twice.c", 3, C, {
    "program": "{folder}/twice", "cwd": "{folder}", "stopOnEntry": False, "name": "twice",
    "type": "lldb-vscode", "request": "launch"}, "lldb-vscode")
DEBUGPY = debug.Session("twice.py", 6, DEBUGGED, {
    "program": "{folder}/twice.py", "cwd": "{folder}", "console": "internalConsole", "name": "twice",
    "type": "python", "request": "launch", "justMyCode": True}, "debugpy")


def prepare_clangd(folder):
    CLANGD.prepare(folder)
    command = {"directory": str(folder), "file": "sum.cc", "arguments": ["g++", "-c", "sum.cc"]}
    (folder / "compile_commands.json").write_text(json.dumps([command]))


def prepare_ts(folder):
    TS.prepare(folder)
    (folder / "tsconfig.json").write_text('{"compilerOptions": {"strict": true, "lib": ["es2020", "dom"]}}\n')


def prepare_lldb(folder):
    LLDB.prepare(folder)
    subprocess.run(["cc", "-g", "-O0", "-o", "twice", "twice.c"], cwd=folder, check=True)


def node(package, *script_and_arguments):
    script, *arguments = script_and_arguments
    return ["node", "{modules}/" + package + "/" + script, *arguments]


def packaged(package):
    return ["node", "-p", "require('{modules}/" + package + "/package.json').version"]


def debian(package):
    return ["dpkg-query", "-W", "-f=${{Version}}\n", package]


def lsp(name, version, plugin, session, prepare=None, **more):
    return Program(name, version, plugin, "content-length", language.LanguageHost, session,
                   prepare or session.prepare, **more)


MCP = "@modelcontextprotocol/server-"
PROGRAMS = [
    lsp("clangd", ["clangd", "--version"], ["clangd", "--background-index"], CLANGD, prepare_clangd),
    lsp("pylsp", ["pylsp", "--version"], ["pylsp"], PYLSP),
    lsp("typescript-language-server", packaged("typescript-language-server"),
        node("typescript-language-server", "lib/cli.mjs", "--stdio"), TS, prepare_ts),
    lsp("bash-language-server", packaged("bash-language-server"),
        node("bash-language-server", "out/cli.js", "start"), BASH_LS),
    lsp("yaml-language-server", packaged("yaml-language-server"),
        node("yaml-language-server", "bin/yaml-language-server", "--stdio"), YAML_LS),
    lsp("vscode-json-language-server", packaged("vscode-langservers-extracted"),
        node("vscode-langservers-extracted", "bin/vscode-json-language-server", "--stdio"), JSON_LS),
    Program("lldb-vscode-14", debian("lldb-14"), ["lldb-vscode-14"],
            "content-length", debug.Host, LLDB, prepare_lldb),
    Program("debugpy adapter", debian("python3-debugpy"), ["/usr/bin/python3", "-m", "debugpy.adapter"],
            "content-length", debug.Host, DEBUGPY, DEBUGPY.prepare),
    # A task keeps it alive for minutes; a signal is what a host sends then.
    Program("MCP everything", packaged(MCP + "everything"),
            node(MCP + "everything", "dist/index.js", "stdio"),
            "line", context.Host, context.everything, lambda folder: None, signal=15, status=-15),
    Program("MCP filesystem", packaged(MCP + "filesystem"),
            node(MCP + "filesystem", "dist/index.js", "{folder}"),
            "line", context.Host, context.filesystem, context.prepare_files),
    Program("MCP memory", packaged(MCP + "memory"),
            ["env", "MEMORY_FILE_PATH={folder}/memory.jsonl"] + node(MCP + "memory", "dist/index.js"),
            "line", context.Host, context.memory, lambda folder: None),
    Program("kakoune", debian("kakoune"), ["kak", "-n", "-ui", "json", "text.txt"], "line", editor.Host,
            editor.kakoune, editor.prepare),
    Program("ACP example agent", packaged("@agentclientprotocol/sdk"), ["node", "agent.mjs"], "line",
            agent.Host, agent.session, agent.prepare, checked_only=True),
]


def in_neovim(program):
    return dataclasses.replace(program, name=program.name + " with Neovim", host=neovim.Host, needs="nvim",
                               session=neovim.Session(program.session), checked_only=True)


PROGRAMS += [in_neovim(program) for program in PROGRAMS if program.host is language.LanguageHost]


def filled(words, folder, modules):
    return [word.format(folder=folder, modules=modules) for word in words]


def version_of(program, modules):
    """None: the program is absent."""
    command = filled(program.version, "", modules)
    if not all(shutil.which(name) for name in (command[0], program.needs) if name):
        return None
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    lines = [line for line in (done.stdout + done.stderr).splitlines() if any(c.isdigit() for c in line)]
    return lines[0].strip() if done.returncode == 0 and lines else None
