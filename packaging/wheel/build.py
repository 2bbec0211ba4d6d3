"""Builds the wheels of midwire, without network or a build backend. Usage: build.py STAGE VERSION FOLDER

midwire-VERSION-py3-none-manylinux...: the command itself as the script, what is installed beside it, and the
plugin for pytest. midwire-VERSION-py3-none-any: for all other platforms; its command prints one line.
Times in the archives are $SOURCE_DATE_EPOCH.
"""

import base64
import gzip
import hashlib
import os
import pathlib
import sys
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Static: any Linux with kernel 3.2 or newer, whatever its libc.
LINUX = "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"
OTHERS = '''"""All other platforms: the command of the wheel for Linux on x86-64 is a binary."""
import sys


def main():
    sys.exit("midwire: runs on Linux on x86-64 only; elsewhere use the image (packaging/README.md)")
'''
METADATA = """Metadata-Version: 2.1
Name: midwire
Version: {version}
Summary: recorder, checker, replayer and fuzzer for JSON-RPC over stdio
License: Apache-2.0
Requires-Python: >=3.8
Classifier: Operating System :: POSIX :: Linux
Classifier: Framework :: Pytest
Description-Content-Type: text/markdown

midwire records, checks, replays and fuzzes programs that exchange JSON-RPC messages over stdio. The wheel has
the command and a pytest plugin. Linux on x86-64 only.
"""


class Wheel:
    def __init__(self, folder, version, platform):
        self.info = f"midwire-{version}.dist-info"
        self.data = f"midwire-{version}.data"
        self.date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
        self.records = []
        self.path = folder / f"midwire-{version}-py3-none-{platform}.whl"
        self.archive = zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.add(f"{self.info}/METADATA", METADATA.format(version=version))
        tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
        pure = "true" if platform == "any" else "false"
        self.add(f"{self.info}/WHEEL",
                 f"Wheel-Version: 1.0\nGenerator: midwire\nRoot-Is-Purelib: {pure}\n{tags}")

    def add(self, name, content, mode=0o644):
        content = content.encode() if isinstance(content, str) else content
        entry = zipfile.ZipInfo(name, self.date)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(content)}\n")

    def close(self):
        name = f"{self.info}/RECORD"
        self.add(name, "".join([*self.records, f"{name},,\n"]))
        self.archive.close()
        print(self.path)


def linux(stage, version, folder):
    wheel = Wheel(folder, version, LINUX)
    wheel.add(f"{wheel.data}/scripts/midwire", (stage / "bin/midwire").read_bytes(), 0o755)
    # Below sys.prefix, where the command looks for them, and where shells and man do.
    for file in sorted(stage.glob("**/*")):
        name = file.relative_to(stage)
        if file.is_file() and name.parts[0] != "bin" and name.parts[:2] != ("share", "doc"):
            wheel.add(f"{wheel.data}/data/{name}", file.read_bytes())
    for file in sorted((HERE / "midwire").iterdir()):
        if file.is_file():
            wheel.add(f"midwire/{file.name}", file.read_bytes())
    wheel.add(f"{wheel.info}/entry_points.txt", "[pytest11]\nmidwire = midwire.pytest_plugin\n")
    wheel.add(f"{wheel.info}/licenses/LICENSE", (stage / "share/doc/midwire/LICENSE").read_bytes())
    wheel.add(f"{wheel.info}/licenses/NOTICES", gzip.decompress(
        (stage / "share/doc/midwire/NOTICES.gz").read_bytes()))
    wheel.close()


def others(version, folder):
    wheel = Wheel(folder, version, "any")
    wheel.add("midwire/__init__.py", '"""midwire, which runs on Linux on x86-64 only."""\n')
    wheel.add("midwire/elsewhere.py", OTHERS)
    wheel.add(f"{wheel.info}/entry_points.txt", "[console_scripts]\nmidwire = midwire.elsewhere:main\n")
    wheel.close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    target = pathlib.Path(sys.argv[3])
    linux(pathlib.Path(sys.argv[1]), sys.argv[2], target)
    others(sys.argv[2], target)
