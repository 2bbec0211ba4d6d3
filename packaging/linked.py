"""What of others is in the command: found in the map of the linker and in the headers that were compiled.

Usage: linked.py notices|sbom BUILD_FOLDER VERSION > FILE
notices: the licences of all of it, which must go with the binary. sbom: the same as SPDX 2.3 (JSON).
The times in it are $SOURCE_DATE_EPOCH. Needs the Debian packages that the build used.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
from urllib.parse import quote

# Debian package -> its licence as SPDX names it, of the parts that are compiled or linked.
LICENCES = {
    "libboost1.74-dev": "BSL-1.0",
    "libc6-dev": "LGPL-2.1-or-later",
    "libclang-rt-14-dev": "Apache-2.0 WITH LLVM-exception",
    "libcli11-dev": "BSD-3-Clause",
    "libdeflate-dev": "MIT",
    "libfmt-dev": "MIT",
    "libgcc-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libminizip-dev": "Zlib",
    "libre2-dev": "BSD-3-Clause",
    "libsodium-dev": "ISC",
    "libspdlog-dev": "MIT",
    "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libyaml-cpp-dev": "MIT",
    "linux-libc-dev": "GPL-2.0-only WITH Linux-syscall-note",
    "rapidjson-dev": "MIT",
    "zlib1g-dev": "Zlib",
}
HEAD = """The midwire command is under the Apache License 2.0 (file LICENSE). These packages of Debian are
compiled into it or linked with it. To link it with another version of one of them, for example of glibc,
build it from its sources. The licence of each package follows.

"""


def files(build):
    """Archives that the linker read, and headers that the compiler read, outside of the build folder."""
    text = (build / "midwire.map").read_text(encoding="utf-8")
    found = set(re.findall(r"^LOAD (/\S+)", text, re.M))
    deps = subprocess.run(["ninja", "-C", str(build), "-t", "deps"],
                          capture_output=True, text=True, check=True)
    found |= set(re.findall(r"^ +(/usr/\S+)", deps.stdout, re.M))
    return sorted({os.path.realpath(file) for file in found})


def packages(build):
    """Name -> version, of each Debian package that one of the files is of."""
    owners = subprocess.run(["dpkg-query", "-S", *files(build)], capture_output=True, text=True)
    if owners.returncode:
        sys.exit(f"linked.py: no package of Debian has these:\n{owners.stderr}")
    names = sorted({line.split(":")[0] for line in owners.stdout.splitlines()})
    unknown = [name for name in names if name not in LICENCES]
    if unknown:
        sys.exit(f"linked.py: {' '.join(unknown)}: add the licence to the table LICENCES")
    show = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names],
                          capture_output=True, text=True, check=True)
    return dict(line.split() for line in show.stdout.splitlines())


def notices(build, _):
    found = packages(build)
    listed = "".join(f"    {name} {version}: {LICENCES[name]}\n" for name, version in found.items())
    texts = []
    for name in found:
        text = pathlib.Path(f"/usr/share/doc/{name}/copyright").read_text(encoding="utf-8", errors="replace")
        texts.append(f"\n{'=' * 80}\n{name}\n{'=' * 80}\n\n{text}")
    return HEAD + listed + "".join(texts)


def spdx_package(name, version, licence, url):
    return {
        "SPDXID": f"SPDXRef-{name.replace('+', 'x')}",
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": url}],
    }


def sbom(build, version):
    digest = hashlib.sha256((build / "stage/bin/midwire").read_bytes()).hexdigest()
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    command = spdx_package("midwire", version, "Apache-2.0", f"pkg:generic/midwire@{version}")
    command["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    parts = [spdx_package(name, number, LICENCES[name],
                          f"pkg:deb/debian/{quote(name)}@{quote(number)}?distro=debian-12")
             for name, number in packages(build).items()]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-midwire")]
    relations += [("SPDXRef-midwire", "STATIC_LINK", part["SPDXID"]) for part in parts]
    return json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"midwire-{version}",
        "documentNamespace": f"urn:midwire:sbom:{version}:{digest}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: midwire-linked.py"]},
        "packages": [command, *parts],
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in relations],
    }, indent=1) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("notices", "sbom"):
        sys.exit(__doc__)
    made = {"notices": notices, "sbom": sbom}[sys.argv[1]](pathlib.Path(sys.argv[2]), sys.argv[3])
    sys.stdout.write(made)
