"""The installed parts, and the facts about a machine that a report of a bug needs."""

from __future__ import annotations

import importlib.metadata
import locale
import os
import platform
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

import msgspec

from overhaul.document.caches import cache_folder
from overhaul.programs import is_standalone
from overhaul.version import __version__

#: Extras of people who use Overhaul; the others are of those who work on it.
EXTRAS: Final = ("view", "watch", "xlsx", "fast", "catalog", "lsp")
_NAME: Final = re.compile(r"[\w.-]+")


class Package(msgspec.Struct, frozen=True):
    """A package that Overhaul uses: its version, or "" where it is not installed; ``extra`` is ""
    for one that is always needed."""

    name: str
    version: str
    extra: str


class WritableFolder(msgspec.Struct, frozen=True):
    """A folder that Overhaul writes to: its bytes, the bytes that are free, and why it can't be
    used ("" where it can)."""

    path: str
    size: int
    free: int
    trouble: str


class Report(msgspec.Struct, frozen=True):
    """The report of ``overhaul doctor``.

    ``compiled`` counts the modules that are machine code, ``modules`` all; ``trouble`` lists what
    keeps Overhaul from working, in sentences.
    """

    version: str
    kind: str
    python: str
    system: str
    compiled: int
    modules: int
    packages: list[Package]
    cache: WritableFolder
    temporary: WritableFolder
    encoding: str
    terminal: bool
    processors: int
    trouble: list[str]


def examine() -> Report:
    """Look at the machine; nothing is changed but for an empty file that shows whether a folder
    can be written to."""
    modules, compiled = _modules()
    packages = _packages()
    cache, temporary = _cache(), _place(Path(tempfile.gettempdir()))
    needed = (package for package in packages if not package.extra)
    trouble = [f"{package.name} is not installed" for package in needed if not package.version]
    trouble += [f"{place.path}: {place.trouble}" for place in (cache, temporary) if place.trouble]
    return Report(
        version=__version__,
        kind=_kind(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        system=platform.platform(),
        compiled=compiled,
        modules=modules,
        packages=packages,
        cache=cache,
        temporary=temporary,
        encoding=f"{sys.stdout.encoding or 'unknown'}, files {locale.getencoding()}",
        terminal=sys.stdout.isatty(),
        processors=os.cpu_count() or 1,
        trouble=trouble,
    )


def _kind() -> str:
    if is_standalone():
        return "program without Python"
    return "zip application" if "SHIV_ROOT" in os.environ or ".shiv" in __file__ else "package"


def _modules() -> tuple[int, int]:
    """How many modules there are, and how many of them are machine code."""
    root = Path(__file__).parent
    endings = (".so", ".pyd")
    compiled = sum(path.suffix in endings for path in root.rglob("*"))
    sources = sum(1 for _ in root.rglob("*.py"))
    return max(sources, compiled), compiled


def _packages() -> list[Package]:
    """The packages that Overhaul's own metadata name, in its order."""
    found: dict[str, Package] = {}
    try:
        requirements = importlib.metadata.requires("overhaul") or []
    except importlib.metadata.PackageNotFoundError:  # a checkout that is only on the path
        return []
    for requirement in requirements:
        text, _, marker = requirement.partition(";")
        match = _NAME.match(text)
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", marker)
        own = "" if extra is None else extra[1]
        if match is None or match[0] == "overhaul" or (own and own not in EXTRAS):
            continue
        found.setdefault(match[0], Package(match[0], _version(match[0]), own))
    return [*found.values()]


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _cache() -> WritableFolder:
    try:
        return _place(cache_folder(), own=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: no home
        return WritableFolder(
            os.environ.get("OVERHAUL_CACHE", "the cache folder"), 0, 0, str(error)
        )


def _place(path: Path, own: bool = False) -> WritableFolder:
    try:
        with tempfile.TemporaryFile(dir=path):
            pass
        free = shutil.disk_usage(path).free
    except OSError as error:
        return WritableFolder(str(path), 0, 0, str(error))
    return WritableFolder(str(path), _size(path) if own else 0, free, "")


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
