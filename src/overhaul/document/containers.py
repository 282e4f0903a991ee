"""Paths that continue inside a file: ``game.zip!data.win``, ``a.exe!data.win``, ``a.ags!b.crm``,
or begin with a revision of a git repository: ``HEAD~1:Game.yyp``.

A container is a zip archive (an .apk too), a 7-Zip archive, a Windows program with GameMaker data
inside, or any document with members of its own.  Containers may contain containers.  A container
that holds one game, the folder of a program of macOS that does, and that of a project, stand for
it.
"""

from __future__ import annotations

import os

from overhaul.bounds import Budget
from overhaul.document.archives import (
    DATA_IN_PROGRAM,
    ArchiveSiblings,
    ZipMembers,
    find_form,
    game_in_program,
    is_game,
    is_seven_zip,
    is_zip,
)
from overhaul.document.protocol import HasMembers
from overhaul.document.reading import FileSiblings, FoundFile, map_file, open_data
from overhaul.document.registry import HEAD, Probe, find, load
from overhaul.errors import FormatError
from overhaul.suggest import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from overhaul.document.protocol import Buffer, Document, Siblings
    from overhaul.document.sevenzip import SevenZipMembers

    FindInRevision: TypeAlias = Callable[
        [str, tuple[str, ...]], tuple[Buffer, str, Siblings, Callable[[], None]]
    ]


#: The reader of revisions, which needs subprocess: loaded for such a path.
_REVISIONS = "overhaul.document.revisions"
#: The file that the folders have which Overhaul unpacks to.
UNPACKED = "overhaul.toml"
#: How the names of project files end: of the editors of GameMaker, of Game Maker 8.2, and of
#: Adventure Game Studio.
_PROJECTS = (".yyp", ".project.gmx", ".gm82", ".agf")


def find_inside(path: str) -> FoundFile:
    """The bytes of the file that a path with ``!`` or of a revision names.

    Raises FileNotFoundError if no file on the disk is named by its beginning, FormatError if the
    container is broken or has no such member.
    """
    first, *members = path.split("!")
    if ":" in first and not os.path.exists(first) and load(f"{_REVISIONS}:is_revision")(first):
        find_in: FindInRevision = load(f"{_REVISIONS}:find_in_revision")
        data, source, siblings, release = find_in(first, _PROJECTS)
        return _inside(data, source, siblings, release, members)
    return find_member(*split_path(path))


def game_path(path: str) -> str:
    """The path of the game that a path stands for: of the only game in a zip archive, a Windows
    program or the folder of a program of macOS, of the only project file of an editor in a folder;
    else the path itself.

    Raises OSError, and FormatError for a folder with several games or none.
    """
    if os.path.isdir(path):
        return _game_in_bundle(path) if is_bundle(path) else _project_in(path)
    data, release = map_file(path)
    try:
        inside = _games_inside(Probe(data, os.path.basename(path)), path)
    finally:
        release()
    return f"{path}{inside[0]}" if len(inside) == 1 else path


def _games_inside(probe: Probe, path: str) -> list[str]:
    """The suffix of a container's path for each game in it."""
    if find(probe) is not None:
        return []
    try:
        members = _archive(probe, path, Budget.of_games(probe.size, path))
    except FormatError:  # opening it says so
        return []
    if members is None:
        inside = game_in_program(probe)
        return [] if inside is None else [inside]
    return [f"!{name}" for name in members.games()]


def _archive(probe: Probe, source: str, budget: Budget) -> ZipMembers | SevenZipMembers | None:
    """The members of an archive; None for another file.  Raises FormatError for a broken one."""
    if is_zip(probe):
        return ZipMembers(probe.data, source, budget)
    if not is_seven_zip(probe):
        return None
    from overhaul.document.sevenzip import SevenZipMembers  # start-up: lzma, typing

    return SevenZipMembers(probe.data, source, budget)


def is_bundle(path: str) -> bool:
    """Whether a folder is a program of macOS or iOS: ``Game.app``."""
    return path.rstrip("/" + os.sep).casefold().endswith(".app") and not os.path.exists(
        os.path.join(path, UNPACKED)
    )


def _project_in(folder: str) -> str:
    """The only project file of an editor in a folder; the folder itself if there is none, or it was
    unpacked."""
    names = os.listdir(folder)
    paths = [os.path.join(folder, name) for name in names if name.casefold().endswith(_PROJECTS)]
    if len(paths) != 1 or UNPACKED in names or os.path.islink(paths[0]):
        return folder
    return paths[0] if os.path.isfile(paths[0]) else folder


def _game_in_bundle(folder: str) -> str:
    games = []
    for place, below, files in os.walk(folder):
        below.sort()
        for name in sorted(files):
            path = os.path.join(place, name)
            if os.path.islink(path) or not os.path.isfile(path):  # it may lead elsewhere
                continue
            with open(path, "rb") as file:
                probe = Probe(file.read(HEAD), name)
            probe.size = os.path.getsize(path)
            if is_game(probe):
                games.append(path)
    if len(games) == 1:
        return games[0]
    if not games:
        raise FormatError("a program without a game that can be read", source=folder)
    raise FormatError(f"there are {len(games)} games in it: {listed(games)}", source=folder)


def find_member(outer: str, members: Iterable[str]) -> FoundFile:
    """The bytes of a file in containers in a file on the disk; ``members`` are their names.

    Raises OSError, or FormatError if a container is broken or has no such member.
    """
    data, release = map_file(outer)
    return _inside(data, outer, FileSiblings(outer), release, members)


def _inside(
    data: Buffer,
    source: str,
    siblings: Siblings,
    release: Callable[[], None],
    members: Iterable[str],
) -> FoundFile:
    """A file in containers in another one."""
    budget = Budget.of_games(len(data), source)
    try:
        for member in members:
            data, siblings = read_member(data, source, siblings, member, budget)
            source = f"{source}!{member}"
    except BaseException:
        release()
        raise
    return FoundFile(data, source, siblings, release)


def split_path(path: str) -> tuple[str, list[str]]:
    """The file on the disk, and the members named one inside the other."""
    parts = path.split("!")
    for count in range(1, len(parts)):
        outer = "!".join(parts[:count])
        if os.path.isfile(outer):
            return outer, parts[count:]
    raise FileNotFoundError(2, "there is no such file", parts[0])


def read_member(
    data: Buffer, source: str, siblings: Siblings, name: str, budget: Budget
) -> tuple[Buffer, Siblings]:
    """The bytes of a container's member, and the files next to it.

    ``budget`` bounds what may be unpacked, in proportion to the file on the disk.
    """
    probe = Probe(data, os.path.basename(source))
    if find(probe) is not None:
        return _member_of_document(data, source, siblings, name)
    members = _archive(probe, source, budget)
    if members is not None:
        chosen = _choose(name, members.names(), source)
        return members.read(chosen), ArchiveSiblings(members, chosen)
    if probe.head[:2] == b"MZ":
        return _member_of_program(data, source, siblings, name)
    raise FormatError(f"cannot open {name!r} in it: it contains no files", source=source)


def _member_of_document(
    data: Buffer, source: str, siblings: Siblings, name: str
) -> tuple[Buffer, Siblings]:
    document = open_data(data, source=source, siblings=siblings)
    members = Members(document)
    return members.read(_choose(name, members.names(), source)), members


class Members:
    """The members of a document, as files next to each other."""

    def __init__(self, document: Document) -> None:
        members = document.members() if isinstance(document, HasMembers) else ()
        self._members = {member.path: member for member in members}

    def names(self) -> list[str]:
        """The paths of the members, sorted."""
        return sorted(self._members)

    def read(self, name: str) -> bytes:
        """The bytes of a member.  Raises FileNotFoundError for an unknown path."""
        if name not in self._members:
            raise FileNotFoundError(2, "no such member", name)
        return self._members[name].read()


def _member_of_program(
    data: Buffer, source: str, siblings: Siblings, name: str
) -> tuple[Buffer, Siblings]:
    form = find_form(data)
    if form is None:
        raise FormatError("it is a Windows program without GameMaker data inside", source=source)
    _choose(name, [DATA_IN_PROGRAM], source)
    offset, length = form
    return bytes(data[offset : offset + length]), siblings


def _choose(name: str, names: list[str], source: str) -> str:
    """The member that a name means: the same, else the only one but for case or folder."""
    if name in names:
        return name
    wanted = name.lower()
    fitting = [n for n in names if n.lower() == wanted or n.lower().endswith("/" + wanted)]
    if len(fitting) == 1:
        return fitting[0]
    some = listed(sorted(names))
    what = "is not its only member of that name" if fitting else "is not in it"
    raise FormatError(f"{name!r} {what}; it contains: {some or 'nothing'}", source=source)
