"""The version of a data.win, and the conditions record declarations are written with.

GEN8's own numbers say 2.0.0.0 in every GameMaker Studio 2 file, so the version used here is the
one found by evidence (see :mod:`.detect`); GEN8's numbers are kept as read.
"""

from __future__ import annotations

from typing import NamedTuple

from overhaul.errors import FormatError
from overhaul.schema.conditions import Condition


class Version(NamedTuple):
    """A release of GameMaker as far as it shows in a file's layout.

    ``lts`` marks the 2022 long-term-support branch, which took over single features only.  The
    last fields are choices of a file that no release number decides: whether strings and
    backgrounds are aligned (to that many bytes), whether OPTN has its old form, and what the
    first builds lack: the class name of extensions, and friction, awake and kinematic of objects.
    """

    bytecode: int
    major: int
    minor: int = 0
    release: int = 0
    build: int = 0
    lts: bool = False
    string_alignment: int = 4
    background_alignment: int = 8
    old_options: bool = False
    extension_classes: bool = True
    object_friction: bool = True

    @property
    def number(self) -> tuple[int, int, int, int]:
        """The four release numbers."""
        return (self.major, self.minor, self.release, self.build)

    def at_least(self, *number: int) -> bool:
        """Whether the release is ``number`` or later."""
        return self.number >= number

    def with_number(self, *number: int) -> Version:
        """The same file as of another release."""
        major, minor, release, build = (*number, 0, 0, 0)[:4]
        return self._replace(major=major, minor=minor, release=release, build=build)

    def __str__(self) -> str:
        parts = list(self.number)
        while len(parts) > 2 and parts[-1] == 0:
            parts.pop()
        text = ".".join(map(str, parts))
        return f"{text} LTS" if self.lts else text


#: the first release known to have shaders; those before 1.0.0.964 lack single fields
FIRST_SHADERS = (1, 0, 0, 1044)

#: releases at which some layout changes, in order
BREAKS: tuple[tuple[int, ...], ...] = (
    (1, 0),
    (2, 0),
    (2, 0, 6),
    (2, 2, 1),
    (2, 2, 2, 302),
    (2, 3),
    (2, 3, 1),
    (2, 3, 2),
    (2, 3, 6),
    (2, 3, 7),
    (2022, 1),
    (2022, 2),
    (2022, 3),
    (2022, 5),
    (2022, 6),
    (2022, 8),
    (2022, 9),
    (2023, 1),
    (2023, 2),
    (2023, 4),
    (2023, 6),
    (2023, 8),
    (2023, 11),
    (2024, 2),
    (2024, 4),
    (2024, 6),
    (2024, 8),
    (2024, 11),
    (2024, 13),
    (2024, 14),
    (2024, 14, 1),
    (2024, 14, 4),
)


#: the months before which no game was made with a release, not even with a beta of it
FIRST_BUILDS: tuple[tuple[tuple[int, ...], tuple[int, int]], ...] = (
    ((2, 3, 6), (2021, 8)),
    ((2, 3, 2), (2020, 12)),
    ((2, 3), (2020, 4)),
    ((2, 2, 1), (2018, 8)),
    ((2,), (2016, 10)),
)
#: from 2022 on the release is a month; betas come some months before it
_BETA_MONTHS = 5


def first_build(number: tuple[int, ...]) -> tuple[int, int]:
    """The earliest year and month a game can have been made with a release; (0, 0) before 2.0."""
    year, month = number[0], number[1]
    if year >= 2022:
        months = year * 12 + max(month, 1) - 1 - _BETA_MONTHS
        return months // 12, months % 12 + 1
    return next((made for since, made in FIRST_BUILDS if number >= since), (0, 0))


def parse_release(text: str) -> tuple[list[int], bool]:
    """The numbers of ``2023.8`` or ``2022.0.3 LTS``, and whether it is of the LTS branch.

    Raises FormatError for other text.
    """
    words = text.upper()
    try:
        return [int(part) for part in words.replace("LTS", "").strip().split(".")], "LTS" in words
    except ValueError:
        raise not_a_version(text) from None


def not_a_version(text: str) -> FormatError:
    """The error for text that names no release."""
    return FormatError(f"{text!r} is not a version (2024.14, 2.3.2, 1.0.0.1763 are)")


def _words(number: tuple[int, ...]) -> str:
    return ".".join(map(str, number))


def since(*number: int, lts: bool = True) -> Condition:
    """Present from this release on; with ``lts=False`` not in the 2022 LTS branch."""
    if lts:
        return Condition(lambda version: version.number >= number, f"{_words(number)}+")
    return Condition(
        lambda version: version.number >= number and not version.lts,
        f"{_words(number)}+ (not LTS)",
    )


def before(*number: int, lts: bool = False) -> Condition:
    """Present before this release; with ``lts=True`` also in every 2022 LTS file."""
    if lts:
        return Condition(
            lambda version: version.number < number or version.lts,
            f"before {_words(number)}, or LTS",
        )
    return Condition(lambda version: version.number < number, f"before {_words(number)}")


def bytecode(least: int) -> Condition:
    """Present from this bytecode version on."""
    return Condition(lambda version: version.bytecode >= least, f"bytecode {least}+")


gms1: Condition = before(2)
gms2: Condition = since(2)
