"""A release's files: the checksums, the archive, the bill of materials, and what the image copies.

Usage: release_test.py PACKAGES STAGE
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

PACKAGES = pathlib.Path(sys.argv[1])
STAGE = pathlib.Path(sys.argv[2])
TOP = pathlib.Path(__file__).resolve().parent.parent.parent


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


class Release(unittest.TestCase):
    def one(self, pattern):
        found = list(PACKAGES.glob(pattern))
        self.assertEqual(len(found), 1, pattern)
        return found[0]

    def test_checksums_list_every_file(self):
        sums = dict(reversed(line.split()) for line in (PACKAGES / "SHA256SUMS").read_text().splitlines())
        files = {file.name: digest(file) for file in PACKAGES.iterdir() if file.name != "SHA256SUMS"}
        self.assertEqual(sums, files)
        self.assertEqual(len(files), 8)

    def test_the_archive_has_the_command_and_its_licences(self):
        with tempfile.TemporaryDirectory() as folder, tarfile.open(self.one("*.tar.gz")) as archive:
            archive.extractall(folder)
            root = next(pathlib.Path(folder).iterdir())
            self.assertEqual(digest(root / "bin/midwire"), digest(STAGE / "bin/midwire"))
            for name in ("LICENSE", "NOTICES.gz", "README.md"):
                self.assertTrue((root / "share/doc/midwire" / name).stat().st_size)
            subprocess.run([root / "bin/midwire", "cov-flags"], check=True, stdout=subprocess.DEVNULL)

    def test_the_bill_names_the_command_and_its_parts(self):
        bill = json.loads(self.one("*.spdx.json").read_text())
        packages = {package["name"]: package for package in bill["packages"]}
        self.assertEqual(packages["midwire"]["checksums"][0]["checksumValue"], digest(STAGE / "bin/midwire"))
        self.assertLessEqual({"libc6-dev", "libre2-dev", "libfmt-dev", "libclang-rt-14-dev", "rapidjson-dev"},
                             set(packages))
        ids = [package["SPDXID"] for package in packages.values()]
        self.assertEqual(len(ids), len(set(ids)))
        for relation in bill["relationships"][1:]:
            self.assertIn(relation["relatedSpdxElement"], ids)

    def test_what_the_image_copies_exists(self):
        lines = re.findall(r"^COPY (.*)$", (TOP / "packaging/image/Dockerfile").read_text(), re.M)
        self.assertTrue(lines)
        for line in lines:
            for source in line.split()[:-1]:
                self.assertTrue((STAGE / source).exists(), source)

    def test_nothing_names_the_folder_of_the_build(self):
        self.assertNotIn(str(TOP).encode(), (STAGE / "bin/midwire").read_bytes())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
