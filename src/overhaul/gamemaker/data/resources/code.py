"""Code entries, scripts, and what runs code under a key."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from overhaul.document.notebook import table_of
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.code_rows import Instructions
from overhaul.gamemaker.data.chunks.func import Script as ScriptRecord
from overhaul.gamemaker.data.chunks.objt import Event as EventRecord
from overhaul.gamemaker.data.chunks.objt import Moment as MomentRecord
from overhaul.gamemaker.data.code.additions import add_script
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.code.owners import owner_of, title_of, uses
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources import verbs
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import resource_of
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.gamemaker.data.resources.parts import Part
from overhaul.gml.vm.code import Code as Symbolic
from overhaul.suggest import counted, cut


class Owner(NamedTuple):
    """The owner of a code entry: a resource, and the place in it.

    ``place`` is an event (``Step_0``), ``step 30`` of a timeline, ``creation code`` of a room,
    ``instance 100003, creation code``; empty for a script.
    """

    resource: Resource[Any]
    place: str

    @property
    def title(self) -> str:
        """The place as people call it: ``Key press: enter``."""
        return title_of(self.place)

    def __str__(self) -> str:
        return f"{self.resource.name} {self.place}".strip()


class Code(Resource[CodeEntry]):
    """A code entry: a root, or a function inside one (``parent``).

    ``gml`` and ``assembly`` of a function are those of its root; :meth:`prepend`, :meth:`append`
    and :meth:`replace` change only the function.
    """

    __slots__ = ()
    chunk = "CODE"

    @property
    def gml(self) -> str:
        """The code as source.  Assigning compiles it: SyntaxError_ and CompileError for what does
        not compile, and nothing is changed then."""
        return self.record.gml

    @gml.setter
    def gml(self, source: str) -> None:
        self.record.gml = source

    @property
    def source(self) -> str:
        """The same as :attr:`gml`, as other libraries call it."""
        return self.gml

    @source.setter
    def source(self, text: str) -> None:
        self.gml = text

    @property
    def assembly(self) -> str:
        """The code as assembly text.  Assigning assembles it; SyntaxError_ for what is none."""
        return self.record.assembly

    @assembly.setter
    def assembly(self, text: str) -> None:
        self.record.assembly = text

    def prepend(self, text: str, *, assembly: bool = False) -> None:
        """Let the code begin with ``text``: whole statements of GML, or instructions.

        Raises SyntaxError_ and CompileError for source that does not compile, EncodeError for
        text that goes on after its end (a macro).  Nothing is changed then.
        """
        verbs.prepend(self.game, self.record, text, assembly=assembly)

    def append(self, text: str, *, assembly: bool = False) -> None:
        """Let the code end with ``text``: whole statements of GML, or instructions.

        They do not run where the code is left before its end.  Raises as :meth:`prepend`, and
        EncodeError where the last statement leaves the code.
        """
        verbs.append(self.game, self.record, text, assembly=assembly)

    def replace(self, old: str, new: str, count: int = -1, *, assembly: bool = False) -> int:
        """Replace text in the code, at most ``count`` times from its beginning (-1: everywhere),
        and return how often.

        ``old`` is looked for as it is written, white space included, in the source (or assembly)
        as the library shows it.  Raises EncodeError if it is not there; else as :meth:`prepend`.
        """
        return verbs.replace(self.game, self.record, old, new, count, assembly=assembly)

    @property
    def instructions(self) -> Instructions:
        """The instructions as columns and rows; of a function: all of its root's."""
        return self.record.instructions

    @property
    def symbolic(self) -> Symbolic:
        """The code as the functions of :mod:`overhaul.gml` take it."""
        return self.record.symbolic

    @property
    def parent(self) -> Code | None:
        """The root that a function is in; None for a root."""
        return None if self.record.root is None else Code(self.game, self.record.root)

    @property
    def children(self) -> list[Code]:
        """The functions inside, in the order of the list."""
        return [Code(self.game, child) for child in self.record.children]

    @property
    def locals(self) -> int:
        """How many local variables there are, as the game counts them."""
        return self.record.locals

    @property
    def arguments(self) -> int:
        """How many arguments it takes."""
        return self.record.argument_count

    @property
    def offset(self) -> int:
        """Where a function begins in its root's bytecode, in bytes; 0 for a root."""
        return self.record.offset

    @property
    def owner(self) -> Owner | None:
        """Its owner: an object's event, a moment, a script, a room or one of its instances; None
        where nothing of these does. A function inside other code has none but its script.
        """
        use = owner_of(self.game, self.record)
        if use is None:
            return None
        return Owner(resource_of(self.game, use.chunk, use.record), use.place)

    def to_bytes(self) -> bytes:
        """The bytecode as stored in the game; of a function its own part."""
        return self.record.to_bytes()

    def _about(self) -> str:
        root = self.record.root
        if root is not None:
            return f"in {root.name}"
        count = len(self.record.bytecode)
        return f"{count} instruction{'' if count == 1 else 's'}"


class Codes(Resources[Code]):
    """The code entries of a game.

    Code is added with what runs it: ``object.events.add``, ``game.scripts.add``, ...
    """

    resource = Code

    def __delitem__(self, key: int | str) -> None:
        """Remove code with what ran it: the event, the moment, the script.

        Functions of it that other code calls, and variables that only it sets and other code reads,
        are warnings of the game.
        """
        removed = self.game.language.removed_names()
        removed.note_entry(self[key].record)
        del self.records[key]
        self.game.findings += removed.findings()


def code_or_none(game: CodeModel, code: object) -> Code | None:
    """The code that a field of a record refers to; None for none."""
    target = code.target if isinstance(code, Reference) else None
    return None if target is None else Code(game, target)


class RunsCode(ABC):
    """Something that runs a code entry: its code can be changed without naming the entry."""

    __slots__ = ()

    @property
    @abstractmethod
    def code(self) -> Code | None:
        """The code it runs; None where it runs none (as in a game of native code)."""

    def _existing(self) -> Code:
        code = self.code
        if code is None:
            raise ValueError(f"{self!r} runs no code")
        return code

    @property
    def gml(self) -> str:
        """Its code as source, empty where it runs none.

        Assigning compiles it; see :attr:`Code.gml`.  Raises ValueError where it runs none.
        """
        return "" if self.code is None else self.code.gml

    @gml.setter
    def gml(self, source: str) -> None:
        self._existing().gml = source

    def prepend(self, text: str, *, assembly: bool = False) -> None:
        """Let its code begin with ``text``; see :meth:`Code.prepend`."""
        self._existing().prepend(text, assembly=assembly)

    def append(self, text: str, *, assembly: bool = False) -> None:
        """Let its code end with ``text``; see :meth:`Code.append`."""
        self._existing().append(text, assembly=assembly)

    def replace(self, old: str, new: str, count: int = -1, *, assembly: bool = False) -> int:
        """Replace text in its code, and return how often; see :meth:`Code.replace`."""
        return self._existing().replace(old, new, count, assembly=assembly)


O = TypeVar("O")  # noqa: E741 - the owner's record
R = TypeVar("R", EventRecord, MomentRecord)
K = TypeVar("K", str, int)
H = TypeVar("H", bound=RunsCode)


class KeyedEvent(Part[O, R], RunsCode):
    """An event or a moment: it runs the first code among its actions."""

    __slots__ = ()

    @property
    def code(self) -> Code | None:
        """The code it runs; None where it runs none (as in a game of native code)."""
        runs = [action.code for action in self.record.actions]
        first = next((run for run in runs if isinstance(run, Reference)), None)
        return code_or_none(self.game, first)

    def _remove_from(self, events: list[R]) -> None:
        """Remove it from its list, and the code it runs if nothing else does."""
        game = self.game
        events[:] = [event for event in events if event is not self.record]
        needed = {id(use.code) for use in uses(game)}
        lists = (game.global_init, game.game_end)
        needed |= {
            id(code) for event_list in lists if event_list is not None for code in event_list.code
        }
        codes = [
            action.code for action in self.record.actions if isinstance(action.code, Reference)
        ]
        unused = {id(code): code for code in codes if id(code) not in needed and code.target}
        if unused:
            game.records.code.remove(*unused.values())


class KeyedEvents(Mapping[K, H], Generic[K, H]):
    """The events of an object, or the moments of a timeline, by key."""

    @abstractmethod
    def _all(self) -> Iterator[tuple[K, H]]:
        """Each with its key, in the order of the file; of equal keys the first counts."""

    @abstractmethod
    def _missing(self, key: K) -> str:
        """The message of a KeyError."""

    @abstractmethod
    def add(self, key: K, /, source: str, definitions: str = "") -> H:
        """Add one with its code."""

    def add_all(self, sources: Mapping[K, str]) -> None:
        """Add several, in the order of ``sources``; see :meth:`add`."""
        for key, source in sources.items():
            self.add(key, source)

    def __getitem__(self, key: K) -> H:
        for each, event in self._all():
            if each == key:
                return event
        raise KeyError(self._missing(key))

    def __setitem__(self, key: K, source: str) -> None:
        """Give one other code; add it where it is not there."""
        if key in self:
            self[key].gml = source
        else:
            self.add(key, source)

    def __iter__(self) -> Iterator[K]:
        return iter(dict.fromkeys(key for key, _ in self._all()))

    def __len__(self) -> int:
        return len(set(self))

    def _repr_html_(self) -> str:
        """A table for notebooks: keys, what people call them, how the code begins."""
        rows = (
            [key, getattr(event, "title", ""), cut(event.gml, 100)] for key, event in self.items()
        )
        return table_of(counted(len(self), "event"), ["", "event", "code"], rows, len(self))

    def _keys(self) -> str:
        return ", ".join(map(str, self)) or "none"


class Script(Resource[ScriptRecord], RunsCode):
    """A script; from 2.3 on each function of one is listed as well."""

    __slots__ = ()
    chunk = "SCPT"

    @property
    def code(self) -> Code | None:
        """The code it runs; None where it has none (as in a game of native code).

        From 2.3 on the source of a script declares its functions, before it is the body of the one
        function that the script is.
        """
        return code_or_none(self.game, self.record.code.entry)

    @property
    def constructor(self) -> bool:
        """Whether it is a function that makes structs."""
        return bool(self.record.code.constructor)

    def _about(self) -> str:
        return "constructor" if self.constructor else ""


class Scripts(Resources[Script]):
    """The scripts of a game, and from 2.3 on its functions."""

    resource = Script

    def add(self, name: str, source: str, definitions: str = "") -> Script:
        """Add a script with its code.

        From 2.3 on ``source`` declares functions (``function jump(height) { ... }``), before it is
        the body of the one function that the script is.  ``definitions``: GML text with ``#macro``
        and ``enum`` lines.  Raises ValueError for a name that is taken or is none, SyntaxError_ and
        CompileError for the source; nothing is changed then.
        """
        self._check_kind()
        check_new_name(self.game, "SCPT", name)
        add_script(self.game, name, source, definitions)
        return self[name]


def owners_of_all(game: CodeModel) -> dict[int, Owner | None]:
    """The owner of each code entry, by its number, found for all of them at once; without
    entries that several resources or places run, for which :attr:`Code.owner` chooses one."""
    found: dict[int, Owner | None] = dict.fromkeys(range(len(game.records.code)))
    for use in uses(game):
        if isinstance(use.code, Reference) and use.code.index in found:
            number = use.code.index
            if found[number] is not None:
                del found[number]
            else:
                found[number] = Owner(resource_of(game, use.chunk, use.record), use.place)
    return found
