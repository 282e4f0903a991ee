"""The report of ``overhaul verify`` about a file, as a page."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from overhaul.findings import Finding
from overhaul.folder.verifying import verify
from overhaul.viewer.answers import Asked, DataPage


class CheckPage(msgspec.Struct, frozen=True):
    """The report of a file as it is on the disk: bytes that were decoded, that are media, and that
    are not understood; ``difference`` is where the rebuilt file differs, "" where it does not."""

    identical: bool
    size: int
    decoded: int
    media: int
    opaque: int
    difference: str
    members: int
    unequal: list[str]
    findings: Sequence[Finding]


def show_check(asked: Asked) -> DataPage:
    """``/-/check``: decode everything, rebuild the file, and compare."""
    report = verify(asked.opened.root.source)
    coverage, place = report.coverage, report.first_difference
    data = CheckPage(
        report.good,
        report.size,
        0 if coverage is None else coverage.decoded,
        0 if coverage is None else coverage.media,
        0 if coverage is None else coverage.opaque,
        "" if place is None else f"{place.path}, offset {place.offset}",
        len(report.members),
        [
            f"{member.path}: {member.error or 'differs'}"
            for member in report.members
            if not member.good
        ],
        report.findings,
    )
    return DataPage("check.html", data, "Check")
