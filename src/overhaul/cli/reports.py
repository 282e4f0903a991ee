"""``info``, ``check`` and ``verify`` for many files, as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from overhaul.cli.output import (
    ANSWER_IS_NO,
    BAD_INPUT,
    OK,
    Settings,
    explain_error,
    note,
    read_input,
    say,
    say_json,
    shown,
    size_in_words,
    warn,
)
from overhaul.cli.progress import Bar
from overhaul.document.protocol import HasCode
from overhaul.document.registry import load
from overhaul.errors import FormatError, OverhaulError
from overhaul.findings import Findings
from overhaul.folder.opening import open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.folder.verifying import Report

#: The check of files, which ``info`` does not need.
_VERIFY: Final = "overhaul.folder.verifying:verify"
#: The word in errors for the bytes of the file ``-``.
_STANDARD_INPUT: Final = "standard input"


# ------------------------------------------------------------------------------------------- info


def info_files(files: list[str], settings: Settings, *, short: bool = False) -> int:
    """Show what files are; ``short``: only kind and version."""
    rows: list[dict[str, object]] = []
    worst = OK
    for path in files:
        try:
            row, findings = _info(path, settings, short)
        except Exception as error:  # noqa: BLE001 - the other files are shown all the same
            if path == "-" and isinstance(error, FormatError) and error.source is None:
                error.source = _STANDARD_INPUT
            worst = max(worst, explain_error(error, settings))
            rows.append({"path": path, "error": str(error)})
            continue
        rows.append(row)
        if not settings.json:
            _show_info(row)
        warn(findings, settings, path if len(files) > 1 else "")
    if settings.json:
        say_json({"files": rows})
    return worst


def _info(path: str, settings: Settings, short: bool) -> tuple[dict[str, object], Findings]:
    source = read_input(path) if path == "-" else path
    with open(source, assume_version=settings.assume_version) as document:
        row: dict[str, object] = {
            "path": path,
            "kind": document.kind,
            "version": document.version,
        }
        if document.source not in (None, source):  # the only game in a container
            row["opened"] = document.source
        if short:
            return row, Findings()
        row.update(document.info())
        if settings.verbose and isinstance(document, HasCode):
            row["compiler"] = document.code_compiler()
        return row, Findings(document.findings)


def _show_info(row: dict[str, object]) -> None:
    say(f"{shown(row['path'])}: {shown(row['kind'])} {shown(row['version'])}".rstrip())
    for key, value in row.items():
        if key not in ("path", "kind", "version"):
            _show_value(key, value, "  ")


def _show_value(key: str, value: object, indent: str) -> None:
    label = key.replace("_", " ")
    if isinstance(value, dict):
        if value and all(isinstance(v, int) and not isinstance(v, bool) for v in value.values()):
            say(f"{indent}{label}: " + ", ".join(f"{shown(k)} {v}" for k, v in value.items()))
            return
        say(f"{indent}{label}:" + ("" if value else " none"))
        for name, inner in value.items():
            _show_value(str(name), inner, indent + "  ")
    elif isinstance(value, list | tuple):
        if value and any(isinstance(item, dict | list) for item in value):
            say(f"{indent}{label}:")
            for item in value:
                say(f"{indent}  - {_one_line(item)}")
        else:
            say(f"{indent}{label}: " + (", ".join(shown(v) for v in value) or "none"))
    else:
        say(f"{indent}{label}: {_one_line(value)}")


def _one_line(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{shown(k)} {_one_line(v)}" for k, v in value.items())
    return "none" if value is None else shown(value)


# ------------------------------------------------------------------------------------------ check


def check_files(files: list[str], settings: Settings) -> int:
    """Read everything in files, and list their faults; exit code 1 if there are any."""
    rows: list[dict[str, object]] = []
    worst = OK
    for path in files:
        found, code = _check(path, settings)
        worst = max(worst, code)
        rows.extend({**row, "findings": findings.to_json()} for row, findings in found)
        if settings.json:
            continue
        for row, findings in found:
            _show_findings(str(row["path"]), findings, alone=len(files) == len(found) == 1)
        if code == OK and not any(findings for _, findings in found) and not settings.quiet:
            say(f"{shown(path)}: no faults")
    if settings.json:
        say_json({"files": rows})
    return worst


def _check(path: str, settings: Settings) -> tuple[list[tuple[dict[str, object], Findings]], int]:
    """The rows of a file and of the documents in it in which something was found, each with that;
    and the exit code that this means."""
    source = read_input(path) if path == "-" else path
    try:
        report: Report = load(_VERIFY)(source, assume_version=settings.assume_version)
    except OverhaulError as error:
        return [({"path": path, "error": str(error)}, error.findings)], BAD_INPUT
    except Exception as error:  # noqa: BLE001 - the other files are checked all the same
        return [({"path": path, "error": str(error)}, Findings())], explain_error(error, settings)
    report.path = path
    parts = [report, *(part for part in report.below() if part.findings)]
    wrong = any(one.severity != "note" for part in parts for one in part.findings)
    return [(_checked(part), part.findings) for part in parts], ANSWER_IS_NO if wrong else OK


def _checked(report: Report) -> dict[str, object]:
    if report.error is not None:
        return {"path": report.path, "error": report.error}
    return {"path": report.path, "kind": report.kind, "version": report.version}


def _show_findings(path: str, findings: Findings, *, alone: bool) -> None:
    """Each on a line, with the path of its file where it does not say that itself."""
    for finding in findings:
        needs_name = not finding.path if alone else finding.path != path
        name = f"{shown(path)}: " if needs_name else ""
        say(f"{name}{finding.severity}: {shown(finding)} [{finding.code}]")


# ----------------------------------------------------------------------------------------- verify


def verify_files(
    files: list[str], settings: Settings, *, code: bool = False, details: bool = False
) -> int:
    """Decode, rebuild and compare files; exit code 1 if one is not identical."""
    from overhaul.folder import parallel, verifying  # start-up: not for info

    single = len(files) == 1
    shows = (not single or code) and not settings.quiet
    bar = Bar("entries" if single else "files") if shows else None
    task = partial(
        verifying.verify,
        code=code,
        assume_version=settings.assume_version,
        jobs=settings.jobs if single else 1,  # a single file has all processes for itself
        progress=bar if single else None,
    )
    reports = parallel.map_files(task, [(path,) for path in files], settings.jobs)
    rows: list[dict[str, object]] = []
    worst = OK
    if not single:
        reports = parallel.tracked(files, reports, bar)
    for path, report in zip(files, reports, strict=True):
        if isinstance(report, Exception):
            worst = max(worst, explain_error(report, settings))
            rows.append({"path": path, "error": str(report), "findings": _findings_of(report)})
            continue
        if not report.good or (report.code is not None and report.code.failed):
            worst = max(worst, ANSWER_IS_NO)
        rows.extend(_rows(report, details))
        if not settings.json:
            _show_report(report, settings, details)
        warn(report.findings, settings, path if len(files) > 1 else "")
    if settings.json:
        say_json({"files": rows})
    elif len(files) > 1 and not settings.quiet:
        _show_sum(rows)
    return worst


def _findings_of(error: Exception) -> list[dict[str, str | int]]:
    """The findings of an error, place by place."""
    return error.findings.to_json() if isinstance(error, OverhaulError) else []


def _rows(report: Report, details: bool) -> Iterator[dict[str, object]]:
    row = report.to_json()
    if details and report.coverage is not None:
        row["opaque"] = [
            {"offset": o.offset, "path": o.path, "length": o.length, "reason": o.reason}
            for o in report.coverage.details
        ]
    yield row
    for member in report.members:
        yield from _rows(member, details)


def _show_report(report: Report, settings: Settings, details: bool) -> None:
    name = shown(report.path)
    if report.error is not None:
        say(f"{name}: not read: {shown(report.error)}")
        return
    if report.identical:
        verdict = "identical"
    else:
        place = report.first_difference
        assert place is not None
        verdict = f"differs at {place.offset:#x}" + (
            f" ({shown(place.path)})" if place.path else ""
        )
    say(f"{name}: {verdict}; {_coverage_in_words(report)}")
    if report.coverage is not None and (details or settings.verbose):
        for opaque in report.coverage.details:
            place_name = f" {shown(opaque.path)}" if opaque.path else ""
            say(
                f"  opaque: {opaque.length} bytes at {opaque.offset:#x}{place_name}: "
                f"{shown(opaque.reason)}"
            )
    if report.code is not None:
        count = f"{report.code.identical} of {report.code.entries} entries identical"
        say(f"  code: {count if report.code.entries else 'no bytecode'}")
        for entry, reason in report.code.failed:
            say(f"    {shown(entry)}: {shown(reason)}")
    if report.members:
        good = sum(member.good for member in report.members)
        say(f"  documents in it: {good} of {len(report.members)} identical")
    for member in report.members:
        if settings.verbose or not member.good:
            _show_report(member, settings, details)


def _coverage_in_words(report: Report) -> str:
    coverage = report.coverage
    kind = f"{report.kind} {report.version}".strip()
    if coverage is None:
        return f"{kind}, {size_in_words(report.size)}"
    total = max(1, coverage.total)
    return (
        f"{kind}, {size_in_words(report.size)}: decoded {100 * coverage.decoded / total:.1f}%, "
        f"media {100 * coverage.media / total:.1f}%, opaque {coverage.opaque} bytes"
    )


def _show_sum(rows: list[dict[str, object]]) -> None:
    good = sum(row.get("identical") is True for row in rows)
    broken = sum("error" in row for row in rows)
    note(
        f"{len(rows)} files: {good} identical, {len(rows) - good - broken} differ, "
        f"{broken} could not be read"
    )
