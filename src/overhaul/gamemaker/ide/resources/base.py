"""The base of every kind of resource of a project, and of every list of one kind."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar, overload

from overhaul.document.notebook import html_of
from overhaul.document.surface import ResourceList, ResourceSurface, Surface, counted, list_text
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.resources import verbs
from overhaul.gamemaker.ide.resources.fields import fields_of
from overhaul.gamemaker.ide.resources.users import User, users_of
from overhaul.gamemaker.ide.stores import MISSING, Store, store_of
from overhaul.gamemaker.ide.values import Json, Steps

S = TypeVar("S", bound="Resource")
P = TypeVar("P", bound="Part")


class Resource(ResourceSurface):
    """One resource of a project: a surface over its file, which holds all that there is.

    Two are equal where they stand for the same file.
    """

    __slots__ = ("_path", "project")
    #: the kind of one in ``overhaul ls``
    kind_name: ClassVar[str] = "resource"

    def __init__(self, project: ProjectModel, path: str) -> None:
        self.project: ProjectModel = project
        self._path: str = path

    @property
    def kind(self) -> str:
        """Its kind in ``overhaul ls`` (``sprite``)."""
        return self.kind_name

    @property
    def document(self) -> object:
        """The project it is of."""
        return self.project

    @property
    def entry(self) -> ListedEntry:
        """The row that lists it.  Raises KeyError for one that was removed."""
        path = self.project.moved.get(self._path, self._path)
        entry = self.project.entry_at(path)
        if entry is None:
            raise KeyError(f"{path} is no longer in the project")
        return entry

    @property
    def path(self) -> str:
        """The path of its file as it is spelled.  Raises FormatError if it is not there."""
        entry = self.entry
        path = self.project.files.spelled(entry.path)
        if path is None:
            raise FormatError("is listed, and is not there", source=entry.path, code="absent-file")
        return path

    @property
    def is_here(self) -> bool:
        """Whether its file is there, and can be read."""
        try:
            _ = self.record
        except FormatError:  # check says what is wrong with it
            return False
        return True

    @property
    def notes(self) -> Sequence[str]:
        """The fault of its file, if it can't be read."""
        try:
            _ = self.record
        except FormatError as error:
            return (f"{error}.",)
        return ()

    @property
    def folder(self) -> str:
        """The folder of its file."""
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        """Its name.

        Setting it renames the resource, as :meth:`Resources.rename`; what can't follow are
        warnings of the project.
        """
        return self.entry.name

    @name.setter
    def name(self, new: str) -> None:
        self.project.findings += verbs.rename(self.project, self.entry, new)

    @property
    def store(self) -> Store:
        """Where its fields are."""
        return store_of(self.project, self.path)

    @property
    def where(self) -> Steps:
        """The steps from the file to its fields: none."""
        return ()

    @property
    def record(self) -> object:
        """The content of the file, in its own words; None for a text."""
        path = self.path
        if path.endswith(".gmx"):
            return self.project.gmx_file(path).root
        return self.project.json_file(path).value if path.endswith(".yy") else None

    @property
    def values(self) -> Mapping[str, object]:
        """The declared fields by name, as values of JSON: other resources by their names."""
        return {name: _plain(getattr(self, name)) for name in fields_of(type(self))}

    @property
    def in_folder(self) -> str:
        """The folder of the asset browser that it is in, ``Sprites/Enemies``; "" for none."""
        if not self.path.endswith(".yy"):
            return ""
        found = self.store.get(("parent", "path"))
        text = found if isinstance(found, str) and found.startswith("folders/") else ""
        return text.removeprefix("folders/").removesuffix(".yy")

    def _label(self) -> str:
        try:
            return super()._label()
        except FormatError as error:  # a text says what is there, also of a broken project
            return f"{self.entry.name}: {error.message}"

    def users(self) -> list[User]:
        """Its users: other resources that refer to it, and code that names it."""
        return users_of(self.project, self.entry)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Resource):
            return NotImplemented
        return self.project is other.project and self.entry.path == other.entry.path

    def __hash__(self) -> int:
        return hash((id(self.project), self.entry.path))


def _plain(value: object) -> object:
    return value.name if isinstance(value, Resource) else value


class Part(Surface):
    """A part of a resource: what is at some steps of its file."""

    __slots__ = ("owner", "where")

    def __init__(self, owner: Resource, steps: Steps) -> None:
        self.owner: Resource = owner
        self.where: Steps = steps

    @property
    def project(self) -> ProjectModel:
        """The project it is of."""
        return self.owner.project

    @property
    def store(self) -> Store:
        """Where its fields are."""
        return self.owner.store

    @property
    def record(self) -> object:
        """The part of the file about it, in its own words."""
        return self.value()

    def value(self, *steps: str | int) -> Json:
        """A value of the file, by the steps from here; None where there is none."""
        found = self.store.get((*self.where, *steps))
        return None if found is MISSING else found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Part):
            return NotImplemented
        return self.owner == other.owner and self.where == other.where

    def __hash__(self) -> int:
        return hash((self.owner, self.where))


class Parts(Sequence[P]):
    """The parts of one kind, in the order of the file.  Raises IndexError for a wrong number."""

    #: the name of one of them
    title: ClassVar[str] = "part"

    def __init__(self, owner: Resource, steps: Steps, numbers: Sequence[int] | None = None) -> None:
        self.owner: Resource = owner
        self.where: Steps = steps
        self._numbers = numbers

    @abstractmethod
    def over(self, number: int) -> P:
        """The part of an element of the list."""

    def __len__(self) -> int:
        return self.owner.store.count(self.where) if self._numbers is None else len(self._numbers)

    @overload
    def __getitem__(self, key: int) -> P: ...
    @overload
    def __getitem__(self, key: slice) -> list[P]: ...
    def __getitem__(self, key: int | slice) -> P | list[P]:
        if isinstance(key, slice):
            return [self.over(self._number(n)) for n in range(*key.indices(len(self)))]
        count = len(self)
        if not -count <= key < count:
            raise IndexError(f"there is no {self.title} {key}: there are {count}")
        return self.over(self._number(key % count))

    def _number(self, index: int) -> int:
        return index if self._numbers is None else self._numbers[index]

    def __delitem__(self, key: int) -> None:
        """Take one out."""
        count = len(self)
        if not -count <= key < count:
            raise IndexError(f"there is no {self.title} {key}: there are {count}")
        self.owner.store.remove((*self.where, self._number(key % count)))

    def __repr__(self) -> str:
        return list_text(self, self.title)


class Resources(ResourceList[S], Generic[S]):
    """The resources of one kind, by name, or by number in the order of the project."""

    def __init__(self, project: ProjectModel, resource: type[S]) -> None:
        self.project = project
        #: the word for one of them
        self.resource: type[S] = resource

    @property
    def kind(self) -> str:
        """The kind of one of them in ``overhaul ls``."""
        return self.resource.kind_name

    @property
    def document(self) -> object:
        """The project they are of."""
        return self.project

    @property
    def entries(self) -> Sequence[ListedEntry]:
        """The rows that list them."""
        return self.project.entries_of(self.kind)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[S]:
        return (self.resource(self.project, entry.path) for entry in self.entries)

    def _numbered(self, number: int) -> S | None:
        entries = self.entries
        inside = -len(entries) <= number < len(entries)
        return self.resource(self.project, entries[number].path) if inside else None

    def _named(self, name: str) -> S | None:
        entry = self.project.entry_named(self.kind, name)
        return None if entry is None else self.resource(self.project, entry.path)

    def names(self) -> list[str]:
        """The names of all of them."""
        return [entry.name for entry in self.entries]

    def _entry(self, chosen: int | str | S) -> ListedEntry:
        """The row of one given by name, number or itself.  Raises KeyError, IndexError."""
        return chosen.entry if isinstance(chosen, Resource) else self[chosen].entry

    def add(self, name: str, *, folder: str = "") -> S:
        """Add a resource with the fields that a new one has in GameMaker; return it.

        ``folder`` is one of the asset browser, ``Sprites/Enemies``; by default that of the first
        of the kind that can be read.  Raises ValueError for a name that is taken or is none, and
        for a kind that is added in GameMaker.
        """
        path = verbs.add(self.project, self.kind, name, folder)
        return self.resource(self.project, path)

    def duplicate(self, original: int | str | S, new: str) -> S:
        """Add a copy of a resource under a new name, with files of its own; return it.

        Raises KeyError for one that is not there, ValueError for a name that is taken or is none.
        """
        path = verbs.duplicate(self.project, self._entry(original), new)
        return self.resource(self.project, path)

    def rename(self, old: int | str | S, new: str) -> Findings:
        """Give a resource another name; return warnings of what can't follow.

        Its folder, its files, the project, references and code follow; code that holds the name
        as a text does not, and is reported.  Raises KeyError for one that is not there,
        ValueError for a name that is taken or is none.
        """
        return verbs.rename(self.project, self._entry(old), new)

    def remove(self, *chosen: int | str | S, force: bool = False) -> Findings:
        """Take resources out, with their files; return warnings.

        With ``force`` references to what is removed go too.  Raises ValueError where something
        else uses one, KeyError for one that is not there.  Saving keeps a copy of the files in
        ``.overhaul/removed``.
        """
        entries = list({entry.path: entry for entry in map(self._entry, chosen)}.values())
        return verbs.remove(self.project, entries, force=force)

    def __delitem__(self, key: int | str) -> None:
        """Take a resource out: :meth:`remove`, whose warnings are those of the project."""
        self.project.findings += self.remove(key)

    def _repr_html_(self) -> str | None:
        return html_of(self)


def points_text(count: int, *words: str) -> str:
    """``5 points, smooth, closed``."""
    return ", ".join([counted(count, "point"), *(word for word in words if word)])
