"""Self-test of tools/linters/units.py: the unit that shows what is wrong with a changed file.

Usage: units_test.py SOURCE_TREE
"""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv[1] + "/tools/linters")

import units  # noqa: E402

ALL = ["wire/decoder.cc", "wire/splitter.cc"]


def unit_of(changed):
    return units.unit_of(changed, ALL, {"wire/message.h": "wire/splitter.cc"}.get)


class UnitOf(unittest.TestCase):
    def test_a_source_is_its_own(self):
        self.assertEqual(unit_of("wire/decoder.cc"), "wire/decoder.cc")

    def test_a_header_has_the_source_of_its_name(self):
        self.assertEqual(unit_of("wire/decoder.h"), "wire/decoder.cc")

    def test_a_header_alone_has_one_that_includes_it(self):
        self.assertEqual(unit_of("wire/message.h"), "wire/splitter.cc")

    def test_what_is_not_compiled_has_none(self):
        for path in ["wire/gone.cc", "wire/unused.h", "doc/design.md"]:
            self.assertIsNone(unit_of(path))


class AllUnits(unittest.TestCase):
    def test_generated_and_foreign_files_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder).resolve()
            files = ["wire/b.cc", "wire/a.cc", "wire/a.cc", "build/lint/generated.cc", "/usr/include/x.cc"]
            commands = tree / "compile_commands.json"
            commands.write_text(json.dumps([{"directory": str(tree), "file": file} for file in files]))
            self.assertEqual(units.all_units(commands, tree), ["wire/a.cc", "wire/b.cc"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
