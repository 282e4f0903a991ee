"""What packing says of code that names resources which have other numbers now, or are gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from overhaul.document.names import escape_name
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.code.following import Followed, Place
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.view import ASSEMBLY, CODE, SOURCE

#: how many places an error lists
_LISTED = 40


def report(found: Iterable[Followed], edits: GameEdits) -> None:
    """Warn of code that named what was removed.

    Raises WorkspaceError for numbers that may name what has another number now, unless people
    accept that they stay as they are: then each is a warning.
    """
    left = [each.without(lambda place: _is_gone(place, edits)) for each in found]
    for followed in left:
        for name, places in followed.cleared.items():
            edits.warnings.append(f"{name} was removed, but code named it: {_in_words(places)}")
    doubts = [text for followed in left for text in _doubts(followed)]
    if not doubts:
        return
    if edits.options.accept_renumbering:
        edits.warnings += doubts
        return
    more = f"\n  ... ({len(doubts)} in all)" if len(doubts) > _LISTED else ""
    listed = "\n  ".join(doubts[:_LISTED])
    raise WorkspaceError(
        "resources have other numbers now, and code holds numbers of which nothing shows whether "
        f"they name them:\n  {listed}{more}\n"
        "Write the names in these lines, keep the order of the resources, or accept that these "
        "numbers stay as they are"
    )


def _doubts(followed: Followed) -> Iterator[str]:
    for each in followed.doubtful:
        now = "was removed" if each.now is None else f"is {each.now} now"
        for place in each.places:
            yield f"{_path(place)}: {each.number} in {place.text!r:.80} ({each.name} {now})"
    for entry in followed.unread:
        yield f"{CODE}/{escape_name(entry)}{SOURCE}: it can't be compiled for the new numbers"


def _is_gone(place: Place, edits: GameEdits) -> bool:
    """Whether code is gone, or people wrote it for the resources as they are now."""
    game: GameData = edits.game
    if place.entry not in game.records.code:
        return True
    stem = f"{CODE}/{escape_name(place.entry)}"
    if edits.edited(f"{stem}{ASSEMBLY}"):
        return True
    if not edits.edited(f"{stem}{SOURCE}"):
        return False
    lines = (line.strip() for line in edits.text(f"{stem}{SOURCE}").split("\n"))
    return not place.text or place.text not in lines


def _in_words(places: Iterable[Place]) -> str:
    return ", ".join(map(_path, places))


def _path(place: Place) -> str:
    """A place as people find it in the folder."""
    path = f"{CODE}/{escape_name(place.entry)}{SOURCE}"
    return f"{path}:{place.line}" if place.line else path
