"""Which translation units clang-tidy reads. Usage: units.py COMPILE_COMMANDS [CHANGED_FILE...]

Without CHANGED_FILE: all below the source tree. With: a changed .cc file itself; for a changed header the .cc
file of its name, else the first one that includes it. Paths are relative to the working directory, which is
the root of the tree. Prints one path per line.
"""

import json
import pathlib
import sys


def all_units(compile_commands, tree):
    """Units of the tree: those in build/ are generated."""
    entries = json.loads(pathlib.Path(compile_commands).read_text(encoding="utf-8"))
    paths = {pathlib.Path(entry["directory"], entry["file"]).resolve() for entry in entries}
    inside = [path.relative_to(tree).as_posix() for path in paths if path.is_relative_to(tree)]
    return sorted(path for path in inside if not path.startswith("build/"))


def unit_of(changed, units, includes):
    """The unit that shows what clang-tidy finds in `changed`, or None."""
    if changed in units:
        return changed
    if not changed.endswith(".h"):
        return None
    own = changed[:-2] + ".cc"
    return own if own in units else includes(changed)


def main():
    tree = pathlib.Path.cwd()
    units = all_units(sys.argv[1], tree)
    if len(sys.argv) == 2:
        print(*units, sep="\n")
        return

    def includes(header):
        line = f'#include "{header}"'
        return next((unit for unit in units if line in (tree / unit).read_text(encoding="utf-8")), None)

    chosen = {unit_of(changed, units, includes) for changed in sys.argv[2:]} - {None}
    print(*sorted(chosen), sep="\n")


if __name__ == "__main__":
    main()
