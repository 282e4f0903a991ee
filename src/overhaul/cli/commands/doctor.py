"""``overhaul doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from overhaul.cli import options
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, say, say_json
from overhaul.document.registry import load

if TYPE_CHECKING:
    from overhaul.doctor import Report, WritableFolder


@click.command(
    "doctor", epilog=options.examples("overhaul doctor", "overhaul doctor --json > report.json")
)
@options.common
def command(settings: Settings) -> int:
    """Show what is installed: versions, optional parts, caches, the terminal.

    Put this into a report of a bug. The exit code is 1 where something keeps Overhaul from working.
    """
    report: Report = load("overhaul.doctor:examine")()
    if settings.json:
        say_json(load("msgspec:to_builtins")(report))
    else:
        for line in _lines(report):
            say(line)
    return ANSWER_IS_NO if report.trouble else OK


def _lines(report: Report) -> list[str]:
    compiled = f"{report.compiled} of {report.modules} modules" if report.compiled else "no"
    lines = [
        f"overhaul {report.version} ({report.kind})",
        f"Python: {report.python}; compiled: {compiled}",
        f"System: {report.system}; {report.processors} processors",
        f"Text: {report.encoding}; {'a terminal' if report.terminal else 'no terminal'}",
        f"Cache: {_place(report.cache)}",
        f"Temporary files: {_place(report.temporary)}",
        "Packages: " + _packages(report, ""),
    ]
    for extra in load("overhaul.doctor:EXTRAS"):
        own = [package for package in report.packages if package.extra == extra]
        if own:
            complete = all(package.version for package in own)
            install = "" if complete else f" - missing: pip install 'overhaul[{extra}]'"
            lines.append(f"[{extra}] {_packages(report, extra)}{install}")
    return [*lines, *(f"Trouble: {trouble}" for trouble in report.trouble)]


def _packages(report: Report, extra: str) -> str:
    return ", ".join(
        f"{package.name} {package.version or '-'}"
        for package in report.packages
        if package.extra == extra
    )


def _place(place: WritableFolder) -> str:
    if place.trouble:
        return f"{place.path}: {place.trouble}"
    used = f"{place.size / 1e6:.1f} MB used, " if place.size else ""
    return f"{place.path} ({used}{place.free / 1e9:.1f} GB free)"
