"""A dialog of Adventure Game Studio as options, each with the lines that follow when it is chosen.

The options are in the dialog's JSON, the lines in its ``.ads`` file behind ``@S`` and ``@1``.
Where options get other numbers, the heads of their lines and the commands that name them follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Final, NamedTuple

from overhaul.errors import WorkspaceError
from overhaul.workbench.typed import as_typed

#: Options that a dialog can have.
MOST: Final = 30
_HEAD: Final = re.compile(r"^[ \t]*@[ \t]*(S|s|[0-9]{1,4})\b.*\n?", re.MULTILINE)


#: the actions on an option, by its number
_DO: Final = re.compile(r"(add|remove|up|down):([0-9]{1,4})")
_NUMBER: Final = re.compile(r"[0-9]{1,4}")
#: commands of a dialog's lines that name an option
_NAMES: Final = re.compile(
    r"^([ \t]*option-(?:on|off-forever|off)[ \t]+)([0-9]{1,4})\b", re.MULTILINE | re.IGNORECASE
)
#: functions of scripts whose first argument, behind the dialog, is the number of an option
_ASKS: Final = (
    r"(?:SetOptionState|GetOptionState|SetHasOptionBeenChosen|HasOptionBeenChosen|GetOptionText)"
)


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

    def renumbered(self, numbers: Mapping[int, int]) -> Lines:
        """The same where options have other numbers, by those that they had; the lines of others
        are left out. Sections stay in the order of options, if they are in it.

        Raises WorkspaceError where a command names an option that is gone.
        """
        kept = [each for each in self.sections if not each.number or each.number in numbers]
        was = [each.number for each in kept]
        made = [
            each._replace(
                number=numbers.get(each.number, 0),
                head=_head(each, numbers),
                lines=_named(each, numbers),
            )
            for each in kept
        ]
        if [each.number for each in made] == was and len(kept) == len(self.sections):
            return self
        made = [_ended(each) for each in made]
        if was == sorted(was):
            made.sort(key=lambda each: each.number)
        return self._replace(sections=made)

    def _ended(self) -> Lines:
        """The same with an end of its last line."""
        if not self.sections:
            return self._replace(before=self.before + "\n")
        *others, last = self.sections
        return self._replace(sections=[*others, last._replace(lines=last.lines + "\n")])


def _ended(section: Section) -> Section:
    """A section with the end of its last line, so that another one can follow it."""
    if section.lines and not section.lines.endswith("\n"):
        return section._replace(lines=section.lines + "\n")
    if not section.lines and not section.head.endswith("\n"):
        return section._replace(head=section.head + "\n")
    return section


def _head(section: Section, numbers: Mapping[int, int]) -> str:
    if not section.number:
        return section.head
    return _NUMBER.sub(str(numbers[section.number]), section.head, count=1)


def _named(section: Section, numbers: Mapping[int, int]) -> str:
    """The lines of a section with the numbers that options have then."""

    def other(match: re.Match[str]) -> str:
        number = int(match[2])
        if number not in numbers:
            where = f"option {section.number}" if section.number else "how it begins"
            raise WorkspaceError(
                f"the lines of {where} have {match[0].strip()!r}, and option {number} would be "
                "gone: change that line first"
            )
        return match[1] + str(numbers[number])

    return _NAMES.sub(other, section.lines)


def uses_in(source: str, name: str) -> Iterator[tuple[int, int]]:
    """Where a script names an option of a dialog by its number: the line (from 1), and it."""
    found = re.compile(rf"\b{re.escape(name)}\s*\.\s*{_ASKS}\s*\(\s*([0-9]{{1,4}})\b")
    for match in found.finditer(source):
        yield source.count("\n", 0, match.start()) + 1, int(match[1])


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
    for one option more, or ``add:2`` (behind an option), ``remove:2``, ``up:2`` and ``down:2``.
    Raises WorkspaceError."""
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
    order = order_of(len(options), given.get("do", ""))
    if order != [*range(1, len(options) + 1)]:
        numbers = {old: new for new, old in enumerate(order, 1) if old}
        past = {each.number: each.number for each in lines.sections if each.number > len(options)}
        lines = lines.renumbered({**past, **numbers})
        options[:] = [options[old - 1] if old else _new(options) for old in order]
        for number, option in enumerate(options, 1):
            if "ID" in option:
                option["ID"] = number
    return made, lines


def _new(options: Sequence[Mapping[str, object]]) -> dict[str, object]:
    numbered = {"ID": 0} if any("ID" in each for each in options) else {}
    return {**numbered, "Text": "", "Show": True, "Say": True}


def order_of(count: int, do: str) -> list[int]:
    """The numbers that options had, in the order that a button gives them; 0 for a new one.

    Raises WorkspaceError for an option that there is not, and for one too many.
    """
    order = [*range(1, count + 1)]
    match = _DO.fullmatch(f"add:{count}" if do == "add" else do)
    if match is None:
        return order
    what, number = match[1], int(match[2])
    if number > count or (number < 1 and do != "add"):
        raise WorkspaceError(f"there is no option {number}")
    if what == "add":
        if count >= MOST:
            raise WorkspaceError(f"a dialog has at most {MOST} options")
        order.insert(number, 0)
    elif what == "remove":
        order.remove(number)
    else:
        to = number + (1 if what == "down" else -1)
        if 1 <= to <= count:
            order[number - 1], order[to - 1] = to, number
    return order


def renumbered(count: int, do: str) -> dict[int, int]:
    """The options whose number a button changes, and the number then; 0 for one that is gone."""
    order = order_of(count, do)
    now = {old: new for new, old in enumerate(order, 1) if old}
    return {old: now.get(old, 0) for old in range(1, count + 1) if now.get(old) != old}
