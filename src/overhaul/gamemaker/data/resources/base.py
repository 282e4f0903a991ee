"""The base of every kind of resource, and of every list of one kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from overhaul.document.notebook import html_of
from overhaul.document.surface import ResourceList, ResourceSurface
from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.references import Named, NamedList
from overhaul.gamemaker.data.resources import verbs
from overhaul.suggest import plural

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.users import User

R = TypeVar("R", bound="Named")
S = TypeVar("S", bound="Resource[Any]")

#: how many numbers an error lists
_NUMBERS = 8


def kind_of(chunk: str) -> str:
    """The kind of a chunk's resources in ``overhaul ls``."""
    kind = CHUNKS[chunk]
    return kind.title or kind.attribute.replace("_", " ")


class Resource(ResourceSurface, Generic[R]):
    """One resource of a game: a surface over its ``record``, which holds all that the file has.

    Two are equal where they stand for the same record.
    """

    __slots__ = ("game", "record")
    #: the chunk of the kind
    chunk: ClassVar[str]

    def __init__(self, game: CodeModel, record: R) -> None:
        self.game: CodeModel = game
        self.record: R = record

    @property
    def _list(self) -> NamedList[Any]:
        return self.game.named(self.chunk)

    @property
    def kind(self) -> str:
        """Its kind in ``overhaul ls`` (``sprite``)."""
        return kind_of(self.chunk)

    @property
    def document(self) -> object:
        """The game it is of."""
        return self.game

    @property
    def name(self) -> str:
        """Its name.

        Setting it renames the resource, as :meth:`Resources.rename`; what can't follow are
        warnings of the game.
        """
        return str(getattr(self.record, "name", None) or "")

    @name.setter
    def name(self, new: str) -> None:
        self.game.findings += verbs.rename(self.game, self.chunk, self.record, new)

    @property
    def index(self) -> int:
        """Its number, which code knows it by.  Raises KeyError if it is no longer in the game."""
        return self._list.index(self.record)

    def users(self) -> list[User]:
        """Its users: other resources that refer to it, and code that names it.

        Where code holds resources as plain numbers (before 2.3), only code that shows what kind
        of resource it means is found.
        """
        return verbs.users_of(self.game, self.chunk, self.record)


class Copies(NamedTuple, Generic[S]):
    """The result of :meth:`Resources.copy_from`: the copy, everything that was copied (``sprite
    spr_a``), and everything that could not be."""

    resource: S
    copied: list[str]
    findings: Findings

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""
        return self.findings.texts()


class Resources(ResourceList[S]):
    """The resources of one kind, by name and by number.

    ``game.sprites[3]`` is the sprite of the number 3, by which code may know it.  A resource that
    the compiler removed as unused is not among them, and its number stays taken: ``len`` counts
    those that are there, so go through them with ``for``, not by counting up numbers.
    """

    #: the word for one of them
    resource: ClassVar[type[Any]]

    def __init__(self, game: CodeModel) -> None:
        self.game = game

    @property
    def kind(self) -> str:
        """The kind of one of them in ``overhaul ls`` (``sprite``)."""
        return kind_of(self.resource.chunk)

    @property
    def title(self) -> str:
        """The word for one of them in messages."""
        return self.records.title

    @property
    def document(self) -> object:
        """The game they are of."""
        return self.game

    @property
    def records(self) -> NamedList[Any]:
        """The records beneath, with None for what the compiler removed."""
        return self.game.named(self.resource.chunk)

    def _over(self, record: object) -> S:
        made: S = self.resource(self.game, record)
        return made

    def __len__(self) -> int:
        return sum(1 for _ in self.records.present())

    def __iter__(self) -> Iterator[S]:
        return map(self._over, self.records.present())

    def __contains__(self, value: object) -> bool:
        return (value.record if isinstance(value, Resource) else value) in self.records

    def names(self) -> list[str]:
        """The names of all of them."""
        return self.records.names()

    def _check_kind(self) -> None:
        """Raise ValueError if the game has no resources of this kind."""
        chunk = self.resource.chunk
        if chunk not in self.game.chunks:
            raise ValueError(f"a game of {self.game.release} has no {plural(self.records.title)}")

    def _add(self, record: Named, name: str) -> S:
        """Add a record under a new name, behind the others.

        Raises ValueError for a name that is taken or is none, and where the game has no resources
        of this kind.
        """
        self._check_kind()
        verbs.check_new_name(self.game, self.resource.chunk, name)
        record.name = self.game.strings.add(name)
        self.records.append(record)
        verbs.enlist(self.game, self.resource.chunk, record)
        return self._over(record)

    def _record(self, chosen: int | str | S) -> Any:
        """The record of one given by name, number or itself.  Raises KeyError, IndexError."""
        if isinstance(chosen, Resource):
            self.records.index(chosen.record)
            return chosen.record
        return self[chosen].record

    def rename(self, old: int | str | S, new: str) -> Findings:
        """Give a resource another name; return warnings of what can't follow.

        References, its code and calls of it follow; code that holds the name as a text does not,
        and is reported.  Raises KeyError for one that is not there, ValueError for a name that is
        taken or is none.
        """
        return verbs.rename(self.game, self.resource.chunk, self._record(old), new)

    def remove(self, *chosen: int | str | S, force: bool = False) -> Findings:
        """Take resources out, with their code; return warnings.

        The resources after them get other numbers, and references follow: also code that holds
        plain numbers (before 2.3), as far as it shows their meaning. With ``force`` references
        to what is removed go too, with instances in rooms, collision events, ... Raises
        ValueError where something else uses one, KeyError for one that is not there.
        """
        records = list({id(record): record for record in map(self._record, chosen)}.values())
        if not records:
            return Findings()
        return verbs.remove(self.game, self.resource.chunk, records, force=force)

    def __delitem__(self, key: int | str) -> None:
        """Take a resource out: :meth:`remove`, whose warnings are those of the game."""
        self.game.findings += self.remove(key)

    def duplicate(self, original: int | str | S, new: str) -> S:
        """Add a copy of a resource under a new name, with code of its own; return it.

        Pictures and bytes of sounds are shared until one of the two changes.  Raises KeyError for
        one that is not there, ValueError for a name that is taken or is none, and for what can't
        be there twice.
        """
        record = self._record(original)
        return self._over(verbs.duplicate(self.game, self.resource.chunk, record, new))

    def copy_from(
        self, original: S, new: str | None = None, *, with_dependencies: bool = True
    ) -> Copies[S]:
        """Copy a resource of another game, under its name or a new one.

        Its references become references to resources of the same names here. Where nothing has,
        it is copied too, with what code names; without ``with_dependencies`` such references are
        left out. Pictures go to new texture pages, sounds are stored as this game does, code is
        decompiled there and compiled here. Parts that can't be copied are in the ``warnings`` of
        the result. Raises TypeError for another kind of resource, ValueError for a name that is
        taken and for what this release can't have; nothing is changed then.
        """
        chunk = self.resource.chunk
        if not isinstance(original, Resource) or original.chunk != chunk:
            raise TypeError(f"expected a {self.records.title}, got {original!r}")
        if original.game is self.game:
            raise ValueError(f"{original.name} is of this game: duplicate it")
        self._check_kind()
        name = original.name if new is None else new
        copier = verbs.Copier(original.game, self.game, with_dependencies=with_dependencies)
        made = copier.copy(chunk, original.record, name)
        names = [f"{CHUNKS[where].title} {record.name}" for where, record in copier.copied]
        return Copies(self._over(made), names, copier.findings)

    def move(self, chosen: int | str | S, index: int) -> Findings:
        """Give a resource another number; those between follow.  Return warnings.

        Raises KeyError for one that is not there, IndexError for a number that there is not.
        """
        return verbs.move(self.game, self.resource.chunk, self._record(chosen), index)

    def _slice(self, key: slice) -> list[S]:
        return [self._over(record) for record in self.records[key] if record is not None]

    def _numbered(self, number: int) -> S | None:
        record = self.records.get(number)
        return None if record is None else self._over(record)

    def _named(self, name: str) -> S | None:
        record = self.records.get(name)
        return None if record is None else self._over(record)

    def _missing(self, number: int) -> str:
        """The message of an error for a number without a resource."""
        title, taken = self.records.title, len(self.records)
        if not -taken <= number < taken:
            return f"there is no {title} number {number}"
        numbers = [n for n, record in enumerate(self.records) if record is not None]
        those = ", ".join(map(str, numbers[:_NUMBERS])) or "none"
        more = ", …" if len(numbers) > _NUMBERS else ""
        return f"the compiler removed {title} number {number} as unused (there are: {those}{more})"

    def _repr_html_(self) -> str:
        return html_of(self) or self.records._repr_html_()
