"""Things that are removed before others of their kind: what follows them gets another number.

A gap in the IDs of a kind's files is a thing that was removed. The numbers that game data and
the lines of dialogs refer with follow. Views keep their numbers, as in the editor: a view that
is removed is an empty one. References to the thing prevent its removal, and so do scripts that
use the list of the kind, or functions that take its numbers: they hold numbers that may mean
another thing then, or an empty view. The same scripts stand against giving a thing another ID.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from overhaul.ags.folder import references, resources
from overhaul.ags.folder.references import Things
from overhaul.ags.game.records import GameSettings
from overhaul.ags.script.model import Script
from overhaul.ags.shapes import Steps, key_of
from overhaul.document.plainfiles import Change, Folder
from overhaul.errors import PlainFileError, RenumberingError, WorkspaceError
from overhaul.findings import Findings, warning

#: The version of 3.1: before it, dialogs and interactions hold numbers that are not followed.
SINCE: Final = 38
#: The names of a kind's things.
_SINGULAR: Final = {
    "characters": "character", resources.INVENTORY: "inventory item", "cursors": "cursor",
    "dialogs": "dialog", "guis": "GUI", "views": "view",
}  # fmt: skip
#: The kinds whose things are renumbered; of others only the last one can be removed.
KINDS: Final = frozenset(("characters", resources.INVENTORY, "dialogs", "guis", "cursors"))
#: The list of a kind in scripts, and the functions of the script API that take or give its
#: numbers.  Source: the manual, "Upgrading to AGS 2.7", and the headers of the editor.
BY_NUMBER: Final[Mapping[str, re.Pattern[str]]] = {
    "characters": re.compile(
        r"character|(?:Add|Lose)Inventory\w*Character|(?!\w*::)\w*Char(?:acter|s|Obj)\w*"
        r"|DisplaySpeech\w*|DisplayThought|FaceLocation|NewRoomNPC|MoveToWalkableArea"
        r"|SetTalkingColor|StopMoving|ReleaseViewport"
    ),
    resources.INVENTORY: re.compile(
        r"inventory|(?:Add|Lose|SetActive|Update|Run)Inv\w*|[SG]et(?:Inv|Active)\w*|IsInv\w*"
        r"|Character::[gs]eti_InventoryQuantity|SetMouseCursor\w*|InventoryScreen"
    ),
    "dialogs": re.compile(r"dialog|RunDialog|[GS]etDialogOption"),
    "guis": re.compile(
        r"gui|GUIO(?:n|ff)|Interface(?:On|Off)|CentreGUI|IsGUIOn|GetGUI\w*|SetGUI\w*|Set\w+GUI"
        r"|SetLabel\w+|[GS]etButton\w+|AnimateButton|[GS]etSlider\w+|[GS]etTextBox\w+|ListBox\w+"
    ),
    "cursors": re.compile(
        r"mouse|Mouse::.*|\w*Cursor\w*|\w*Mode\w*|Room::ProcessClick|ProcessClick|\w+::RunInteraction"
        r"|\w*IsInteractionAvailable\w*"
    ),
    resources.VIEWS: re.compile(
        r"(?:Character|Object|Button|Mouse|Overlay|ViewFrame)::(?!Unlock)\w*View\w*|AnimateButton"
        r"|Button::Animate|Game::(?:Get\w*ForLoop|Get(?:LoopCountFor)?View\w*|PrecacheView)"
        r"|ChangeCharacterView|SetCharacter(?:BlinkView|Frame|Idle|SpeechView|View\w*)"
        r"|SetFrameSound|SetObject(?:Frame|View)|GetGameParameter"
    ),
}  # fmt: skip
_GOTO: Final = re.compile(r"^([ \t]*goto-dialog[ \t]+)(\d{1,9})(?=\s|$)", re.MULTILINE)
_ANY: Final = 1 << 30
_RUN_DIALOG: Final = "_run_dialog"


class Gaps:
    """The numbers of the things of a kind that were removed, as they were before.

    Those of views are counted from 1, and the numbers of others stay.
    """

    def __init__(self, rows: str, numbers: Iterable[int]) -> None:
        self.rows = rows
        self.numbers: list[int] = sorted(numbers)

    @property
    def name(self) -> str:
        """The word for a thing of the kind."""
        return _SINGULAR[self.rows]

    def now(self, number: int) -> int:
        """The number that a thing has now."""
        if self.rows == resources.VIEWS:
            return number
        return number - sum(gone < number for gone in self.numbers)

    def moves(self, count: int) -> bool:
        """Whether a thing of ``count`` has another number now."""
        return any(self.now(number) != number for number in range(count))


def check(gaps: Gaps, version: int) -> None:
    """Raise WorkspaceError for a game before 3.1, whose numbers do not follow."""
    if gaps.rows != resources.VIEWS and version < SINCE:
        raise WorkspaceError(
            f"the {gaps.name} {gaps.numbers[0]} can't be removed from {gaps.rows}: games before "
            "3.1 hold numbers of the others in their interactions and dialogs; the last one can be"
        )


def follow(gaps: Gaps, settings: GameSettings, things: Things) -> None:
    """Let the numbers in a game follow.

    Raises PlainFileError where something refers to what was removed.
    """
    first = resources.KINDS_OF[gaps.rows].first
    for field in (each for each in references.NUMBERS if each.others == gaps.rows):
        for index, thing, number in field.found(things):
            now = _now(gaps, number + first, [field.rows, index, field.field])
            thing.put(field.field, now - first)
    if gaps.rows == "characters":
        player = _now(gaps, settings.player_character, ["settings", "player_character"])
        settings.player_character = player
    elif gaps.rows == "guis":
        for at in _GUI_OPTIONS:
            if settings.options[at]:  # 0 is none
                number = settings.options[at]
                settings.options[at] = _now(gaps, number, ["settings", "options", at])
    elif gaps.rows == resources.INVENTORY:
        for index, thing in enumerate(things("characters")):
            steps: Steps = ["characters", index, "active_inventory"]
            thing.put("active_inventory", _now(gaps, thing.number("active_inventory"), steps))
            held = thing.listed("inventory")
            left = [each for at, each in enumerate(held) if at not in gaps.numbers]
            thing.put("inventory", left + [0] * (len(held) - len(left)))


def _now(gaps: Gaps, number: int, steps: Steps) -> int:
    """The number that a thing has now, which stands at some steps in a stored object."""
    if number in gaps.numbers:
        message = f"{number} is the {gaps.name} that was removed from {gaps.rows}"
        raise PlainFileError(message, references.FILES[str(steps[0])], key_of(steps))
    return gaps.now(number)


#: The places among the game's options that are GUIs: of texts, thoughts, options of dialogs.
_GUI_OPTIONS: Final = (3, 5, 26)


# --- dialogs --------------------------------------------------------------------------------


def lines_now(gaps: Gaps, path: str, lines: str) -> str:
    """The lines of a dialog with the numbers that others have now.  Raises WorkspaceError for one
    that goes to a dialog which was removed."""

    def now(found: re.Match[str]) -> str:
        number = int(found[2])
        if number in gaps.numbers:
            line = lines.count("\n", 0, found.start()) + 1
            raise WorkspaceError(
                f"{path}:{line}: it goes to the dialog {number}, which was removed"
            )
        return f"{found[1]}{gaps.now(number)}"

    return _GOTO.sub(now, lines)


# --- scripts --------------------------------------------------------------------------------


class Moved(NamedTuple):
    """A thing that has another ID now than what was removed before it makes of the one it had."""

    rows: str
    name: str
    before: int
    now: int

    @property
    def message(self) -> str:
        """The event, without its effect on scripts."""
        path = f"{self.rows}/{self.name}"
        return f"{path}: the {_SINGULAR[self.rows]} has the ID {self.now}, which was {self.before}"


def moved(
    before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]], gaps: Iterable[Gaps]
) -> Iterator[Moved]:
    """The things that have another ID: ``before`` and ``after`` are the names of each kind, in the
    order of their numbers.  Things whose name is not there once are left out."""
    removed = {gap.rows: gap for gap in gaps}
    for rows in (*KINDS, resources.VIEWS):
        first = resources.KINDS_OF[rows].first
        were, are = _once(before.get(rows, ()), first), _once(after.get(rows, ()), first)
        gone = removed.get(rows, Gaps(rows, ()))
        for name, number in were.items():
            if name in are and are[name] != gone.now(number):
                yield Moved(rows, name, number, are[name])


def _once(names: Sequence[str], first: int) -> dict[str, int]:
    """The numbers of the names that are there once."""
    return {
        name: number for number, name in enumerate(names, first) if name and names.count(name) == 1
    }


class Against:
    """Scripts that prevent a change of numbers: they hold numbers that may then mean other things.

    ``scripts`` gives them with the paths of their sources, when they are asked for; ``changes`` has
    the files that the edit changes.
    """

    def __init__(
        self,
        scripts: Callable[[], Iterable[tuple[str, Script]]],
        changes: Mapping[str, Change],
        *,
        accept: bool,
    ) -> None:
        self._scripts = scripts
        self._read: list[tuple[str, Script]] | None = None
        self._changes = changes
        self._accept = accept

    def check(
        self,
        gaps: Iterable[Gaps],
        before: Mapping[str, Sequence[str]],
        after: Mapping[str, Sequence[str]],
    ) -> Findings:
        """Raise WorkspaceError for scripts that hold numbers of what was removed or has another
        ID; with ``accept`` these are warnings.

        ``before`` and ``after`` are the names of each kind, see :func:`moved`.
        """
        gaps = list(gaps)
        were, are = (len(names.get(resources.VIEWS, ())) for names in (before, after))
        ends = [Gaps(resources.VIEWS, range(are + 1, were + 1))] if are < were else []
        findings = [each for one in moved(before, after, gaps) for each in self._moved(one)]
        for gap in (*gaps, *ends):
            findings += self._gaps(gap)
        return Findings(dict.fromkeys(findings))

    def _gaps(self, gaps: Gaps) -> Findings:
        name, number = gaps.name, gaps.numbers[0]
        if gaps.rows == resources.VIEWS:
            said = (
                f"{gaps.rows}: the {name} {number} is removed, and scripts may hold its number, "
                "which shows nothing then: "
            )
            note = f"the number of the {name} {number}, which was removed, may stand there"
        else:
            said = (
                f"{gaps.rows}: the {name} {number} is not the last one, and scripts "
                "may hold numbers of those behind it, which become others: "
            )
            note = f"numbers of a {name} may mean another one now"
        return self._refuse(said, self._in_scripts(gaps.rows), note)

    def _moved(self, one: Moved) -> Findings:
        # who moves a thing on purpose changes the scripts
        found = self._in_scripts(one.rows, unchanged=True)
        said = f"{one.message}, and scripts may hold these numbers, which mean others then: "
        note = f"numbers of a {_SINGULAR[one.rows]} may mean another one now"
        return self._refuse(said, found, note)

    def _in_scripts(self, rows: str, *, unchanged: bool = False) -> dict[str, str]:
        """The names that take numbers of a kind, by the path of the script that uses them."""
        if self._read is None:
            self._read = list(self._scripts())
        found: dict[str, str] = {}
        for path, script in self._read:
            stem = path.rpartition(".")[0]
            if unchanged and not self._changes.keys().isdisjoint((path, f"{stem}.asm")):
                continue
            used = sorted({name.partition("^")[0] for name in script.imports})
            names = [name for name in used if BY_NUMBER[rows].fullmatch(name)]
            if names:
                found[path] = ", ".join(names[:4])
        return found

    def _refuse(self, said: str, found: Mapping[str, str], note: str) -> Findings:
        doubts = Findings(
            warning("renumbered", f"it uses {names}: {note}", path) for path, names in found.items()
        )
        if found and not self._accept:
            users = [f"{path} uses {names}" for path, names in found.items()]
            raise RenumberingError(
                doubts,
                f"{said}{'; '.join(users[:6])}. Accept that these numbers stay as they are, or "
                "keep it",
            )
        return doubts


def own_part(text: str, gaps: Gaps, count: int) -> str:
    """The first function of a dialog with another number that a script has in its own text; ""
    where there is none."""
    moved = [number for number in range(count) if gaps.now(number) != number]
    names = (f"{_RUN_DIALOG}{number}" for number in (*gaps.numbers, *moved))
    return next((name for name in names if re.search(rf"\b{name}\b", text)), "")


def gaps_between(
    before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]
) -> Iterator[Gaps]:
    """The things removed before others, as far as unique names show."""
    for rows in sorted(KINDS):
        were, are = before.get(rows, ()), after.get(rows, ())
        gone = [
            number
            for number, name in enumerate(were)
            if name and name not in are and number < len(were) - 1
        ]
        if gone and len(are) < len(were):
            yield Gaps(rows, gone)


def gaps_in(folder: Folder, changes: Mapping[str, Change]) -> Iterator[Gaps]:
    """The removed things, as the files of the remaining things show."""
    for kind in (each for each in resources.ALL_KINDS if each.rows in KINDS):
        if any(kind.has(path) and change == "removed" for path, change in changes.items()):
            numbers: list[int] = []
            kind.numbered(folder, gaps=numbers, known=_ANY)
            if numbers:
                yield Gaps(kind.rows, numbers)
