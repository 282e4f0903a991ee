"""The contracts of codecs: what a class statement declares, and what it becomes in one version.

A *declared* codec stands in the annotations of a record.  :class:`FixedCodec` is one value of a
``struct`` format, and neighbours are merged into one ``struct`` call; a :class:`DeclaredCodec` is
*bound* to a version with the help of a :class:`Binder` and becomes a :class:`BoundCodec`, which
reads and writes.  A :class:`VariableCodec` is both: the same in every version.

A :class:`Scheme` says how values are shown in JSON and read back.
"""

from __future__ import annotations

import struct
from _thread import RLock
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from enum import IntEnum, IntFlag
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from overhaul.errors import FormatError
from overhaul.schema.conditions import Condition, When
from overhaul.schema.record import Record
from overhaul.schema.streams import AnyVersion, Buffer, Reader, Writer

#: A record as JSON-able data, by the names of its fields.
JsonFields: TypeAlias = dict[str, Any]


class FieldPlan(NamedTuple):
    """How a field of a record is shown in JSON; ``form`` shows its value."""

    name: str
    given: When | None
    default: object
    codec: FieldCodec
    form: Callable[[Any, Any, Scheme], object]


class Scheme:
    """How values are shown in JSON and read back, for one version of a format.

    ``show`` and ``read`` map the kind of a resolved field to a function from the value to
    JSON-able data and back.  ``omit_defaults`` leaves out fields that have their default value.
    """

    def __init__(
        self,
        version: AnyVersion = None,
        *,
        show: Mapping[str, Callable[[Any], object]] | None = None,
        read: Mapping[str, Callable[[Any], Any]] | None = None,
        omit_defaults: bool = False,
    ) -> None:
        self.version: AnyVersion = version
        self.show: Mapping[str, Callable[[Any], object]] = show or {}
        self.read: Mapping[str, Callable[[Any], Any]] = read or {}
        self.omit_defaults = omit_defaults
        #: how records of each class are shown, as far as any were
        self.plans: dict[type, list[FieldPlan]] = {}


def text_from_json(value: object) -> str:
    """A text from JSON; FormatError for anything else."""
    if not isinstance(value, str):
        raise FormatError(f"expected a text, got {value!r:.40}")
    return value


def bytes_from_json(value: object) -> bytes:
    """Bytes from their hexadecimal form in JSON; FormatError for anything else."""
    try:
        return bytes.fromhex(text_from_json(value))
    except (FormatError, ValueError):
        raise FormatError(f"expected hexadecimal bytes, got {value!r:.40}") from None


def object_of_json(value: object) -> JsonFields:
    """An object from JSON; FormatError for anything else."""
    if not isinstance(value, dict):
        raise FormatError(f"expected an object, got {value!r:.40}")
    return value


def list_of_json(value: object) -> list[object]:
    """A list from JSON; FormatError for anything else."""
    if not isinstance(value, list):
        raise FormatError(f"expected a list, got {value!r:.40}")
    return value


T = TypeVar("T")
R = TypeVar("R", bound=Record)


#: one thread makes codecs and generates their functions at a time
generating = RLock()
#: the code that is generated for a codec
_FUNCTIONS = frozenset({"read", "write", "read_flat", "write_flat"})


class Codec(Generic[R]):
    """How one record is read and written in one version.

    ``read(data, position, reader)`` returns the record and the position after it; ``write(writer,
    record)`` appends it.  ``minimum`` is the fewest bytes a record takes.  For records of fixed
    size ``flat_size`` is that size, and ``read_flat(data, position, count, reader)`` and
    ``write_flat(writer, records)`` handle many at once; for others it is 0. ``source`` is the
    generated code: what reads and what writes, each made when it is first used, as few programs do
    both with all records.  ``recursive``: a record may contain others of its class.
    """

    read: Callable[[Buffer, int, Reader], tuple[R, int]]
    write: Callable[[Writer, R], None]
    read_flat: Callable[[Buffer, int, int, Reader], list[R]]
    write_flat: Callable[[Writer, list[R]], None]

    def __init__(self, record: type[R], version: Hashable) -> None:
        self.record = record
        self.version = version
        self.minimum = 1
        self.flat_size = 0
        self.recursive = False
        #: generates the functions that read, or those that write, and puts them here
        self.generate: Callable[[bool], str] | None = None
        self._sources: dict[bool, str] = {}

    def __getattr__(self, name: str) -> object:
        """The functions, generated when one is first asked for."""
        if name not in _FUNCTIONS or self.generate is None:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        self._complete(name.startswith("write"))
        try:
            return vars(self)[name]
        except KeyError:
            record = self.record.__name__
            raise AttributeError(f"records {record} have no fixed size: no {name}") from None

    def _complete(self, writes: bool) -> None:
        with generating:
            if writes not in self._sources and self.generate is not None:
                self._sources[writes] = self.generate(writes)

    @property
    def source(self) -> str:
        """The generated code."""
        self._complete(False)
        self._complete(True)
        return self._sources[False] + self._sources[True]


class Binder(Protocol):
    """The context that declared codecs are bound with: the version, and the codecs of records in
    it."""

    #: the version, of the type that the format's conditions look at
    version: AnyVersion

    def codec(self, record: type[R], /) -> Codec[R]:
        """The codec of a record in this version; inside itself, one that is not finished yet."""

    def signature(self, record: type[Record], /) -> Hashable:
        """Equal for versions in which the record has the same layout."""


class BoundCodec(ABC, Generic[T]):
    """A field's codec for one version.

    ``minimum`` is the fewest bytes the field takes, 0 where that is not known.  ``needs`` are the
    names of earlier fields of the record whose values ``read`` and ``write`` get as further
    arguments.
    """

    minimum: int = 0
    needs: tuple[str, ...] = ()

    @abstractmethod
    def read(
        self, data: Buffer, position: int, reader: Reader, *needed: Any, **_: Any
    ) -> tuple[T, int]:
        """The value at ``position``, and the position after it.  Raises FormatError."""

    @abstractmethod
    def write(self, writer: Writer, value: T, *needed: Any, **_: Any) -> None:
        """Append a value.  Raises EncodeError."""

    def write_many(self, writer: Writer, values: list[T]) -> bool:
        """Append many values at once; returns False, with nothing appended, if that can't be."""
        return False


class FieldCodec:
    """A codec as a class statement declares it.

    ``needs`` names the earlier fields whose values it asks for.
    """

    needs: tuple[str, ...] = ()

    def type_name(self) -> str:
        """The type, as documentation shows it."""
        return type(self).__name__

    def signature(self, binder: Binder) -> Hashable:
        """Equal for versions in which the field is stored in the same way."""
        return None


class FixedCodec(FieldCodec):
    """A field of fixed size: one value of a struct format.

    ``kind`` names a table of the reader (and an encoder of the writer) through which the stored
    number is resolved; ``patched`` says that the number is a pointer or an index which the writer
    decides at the end.  ``names`` are names for its values; values without one are kept. ``shown``
    makes what the record's attribute shows of the value it holds.  ``boolean``: the number stands
    for False or True; ``name`` is what the documentation calls the type.
    """

    def __init__(
        self,
        format: str,
        name: str,
        *,
        kind: str | None = None,
        patched: bool = False,
        boolean: bool = False,
        names: type[IntEnum] | type[IntFlag] | None = None,
        shown: Callable[[Any], Any] | None = None,
    ) -> None:
        self.format = format
        self.name = name
        self.kind = kind
        self.patched = patched
        self.boolean = boolean
        self.names = names
        self.shown = shown
        self.size: int = struct.calcsize("<" + format)

    def type_name(self) -> str:
        return self.name

    def resolved_from_json(self, value: object) -> object:
        """A resolved value from JSON, where the scheme does not say how.  Raises FormatError."""
        return value


class DeclaredCodec(FieldCodec, ABC, Generic[T]):
    """A field whose codec depends on the version, or on the records in it."""

    @abstractmethod
    def bind(self, binder: Binder) -> BoundCodec[T]:
        """The codec for one version."""

    def signature(self, binder: Binder) -> Hashable:
        """The version itself, unless the codec knows better."""
        version: Hashable = binder.version
        return version

    def to_jsonable(self, value: T, scheme: Scheme) -> object:
        """The field as JSON-able data (see :mod:`overhaul.schema.jsonable`)."""
        return value

    def from_jsonable(self, value: Any, scheme: Scheme) -> T:
        """The field from JSON-able data.  Raises FormatError."""
        made: T = value
        return made


class VariableCodec(DeclaredCodec[T], BoundCodec[T]):
    """A field that reads and writes itself, by one rule for every version.

    Where it reads ``reader.version`` or ``writer.version`` itself, versions may share it.
    """

    def bind(self, binder: Binder) -> BoundCodec[T]:
        return self

    def signature(self, binder: Binder) -> Hashable:
        return None


class Deferred(FieldCodec):
    """A pointer in the record's fixed part; what it points to follows the record's last field.

    Deferred fields are laid out in their order of declaration.  A zero pointer is None (an absent
    structure).  ``align`` is applied before the target.  ``inner`` is what it points to.
    """

    def __init__(self, inner: DeclaredCodec[Any], *, align: int = 1) -> None:
        self.inner = inner
        self.align = align

    def type_name(self) -> str:
        return f"pointer to {self.inner.type_name()}"

    def signature(self, binder: Binder) -> Hashable:
        return self.inner.signature(binder)


class Either(FieldCodec):
    """A field stored in one of two ways, by the version.

    Where ``condition`` holds, it is ``then``, else ``otherwise``.
    """

    def __init__(self, condition: Condition, then: FieldCodec, otherwise: FieldCodec) -> None:
        self.condition = condition
        self.then = then
        self.otherwise = otherwise

    def type_name(self) -> str:
        return f"{self.condition.words}: {self.then.type_name()}; else {self.otherwise.type_name()}"

    def choose(self, version: object) -> FieldCodec:
        """The codec for a version."""
        return resolve(self.then if self.condition.holds(version) else self.otherwise, version)

    def signature(self, binder: Binder) -> Hashable:
        chosen = self.choose(binder.version)
        return id(chosen), chosen.signature(binder)


def resolve(codec: FieldCodec, version: object) -> FieldCodec:
    """The codec that a field has in a version."""
    return codec.choose(version) if isinstance(codec, Either) else codec
