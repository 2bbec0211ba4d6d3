"""Each relative link of README.md, CONTRIBUTING.md, CHANGELOG.md and doc/*.md leads to a file or a folder.
Usage: links.py FOLDER"""

import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
pages = sorted([*folder.glob("*.md"), *folder.glob("doc/*.md")])
links = [(page, link) for page in pages
         for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")) if "://" not in link]
broken = [f"{page}: {link}" for page, link in links if not (page.parent / link).exists()]
print("\n".join(broken))
sys.exit(1 if broken or len(pages) < 10 or len(links) < 20 else 0)
