"""Checks the architecture that doc/design.md describes. Usage: layers.py SOURCE_TREE

1. Floors: a folder includes only folders below it; folders on one floor do not include each other.
2. Rooms: another room's header may be included only if that room's CMakeLists.txt lists it under
   PUBLIC_HEADERS, and a public header includes only public headers of its own room.
3. The edge: only io/ uses processes, sockets, polling and clocks. Pure rooms open no file, and read
   neither the environment nor random bytes of the kernel.
4. Libraries: only wire/json includes RapidJSON, only tools/console/arguments.cc includes CLI11, and so on.
   fuzz/coverage/, which plugins of others link, includes nothing of ours.
5. Size: no folder of sources or tests has more than 40 files.
6. LINKS: the CMakeLists.txt of a room lists exactly the rooms whose headers the room includes.
7. The picture: doc/design.md shows the source tree. Each room is in it, and each folder in it exists, on the
   floor that FLOORS gives it. README.md shows the lines of the top-level folders.
8. Paths: each `folder/file` that README.md, CONTRIBUTING.md or doc/design.md names exists.

Prints each line that breaks a rule and exits 1. Tests itself first: planted lines must be caught.
"""

import collections
import pathlib
import re
import subprocess
import sys

# What each top-level folder may include, in addition to itself.
PURE = {"wire", "trace"}
FLOORS = {
    "wire": set(),
    "trace": {"wire"},
    "io": {"wire"},
    "check": PURE,
    "replay": PURE,
    "fuzz": PURE,
    "view": PURE,
    "proxy": PURE | {"io"},
    "tools": PURE | {"io", "check", "replay", "fuzz", "view", "proxy"},
}

# Rooms inside a folder, lowest first: a room includes only itself and rooms before it in its list.
ROOMS = {
    "wire": ["wire/outcome", "wire/json", "wire", "wire/dialect", "wire/text"],
    "trace": ["trace", "trace/report", "trace/redact", "trace/dialect", "trace/import"],
    "io": ["io", "io/process", "io/files", "io/http"],
    "check": ["check/rules", "check/generic", "check/documents", "check", "check/infer"],
    "replay": ["replay/shape", "replay/paths", "replay/script", "replay/values", "replay/match",
               "replay/play", "replay", "replay/learn"],
    "fuzz": ["fuzz", "fuzz/mutate", "fuzz/oracle", "fuzz/chaos", "fuzz/harness", "fuzz/live"],
    "view": ["view/text", "view/findings", "view/page", "view/export"],
    "proxy": ["proxy"],
    "tools": ["tools/kit", "tools/console", "tools", "tools/fuzzing", "tools/replaying", "tools/reporting",
              "tools/showing", "tools/wrapping", "tools/probing", "tools/viewing", "tools/bundling",
              "tools/commands"],
}
ALL_ROOMS = {room for rooms in ROOMS.values() for room in rooms}

# Processes, sockets, polling and clocks: what only io/ includes and calls.
EDGE_HEADERS = re.compile(
    r"boost/(asio|process)/.*|(poll|sched|spawn|time|signal)\.h|chrono|csignal|ctime|thread"
    r"|sys/(epoll|inotify|ioctl|prctl|ptrace|signalfd|socket|time|timerfd|un|wait)\.h")
EDGE_CALLS = re.compile(
    r"(?<![\w.>])(clock_get\w+|exec[lv]p?e?|fork|inotify_\w+|kill|killpg|nanosleep|pipe2?|p?poll|prctl"
    r"|recvmsg|sched_\w+|sendmsg|sigaction|signal|signalfd|sigprocmask|sigqueue|socket|socketpair|usleep"
    r"|vfork"
    r"|wait[34]|waitid|waitpid)\(")
EDGE_RULE = "only io/ uses processes, sockets and clocks"
# Files outside io/ that may, with the reason. One that no longer does must leave this table.
EDGE_EXCEPTIONS = {
    "fuzz/harness/main.cc": "the main of fuzz targets, which are linked without io/",
    "replay/shape/move_time.cc": "calendar arithmetic; reads no clock",
    "tools/kit/gmock.h": "std::chrono durations in the kit's public interface; reads no clock",
    "tools/kit/replays.h": "std::chrono durations in the kit's public interface; reads no clock",
    "trace/cassette_time.cc": "calendar arithmetic; reads no clock",
}

# Files, the environment and random bytes: what pure rooms do not include and call.
PURE_ROOMS = r"(wire|trace|check|replay|view|fuzz(?!/live/))/.*"
FILE_HEADERS = re.compile(
    r"(dirent|fcntl|ftw|glob|unistd)\.h|experimental/filesystem|filesystem|fstream"
    r"|sys/(file|mman|random|sendfile|shm|stat|statvfs|uio|xattr)\.h")
FILE_CALLS = re.compile(
    r"(?<![\w.>])(creat|fdopen|fopen|freopen|fstat|getcwd|getenv|getrandom|lstat|memfd_create|mkdtemp"
    r"|mkos?temp|mmap|open(at|dir)?|readlink|realpath|rename|secure_getenv|setenv|shmat|stat|tmpfile"
    r"|unlink)\(")
FILE_RULE = "pure rooms open no file and read no environment"
# Files of pure rooms that do, with the reason. One that no longer does must leave this table.
FILE_EXCEPTIONS = {
    "fuzz/coverage/runtime.cc": "runs in the plugin, which gets its memory by the environment",
    "fuzz/harness/main.cc": "the main of fuzz targets, which are linked without io/",
    "fuzz/harness/state.cc": "fuzz targets have no command line: the environment has their options",
    "trace/frame_store.cc": "the temporary file for frames that memory does not hold",
    "trace/source.cc": "the files of traces, behind trace::Source, which tests implement without files",
}

# What plugins of others link. No room: it has nothing of ours but its header of the shared memory, which
# fuzz/live includes too.
FREESTANDING = "fuzz/coverage/"
FREESTANDING_HEADERS = r"fuzz/coverage/memory\.h|std(def|int)\.h"
LIBC_OF_RUNTIME = r"stdlib\.h|sys/shm\.h"
FREESTANDING_RULE = "the coverage runtime includes memory.h and libc, and memory.h no library"

# Header pattern, the files that may include it, and the rule in words.
LIBRARIES = [
    (r"rapidjson/", r"wire/json/.*", "only wire/json/ includes RapidJSON"),
    # Their inline code takes seconds to compile, in each unit that includes it.
    (r"CLI/", r"tools/console/arguments\.cc", "only tools/console/arguments.cc includes CLI11"),
    (r"(spdlog|fmt)/", r"tools/console/diagnostics\.cc", "only tools/console/diagnostics.cc includes spdlog"),
    (r"fuzz/coverage/", r"fuzz/(coverage|live)/.*", "only fuzz/live/ includes the runtime's memory.h"),
    (r"re2/", r"(wire/dialect|trace/redact)/.*",
     "only wire/dialect/ and trace/redact/ include RE2"),
    (r"yaml-cpp/", r"tools/wrapping/.*", "only tools/wrapping/ includes yaml-cpp"),
    # tools/kit/gmock.h is compiled only by test programs of other projects, which have GoogleTest.
    (r"(gtest|gmock)/", r"tests/.*|tools/kit/gmock\.h", "only tests/ includes GoogleTest"),
    # The test kit is a library of its own, without what the command needs.
    (r"tools/(?!kit/)", r"tools/(?!kit/).*|tests/.*", "tools/kit/ uses only the floors below"),
    (r"tools/kit/gmock\.h", r"tests/.*", "tools/kit/gmock.h is for test programs"),
]
# io/ may be included by these only.
IO_USERS = r"(io|proxy|fuzz/live|tools)/.*"

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
MOST_FILES = 40


def room_of(path):
    folder = path.rsplit("/", 1)[0] if "/" in path else ""
    return folder if folder in ALL_ROOMS else None


def broken_rule(path, header, public):
    """The rule that `header` breaks when `path` (relative to the tree) includes it, or None.

    `public`: room -> set of public headers (paths from the root of the tree).
    """
    if path.startswith(FREESTANDING) and not re.fullmatch(FREESTANDING_HEADERS, header):
        if path.endswith(".h") or not re.fullmatch(LIBC_OF_RUNTIME, header):
            return FREESTANDING_RULE
    folder, included = path.split("/")[0], header.split("/")[0]
    in_floors = folder in FLOORS and included in FLOORS
    if in_floors and included == "io" and not re.fullmatch(IO_USERS, path):
        return "only proxy/, fuzz/live/ and tools/ include io/"
    if in_floors and included not in FLOORS[folder] | {folder} and not (included == "io"):
        return f"{folder}/ may not include {included}/"
    room, target = room_of(path), room_of(header)
    if room and target and room != target:
        order = ROOMS[folder]
        if folder == included and order.index(target) > order.index(room):
            return f"{room}/ may not include {target}/, which is above it"
        if header not in public.get(target, set()):
            return f"not among the PUBLIC_HEADERS of {target}/CMakeLists.txt"
    if room and room == target and path in public.get(room, set()) and header not in public[room]:
        return f"a public header includes a header that is not public in {room}/CMakeLists.txt"
    if folder in FLOORS and folder != "io" and EDGE_HEADERS.fullmatch(header) and path not in EDGE_EXCEPTIONS:
        return EDGE_RULE
    if re.fullmatch(PURE_ROOMS, path) and FILE_HEADERS.fullmatch(header) and path not in FILE_EXCEPTIONS:
        return FILE_RULE
    for pattern, allowed, rule in LIBRARIES:
        if re.match(pattern, header) and not re.fullmatch(allowed, path):
            return rule
    return None


def broken_call(path, line):
    """The rule that a line of code breaks by one of EDGE_CALLS or FILE_CALLS, or None."""
    folder = path.split("/")[0]
    code = code_of(line)
    if folder in FLOORS and folder != "io" and path not in EDGE_EXCEPTIONS and EDGE_CALLS.search(code):
        return EDGE_RULE
    if re.fullmatch(PURE_ROOMS, path) and path not in FILE_EXCEPTIONS and FILE_CALLS.search(code):
        return FILE_RULE
    return None


def code_of(line):
    """The line without texts and comments."""
    return re.sub(r'"(\\.|[^"\\])*"', '""', line).split("//")[0]


def unused_exceptions(files):
    """The entries of the tables of exceptions whose files, path -> lines, need none."""
    edge, opens = set(), set()
    for path, lines in files.items():
        for line in lines:
            match = INCLUDE.match(line)
            if EDGE_HEADERS.fullmatch(match[1]) if match else False:
                edge.add(path)
            if FILE_HEADERS.fullmatch(match[1]) if match else FILE_CALLS.search(code_of(line)):
                opens.add(path)
    return [f"{path}: is in {name} but needs none"
            for name, table, needed in (("EDGE_EXCEPTIONS", EDGE_EXCEPTIONS, edge),
                                        ("FILE_EXCEPTIONS", FILE_EXCEPTIONS, opens))
            for path in sorted(table.keys() - needed)]


def links_findings(room, text, included, libraries):
    """`text`: the CMakeLists.txt of `room`; `included`: rooms it includes; `libraries`: room -> library."""
    match = re.search(r"\bLINKS\b([^)]*?)(?:PUBLIC_HEADERS|\))", text)
    listed = set(match[1].split()) if match else set()
    needed = {libraries[other] for other in included}
    links = f"{room}/CMakeLists.txt: LINKS"
    return [*(f"{links} lacks {name}, which {room}/ includes" for name in sorted(needed - listed)),
            *(f"{links} has {name}, which {room}/ does not include" for name in sorted(listed - needed))]


def check_links(tree):
    text = {room: (tree / room / "CMakeLists.txt").read_text(encoding="utf-8") for room in ALL_ROOMS}
    libraries = {}
    for room in ALL_ROOMS:
        name = re.search(r"midwire_room\(\s*NAME (\S+)", text[room])
        libraries[room] = "midwire::" + (name[1] if name else room.replace("/", "_"))
    findings = []
    for room in sorted(ALL_ROOMS):
        included = set()
        for file in (tree / room).glob("*.[hc]*"):
            if file.name != "main.cc":  # no part of the room's library (cmake/room.cmake)
                lines = file.read_text(encoding="utf-8").splitlines()
                included |= {room_of(match[1]) for match in map(INCLUDE.match, lines) if match}
        findings += links_findings(room, text[room], included - {None, room}, libraries)
    return findings


def picture_of(page):
    """The lines of the code block under "## Source tree"."""
    match = re.search(r"^## Source tree\n\n((?:    .*\n)+)", page, re.M)
    return match[1].splitlines() if match else []


def picture_findings(readme, design, is_folder):
    picture = picture_of(design)
    if not picture:
        return ['doc/design.md: no picture under "## Source tree"']
    if picture_of(readme) != [line for line in picture if not line.startswith("     ")]:
        return ["README.md: its source tree differs from the top-level folders of doc/design.md's"]
    findings, shown, top = [], set(), ""
    for line in picture:
        # "    trace/       floor 1  ...", "      mutate/ oracle/     ...", "    ... the edge; files/: files"
        names = re.findall(r"(?<![\w/])([\w-]+(?:/[\w-]+)*)/(?=\s|:|$)", line)
        if line.startswith("     "):
            shown |= {f"{top}/{name}" for name in names}
            continue
        floor = re.match(r"    [\w/]+/\s+floor (\d)", line)
        if not floor:
            shown |= set(names)
            continue
        top = names[0].split("/")[0]
        shown |= {top, names[0]} | {f"{top}/{name}" for name in names[1:]}
        if top not in FLOORS or floor[1] != str(floor_of(top)):
            findings.append(f"doc/design.md: the source tree shows {top}/ on floor {floor[1]}")
    hidden = (ALL_ROOMS | {*FLOORS}) - shown
    findings += [f"doc/design.md: the source tree lacks {room}/" for room in sorted(hidden)]
    findings += [f"doc/design.md: the source tree shows {name}/, which does not exist"
                 for name in sorted(shown) if not is_folder(name)]
    return findings


def named_paths(page):
    """The paths in backquotes, each with one of `{h,cc}`; not those with a word such as NAME to fill in."""
    for path in re.findall(r"`([\w*.{},/-]+/[\w*.{},/-]+)`", page):
        if path.split("/")[0] in {*FLOORS, "tests", "corpora", "doc", "cmake", "packaging"}:
            for choice in (re.search(r"\{(.*)\}", path) or ["", ""])[1].split(","):
                named = re.sub(r"\{.*\}", choice, path)
                if not re.search("[A-Z]{4}", named) or named.endswith((".md", "CMakeLists.txt")):
                    yield named


def check_paths(tree):
    return [f"{page}: names {path}, which does not exist"
            for page in ("README.md", "CONTRIBUTING.md", "doc/design.md")
            for path in named_paths((tree / page).read_text(encoding="utf-8"))
            if not list(tree.glob(path))]


def floor_of(folder):
    return max((floor_of(below) + 1 for below in FLOORS[folder]), default=0)


def check_picture(tree):
    pages = [(tree / page).read_text(encoding="utf-8") for page in ("README.md", "doc/design.md")]
    return picture_findings(*pages, lambda name: (tree / name).is_dir())


def public_headers(tree):
    """Room -> its public headers, read from the CMakeLists.txt of each room."""
    public = {}
    for room in ALL_ROOMS:
        lists = tree / room / "CMakeLists.txt"
        text = lists.read_text(encoding="utf-8") if lists.exists() else ""
        match = re.search(r"PUBLIC_HEADERS([^)]*)\)", text)
        public[room] = {f"{room}/{name}" for name in match[1].split()} if match else set()
    return public


def crowded_folders(tree):
    git = subprocess.run(["git", "ls-files"], cwd=tree, capture_output=True, text=True, check=False)
    code = [*FLOORS, "tests"]
    # Outside a repository, as in a source archive, all files count.
    listed = git.stdout.split("\n") if git.stdout else [
        f.relative_to(tree).as_posix() for folder in code for f in (tree / folder).rglob("*") if f.is_file()]
    counts = collections.Counter(str(pathlib.PurePosixPath(f).parent) for f in listed if f)
    return [f"{folder}/: {count} files, more than {MOST_FILES}" for folder, count in sorted(counts.items())
            if folder.split("/")[0] in code and count > MOST_FILES]


def check(tree):
    public = public_headers(tree)
    files = [f for folder in FLOORS for f in sorted((tree / folder).rglob("*.[hc]*"))]
    findings = crowded_folders(tree) + check_links(tree) + check_picture(tree) + check_paths(tree)
    includes, lines_of = 0, {}
    for file in files:
        path = file.relative_to(tree).as_posix()
        lines_of[path] = file.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines_of[path], 1):
            match = INCLUDE.match(line)
            includes += bool(match)
            rule = broken_rule(path, match[1], public) if match else broken_call(path, line)
            if rule:
                findings.append(f"{path}:{number}: {rule}: {line.strip()}")
    findings += unused_exceptions(lines_of)
    for finding in findings:
        print(finding, file=sys.stderr)
    print(f"{len(files)} files, {includes} includes, {len(findings)} break a rule")
    # A tree with nothing to check is a wrong path, not a pass.
    return 1 if findings or includes < 10 else 0


def wrong_links():
    libraries = {"wire": "midwire::wire", "trace": "midwire::trace"}
    text = "midwire_room(\n  LINKS\n    midwire::wire\n  PUBLIC_HEADERS\n    x.h)"
    cases = [(text, {"wire"}, 0), (text, {"wire", "trace"}, 1), (text, {"trace"}, 2), (text, set(), 1),
             ("midwire_room(PUBLIC_HEADERS x.h)", {"wire"}, 1)]
    return [case for case in cases if len(links_findings("io", *case[:2], libraries)) != case[2]]


def wrong_pictures():
    def page(lines):
        return "## Source tree\n\n" + "".join(f"    {line}\n" for line in lines) + "\n## Next\n"

    lines = []
    for folder in FLOORS:
        lines.append(f"{folder}/  floor {floor_of(folder)}  what it is")
        lines += [f"  {room.split('/', 1)[1]}/  what it is" for room in ROOMS[folder] if "/" in room]
    tops = [line for line in lines if not line.startswith(" ")]
    short, right = page(tops), page(lines)
    wrong_floor = [text.replace("wire/  floor 0", "wire/  floor 1") for text in (short, right)]
    gone = page(lines + ["  gone/  nothing"])
    cases = [(short, right, 0), (right, right, 1), (page(tops[:-1]), right, 1), ("", right, 1),
             (short, page(lines[:-1]), 1), (short, gone, 1), (*wrong_floor, 1), (short, "", 1)]
    return [case for case in cases
            if len(picture_findings(*case[:2], lambda name: not name.endswith("gone"))) != case[2]]


def self_test():
    public = {"wire": {"wire/decoder.h", "wire/message.h"}, "wire/json": {"wire/json/value.h"},
              "trace": {"trace/record.h"}, "io/process": {"io/process/launcher.h"},
              "tools/kit": {"tools/kit/replays.h"}, "tools": {"tools/output.h"}, "proxy": {"proxy/driver.h"},
              "wire/outcome": {"wire/outcome/result.h"}}
    must_break = [
        ("wire/x.h", "trace/record.h"),
        ("trace/x.cc", "proxy/driver.h"),
        ("proxy/x.cc", "replay/match/matcher.h"),
        ("check/rules/x.cc", "replay/match/matcher.h"),
        ("view/text/x.cc", "check/rules/rule.h"),
        ("wire/json/x.h", "wire/message.h"),
        ("trace/x.h", "trace/redact/trace_redactor.h"),
        ("trace/x.cc", "wire/splitter.h"),
        ("wire/decoder.h", "wire/splitter.h"),
        ("trace/x.cc", "io/process/launcher.h"),
        ("fuzz/oracle/x.cc", "io/process/launcher.h"),
        ("proxy/x.cc", "poll.h"),
        ("fuzz/live/x.cc", "sys/socket.h"),
        ("tools/x.cc", "chrono"),
        ("trace/x.cc", "rapidjson/document.h"),
        ("wire/decoder.cc", "rapidjson/reader.h"),
        ("proxy/x.cc", "spdlog/spdlog.h"),
        ("wire/x.cc", "CLI/CLI.hpp"),
        ("tools/commands/x.cc", "CLI/CLI.hpp"),
        ("tools/x.cc", "fmt/format.h"),
        ("tools/x.cc", "yaml-cpp/yaml.h"),
        ("tools/x.cc", "boost/process/v2.hpp"),
        ("trace/x.cc", "sys/wait.h"),
        ("tools/x.cc", "gtest/gtest.h"),
        ("tools/kit/replays.cc", "gmock/gmock.h"),
        ("tools/kit/replays.cc", "tools/kit/gmock.h"),
        ("tools/kit/replays.cc", "sys/wait.h"),
        ("tools/kit/replays.cc", "tools/output.h"),
        ("replay/x.cc", "tools/kit/replays.h"),
        ("trace/x.cc", "fcntl.h"),
        ("check/rules/x.cc", "fstream"),
        ("fuzz/oracle/x.cc", "sys/random.h"),
        ("view/page/x.cc", "unistd.h"),
        ("fuzz/coverage/runtime.cc", "wire/outcome/result.h"),
        ("fuzz/coverage/runtime.cc", "string"),
        ("fuzz/coverage/memory.h", "sys/shm.h"),
        ("fuzz/oracle/x.cc", "fuzz/coverage/memory.h"),
    ]
    must_pass = [
        ("wire/json/value.cc", "rapidjson/document.h"),
        ("tools/x.cc", "wire/message.h"),
        ("tools/console/arguments.cc", "CLI/CLI.hpp"),
        ("io/x.cc", "sys/wait.h"),
        ("trace/x.cc", "wire/decoder.h"),
        ("wire/x.h", "wire/json/value.h"),
        ("wire/x.cc", "wire/splitter.h"),
        ("proxy/x.cc", "io/process/launcher.h"),
        ("fuzz/live/x.cc", "io/process/launcher.h"),
        ("tools/kit/gmock.h", "gmock/gmock.h"),
        ("trace/cassette_time.cc", "chrono"),
        ("trace/x.cc", "cstdint"),
        ("trace/source.cc", "fcntl.h"),
        ("fuzz/live/x.cc", "sys/mman.h"),
        ("proxy/x.cc", "unistd.h"),
        ("fuzz/coverage/runtime.cc", "fuzz/coverage/memory.h"),
        ("fuzz/coverage/runtime.cc", "sys/shm.h"),
        ("fuzz/live/x.cc", "fuzz/coverage/memory.h"),
    ]
    wrong = [case for case in must_break if not broken_rule(*case, public)]
    wrong += [case for case in must_pass if broken_rule(*case, public)]
    calls = [("proxy/x.cc", "  if (::poll(slots, 1, 0) < 0) {", True),
             ("tools/x.cc", "kill(pid, SIGTERM);", True),
             ("io/x.cc", "poll(slots, 1, 0);", False), ("proxy/x.cc", "machine.kill(1); // kill(2)", False),
             ("tools/x.cc", 'Error{"poll(2) failed"}', False),
             ("replay/x.cc", 'const char* home = std::getenv("HOME");', True),
             ("trace/x.cc", "const int fd = ::open(name, O_RDONLY);", True),
             ("fuzz/mutate/x.cc", "if (FILE* file = fopen(name, text)) return;", True),
             ("fuzz/live/x.cc", "getenv(name);", False), ("proxy/x.cc", "getenv(name);", False),
             ("wire/x.cc", "if (source->open() || json.Reopen()) return;  // open(2)", False)]
    wrong += [case for case in calls if bool(broken_call(*case[:2])) != case[2]]
    planted = {path: ["#include <chrono>"] for path in EDGE_EXCEPTIONS}
    for path in FILE_EXCEPTIONS:
        planted.setdefault(path, []).append('  getenv("A");')
    wrong += [planted] if unused_exceptions(planted) else []
    planted["trace/source.cc"] = ['  Open("A");  // getenv("A")']
    wrong += [planted] if len(unused_exceptions(planted)) != 1 else []
    wrong += wrong_links() + wrong_pictures()
    names = list(named_paths("`io/pipe.{h,cc}` `check/rules/NAME.cc` `trace/` `a/b.cc` `doc/DATA.md`"))
    wrong += [names] if names != ["io/pipe.h", "io/pipe.cc", "doc/DATA.md"] else []
    for case in wrong:
        print(f"self-test: wrong verdict on {case}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(self_test() or check(pathlib.Path(sys.argv[1])))
