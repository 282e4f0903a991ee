"""A dialog of Adventure Game Studio as options, each with the lines that follow when it is chosen.

The options are in the dialog's JSON, the lines in its ``.ads`` file behind ``@S`` and ``@1``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Final, NamedTuple

from overhaul.errors import WorkspaceError
from overhaul.workbench.typed import as_typed

#: Options that a dialog can have.
MOST: Final = 30
_HEAD: Final = re.compile(r"^[ \t]*@[ \t]*(S|s|[0-9]{1,4})\b.*\n?", re.MULTILINE)


class Section(NamedTuple):
    """A part of the lines of a dialog: the number of its option, 0 for how it begins; the line that
    begins it, and those that follow."""

    number: int
    head: str
    lines: str


class Lines(NamedTuple):
    """The lines of a dialog: what stands before the first section, and the sections."""

    before: str
    sections: list[Section]

    @classmethod
    def of(cls, text: str) -> Lines:
        """The sections of a text; joined, they are the text again."""
        heads = [*_HEAD.finditer(text)]
        if not heads:
            return cls(text, [])
        ends = [*(head.start() for head in heads[1:]), len(text)]
        sections = [
            Section(0 if head[1] in "Ss" else int(head[1]), head[0], text[head.end() : end])
            for head, end in zip(heads, ends, strict=True)
        ]
        return cls(text[: heads[0].start()], sections)

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.before + "".join(each.head + each.lines for each in self.sections)

    def lines_of(self, number: int) -> str:
        """The lines that follow when an option is chosen."""
        return next((each.lines for each in self.sections if each.number == number), "")

    def with_lines(self, number: int, lines: str) -> Lines:
        """The same with other lines of an option; those of one without a section are put in the
        order of the options.  Raises WorkspaceError for lines that would begin a section."""
        if _HEAD.search(lines):
            raise WorkspaceError(
                f"the lines of option {number} begin another one: a line can't begin with @"
            )
        if lines and not lines.endswith("\n"):
            lines += "\n"
        for at, each in enumerate(self.sections):
            if each.number == number:
                made = each._replace(lines=lines)
                return self._replace(sections=_put(self.sections, at, at + 1, made))
        if not lines:
            return self
        at = sum(each.number < number for each in self.sections)
        new = Section(number, f"@{number or 'S'}\n", lines)
        is_apart = at < len(self.sections) or not self.text or self.text.endswith("\n")
        before = self if is_apart else self._ended()
        return before._replace(sections=_put(before.sections, at, at, new))

    def _ended(self) -> Lines:
        """The same with an end of its last line."""
        if not self.sections:
            return self._replace(before=self.before + "\n")
        *others, last = self.sections
        return self._replace(sections=[*others, last._replace(lines=last.lines + "\n")])


def _put(sections: list[Section], start: int, end: int, made: Section) -> list[Section]:
    return [*sections[:start], made, *sections[end:]]


def options_of(value: object) -> list[dict[str, object]]:
    """The options in a dialog's JSON.  Raises WorkspaceError for what has none."""
    options = value.get("Options") if isinstance(value, dict) else None
    if not isinstance(options, list) or not all(isinstance(each, dict) for each in options):
        raise WorkspaceError("the dialog has no list of options")
    return options


def edited(
    value: dict[str, object], lines: Lines, given: Mapping[str, str]
) -> tuple[dict[str, object], Lines]:
    """A dialog's JSON and lines with what a form sent: ``text:1``, ``show:1``, ``say:1`` and
    ``lines:1`` of each option that has ``row:1``; ``lines:0`` is how it begins.  ``do`` is ``add``
    for one option more.  Raises WorkspaceError."""
    made = deepcopy(value)
    options = options_of(made)
    for number, option in enumerate(options, 1):
        if f"row:{number}" not in given:
            continue
        old = str(option.get("Text") or "")
        text = as_typed(given.get(f"text:{number}", ""), old)
        if text != old:
            option["Text"] = text
        for key in ("Show", "Say"):
            now = f"{key.lower()}:{number}" in given
            if option.get(key) != now:
                option[key] = now
    for number in range(len(options) + 1):
        sent = given.get(f"lines:{number}")
        if sent is None:
            continue
        typed = as_typed(sent, lines.lines_of(number))
        if typed != lines.lines_of(number):
            lines = lines.with_lines(number, typed)
    if given.get("do") == "add":
        if len(options) >= MOST:
            raise WorkspaceError(f"a dialog has at most {MOST} options")
        options.append({"Text": "", "Show": True, "Say": True})
    return made, lines
