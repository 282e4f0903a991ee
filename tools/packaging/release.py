"""Whether the checkout can be released: ``python3 dev.py release --check``; what changed since the
last release: ``--changes``; and that in CHANGELOG.md: ``--write`` (the files in ``changes`` go).

The version is in ``src/overhaul/version.py``, and nowhere else by hand: CITATION.cff and the newest
heading of CHANGELOG.md must have the same.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import griffe
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
#: a heading of CHANGELOG.md: ``## 1.2.0 - 2026-12-01``
HEADING = re.compile(r"^## (\S+)(?: - (\d{4}-\d\d-\d\d))?$", re.M)


def main(arguments: Sequence[str]) -> int:
    """Print what is in the way of a release, one line each; return the exit code."""
    if list(arguments) == ["--changes"]:
        return towncrier("--draft")
    if list(arguments) == ["--write"]:
        return towncrier("--yes")
    if list(arguments) != ["--check"]:
        print(__doc__)
        return 2
    problems = [problem for check in CHECKS for problem in check()]
    for problem in problems:
        print(f"- {problem}")
    print(f"{len(problems)} problems" if problems else f"{version()} can be released")
    return 1 if problems else 0


def version() -> str:
    """The version of the checkout."""
    text = (ROOT / "src" / "overhaul" / "version.py").read_text("utf-8")
    match = re.search(r'__version__ = "(.+)"', text)
    assert match is not None
    return match[1]


def clean_tree() -> Iterator[str]:
    """Everything is committed."""
    changed = git("status", "--short").splitlines()
    if changed:
        yield f"the tree is not clean: {len(changed)} files, {changed[0].strip()} first"


def versions_agree() -> Iterator[str]:
    """CITATION.cff and CHANGELOG.md have the version, which no tag has yet."""
    own = version()
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    if f"\nversion: {own}\n" not in citation:
        yield f"CITATION.cff has another version than {own}"
    headings = HEADING.findall((ROOT / "CHANGELOG.md").read_text("utf-8"))
    if not headings or headings[0][0] != own:
        newest = headings[0][0] if headings else "none"
        yield f"the newest heading of CHANGELOG.md is {newest}; expected '## {own} - DATE'"
    elif not headings[0][1]:
        yield f"the heading of {own} in CHANGELOG.md has no date"
    if f"v{own}" in tags():
        yield f"there is a tag v{own} already"


def changes_collected() -> Iterator[str]:
    """CHANGELOG.md has all changes: none is left in a file of its own."""
    kinds = {kind["directory"] for kind in settings()["towncrier"]["type"]}
    left = sorted(path.name for path in (ROOT / "changes").glob("*.*.md"))
    for name in left:
        if name.split(".")[-2] not in kinds:
            yield f"changes/{name}: expected one of {', '.join(sorted(kinds))} before .md"
    if left:
        yield f"{len(left)} changes are not in CHANGELOG.md yet: python3 dev.py release --write"


def towncrier(*options: str) -> int:
    """Collect the changes of this version; return the exit code."""
    command = [sys.executable, "-m", "towncrier", "build", "--version", version(), *options]
    return subprocess.call(command, cwd=ROOT)


def settings() -> dict[str, Any]:
    """The tools' settings in pyproject.toml."""
    tools: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    return tools


def interface() -> Iterator[str]:
    """A release that breaks the public interface has another minor (before 1.0) or major number."""
    released = sorted(tags(), key=lambda tag: Version(tag[1:]))
    if not released:
        print("no release before: the public interface is compared with nothing")
        return
    before = griffe.load_git("overhaul", ref=released[-1], search_paths=["src"], repo=ROOT)
    now = griffe.load("overhaul", search_paths=[ROOT / "src"])
    breaks = [*griffe.find_breaking_changes(before, now)]
    for change in breaks:
        print(change.explain(griffe.ExplanationStyle.ONE_LINE))
    old, new = Version(released[-1][1:]), Version(version())
    enough = (
        (new.major, new.minor) != (old.major, old.minor)
        if old.major == 0
        else new.major != old.major
    )
    if breaks and not enough:
        yield f"{len(breaks)} changes break the interface of {old}; {new} is too small a step"


def runs(*command: str) -> Callable[[], Iterator[str]]:
    """A check that a command of dev.py passes."""

    def check() -> Iterator[str]:
        print(f"-- dev.py {' '.join(command)}", flush=True)
        if subprocess.call([sys.executable, "dev.py", *command], cwd=ROOT):
            yield f"python3 dev.py {' '.join(command)} fails"

    return check


def tags() -> list[str]:
    """The tags of releases."""
    return [tag for tag in git("tag", "--list", "v*").split() if re.fullmatch(r"v[\d.]+\w*", tag)]


def git(*words: str) -> str:
    """What git prints."""
    return subprocess.check_output(["git", *words], cwd=ROOT, text=True)


CHECKS: list[Callable[[], Iterator[str]]] = [
    clean_tree,
    versions_agree,
    changes_collected,
    interface,
    runs("docs", "-q"),
    runs("build", "packages"),
]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
