"""The codec generator: straight-line read and write functions for one record and one version.

Conditions on the version are resolved here, once; neighbouring fixed-size fields become one
``struct`` call.  The generated source stays readable in
:attr:`~overhaul.schema.codec.Codec.source`.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable
from dataclasses import replace
from typing import Any, TypeVar, cast

from overhaul.errors import EncodeError, FormatError
from overhaul.schema.codec import (
    BoundCodec,
    Codec,
    DeclaredCodec,
    Deferred,
    FixedCodec,
    generating,
    resolve,
)
from overhaul.schema.declaration import Field, fields_of
from overhaul.schema.exact import float_offsets, pack_exact, unpack_exact
from overhaul.schema.fields import CountedBytes
from overhaul.schema.lists import Counted
from overhaul.schema.record import Factory, Record, defaults_of
from overhaul.schema.streams import Buffer, Reader

T = TypeVar("T")
R = TypeVar("R", bound=Record)
#: A record class, and a version or what is the same for versions of one layout.
_Key = tuple[type[Record], Hashable]

_codecs: dict[_Key, Codec[Any]] = {}
_by_signature: dict[_Key, Codec[Any]] = {}
_unfinished: set[Codec[Any]] = set()
_signatures: dict[_Key, Hashable] = {}
#: records whose signature is being made
_unsigned: set[_Key] = set()


def codec_for(record: type[R], version: Hashable = None) -> Codec[R]:
    """The codec of a record class for one version, generated on first use.

    Versions that do not differ in anything the record holds share one codec.
    """
    key = (record, version)
    codec = _codecs.get(key)
    if codec is not None and codec not in _unfinished:
        return codec
    with generating:  # an unfinished codec is for the thread that makes it
        return _codec_for(record, version)


def _codec_for(record: type[R], version: Hashable) -> Codec[R]:
    key = (record, version)
    codec = _codecs.get(key)
    if codec is not None:
        if codec in _unfinished:
            codec.recursive = True
        return codec
    signature = (record, signature_of(record, version))
    codec = _by_signature.get(signature)
    if codec is None:
        codec = Codec(record, version)
        _unfinished.add(codec)
        _by_signature[signature] = _codecs[key] = codec
        try:
            _Generator(codec).generate()
        except BaseException:
            del _codecs[key], _by_signature[signature]
            raise
        finally:
            _unfinished.discard(codec)
    _codecs[key] = codec
    return codec


class VersionBinder:
    """Binds declared codecs to one version (see :class:`~overhaul.schema.codec.Binder`)."""

    def __init__(self, version: Hashable) -> None:
        self.version = version

    def codec(self, record: type[R], /) -> Codec[R]:
        """The codec of a record in this version."""
        return codec_for(record, self.version)

    def signature(self, record: type[Record], /) -> Hashable:
        """Equal for versions in which the record has the same layout."""
        return signature_of(record, self.version)


def bind(codec: DeclaredCodec[T], version: Hashable = None) -> BoundCodec[T]:
    """A declared codec, bound to a version: for codecs that stand in no record."""
    return codec.bind(VersionBinder(version))


def signature_of(record: type[Record], version: Hashable) -> Hashable:
    """A key for the layouts of a record: equal for versions with the same layout."""
    key = (record, version)
    if key in _signatures:
        return _signatures[key]
    with generating:
        if key in _unsigned:
            return record.__qualname__
        _unsigned.add(key)  # for a record inside itself
        try:
            binder = VersionBinder(version)
            _signatures[key] = tuple(
                (field.aligned(version), field.codec.signature(binder))
                if field.present(version)
                else None
                for field in fields_of(record)
            )
        finally:
            _unsigned.discard(key)
        return _signatures[key]


def locate_error(
    error: FormatError,
    reader: Reader,
    layout: struct.Struct,
    data: Buffer,
    position: int,
    suspects: tuple[tuple[str, int, int, str], ...],
) -> FormatError:
    """Give a failed look-up its field and offset: the first suspect whose number is unknown."""
    values = layout.unpack_from(data, position)
    for name, index, offset, kind in suspects:
        try:
            reader.tables[kind][values[index]]
        except FormatError:
            error.offset = position + offset
            error.source = reader.source
            return error.within(name)
    return error


class _Generator:
    def __init__(self, codec: Codec[Any]) -> None:
        self.codec = codec
        self.version = codec.version
        self.fields = [
            replace(field, codec=resolve(field.codec, codec.version))
            for field in fields_of(codec.record)
            if field.present(codec.version)
        ]
        self.names: dict[str, Any] = {
            "R": codec.record,
            "StructError": struct.error,
            "FormatError": FormatError,
            "EncodeError": EncodeError,
            "unpack_exact": unpack_exact,
            "pack_exact": pack_exact,
            "locate_error": locate_error,
        }
        self.lines: list[str] = []
        self.bound: dict[str, BoundCodec[Any]] = {}
        #: the lengths that are written as counts
        self.counts = {f.name: self.count_of(f) for f in self.fields if f.counts is not None}

    def value_of(self, name: str) -> str:
        """The value that is written for a field."""
        return self.counts.get(name, f"value.{name}")

    def count_of(self, field: Field) -> str:
        """The length that a count follows from.  Raises TypeError where it does not follow."""
        assert field.counts is not None
        counted, unit = field.counts
        other = next((f for f in self.fields if f.name == counted), None)
        codec = None if other is None or other.given is not None else other.codec
        if isinstance(codec, (Counted, CountedBytes)) and codec.count is None:
            size = codec.unit if isinstance(codec, CountedBytes) else 1
            if (codec.needs, size) == ((field.name,), unit):
                return f"len(value.{counted})" + (f" // {unit}" if unit > 1 else "")
        raise TypeError(f"{self.codec.record.__name__}.{field.name} is not the count of {counted}")

    # -- shared ------------------------------------------------------------------------------

    def constant(self, prefix: str, value: object) -> str:
        name = f"{prefix}{len(self.names)}"
        self.names[name] = value
        return name

    def emit(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def generate(self) -> None:
        minimum = 0
        for field in self.fields:
            codec = field.codec
            if isinstance(codec, FixedCodec):
                size = codec.size
            elif isinstance(codec, Deferred):
                self.bound[field.name] = bind(codec.inner, self.version)
                size = 4
            else:
                bound = bind(cast("DeclaredCodec[Any]", codec), self.version)
                self.bound[field.name] = bound
                size = bound.minimum
            if field.given is None:
                minimum += size
        self.codec.minimum = max(1, minimum)
        flat = bool(self.fields) and all(
            isinstance(f.codec, FixedCodec)
            and f.given is None
            and f.counts is None
            and not f.aligned(self.version)
            for f in self.fields
        )
        if flat:
            self.codec.flat_size = minimum
        self.codec.generate = self._make

    def _make(self, writes: bool) -> str:
        """Make the functions that read, or those that write; return their source."""
        self.lines = []
        if writes:
            self._emit_write()
            if self.codec.flat_size:
                self._emit_write_flat()
        else:
            self._emit_read()
            if self.codec.flat_size:
                self._emit_read_flat()
        source = "\n".join(self.lines) + "\n"
        record = self.codec.record
        exec(compile(source, f"<codec of {record.__name__}>", "exec"), self.names)
        for name in ("write", "write_flat") if writes else ("read", "read_flat"):
            if name in self.names:
                setattr(self.codec, name, self.names[name])
        return source

    def kinds(self) -> dict[str, str]:
        """Local names for the tables that fixed fields are resolved through."""
        types: dict[str, str] = {}
        for field in self.fields:
            kind = field.codec.kind if isinstance(field.codec, FixedCodec) else None
            if kind is not None and kind not in types:
                types[kind] = str(len(types))
        return types

    def runs(self) -> list[list[Field] | Field]:
        """The fields, with neighbouring fixed ones (and deferred pointers) in one list."""
        stretches: list[list[Field] | Field] = []
        run: list[Field] = []
        for field in self.fields:
            simple = isinstance(field.codec, (FixedCodec, Deferred)) and field.given is None
            if run and (not simple or field.aligned(self.version)):
                stretches.append(run)
                run = []
            if simple:
                run.append(field)
            else:
                stretches.append(field)
        if run:
            stretches.append(run)
        return stretches

    @staticmethod
    def format_of(run: list[Field]) -> str:
        return "<" + "".join(
            f.codec.format if isinstance(f.codec, FixedCodec) else "I" for f in run
        )

    def constructor(self) -> str:
        """``R(...)`` with every field by position; absent ones by their default."""
        stored = {field.name for field in self.fields}
        arguments = []
        defaults = defaults_of(self.codec.record)
        for name in self.codec.record.__struct_fields__:
            if name in stored:
                arguments.append(f"v_{name}")
            else:
                arguments.append(self.default(defaults.get(name)))
        return f"R({', '.join(arguments)})"

    def default(self, default: object) -> str:
        if isinstance(default, Factory):
            return f"{self.constant('D', default.make)}()"
        if default is None or isinstance(default, (bool, int)):
            return repr(default)
        return self.constant("D", default)

    # -- reading -----------------------------------------------------------------------------

    def _emit_read(self) -> None:
        self.emit(0, "def read(data, position, reader):")
        kinds = self.kinds()
        for kind, number in kinds.items():
            self.emit(1, f"T{number} = reader.tables[{kind!r}]")
        if self.codec.recursive:
            self.emit(1, "reader.enter(position)")
        self.emit(1, "try:")
        for part in self.runs():
            first = part[0] if isinstance(part, list) else part
            if to := first.aligned(self.version):
                self.emit(2, f"position = reader.skip_padding(data, position, {to})")
            if isinstance(part, list):
                self._read_run(part, kinds)
            else:
                self._read_single(part, kinds)
        for field in self.fields:
            if isinstance(field.codec, Deferred):
                self._read_deferred(field)
        self.emit(2, f"return {self.constructor()}, position")
        self.emit(1, "except StructError:")
        self.emit(2, "raise reader.truncated(data, position) from None")
        if self.codec.recursive:
            self.emit(1, "finally:")
            self.emit(2, "reader.depth -= 1")

    def _read_run(self, run: list[Field], kinds: dict[str, str], indent: int = 2) -> None:
        layout = struct.Struct(self.format_of(run))
        name = self.constant("S", layout)
        self.names[name + "_unpack"] = layout.unpack_from
        targets = "".join(
            (f"p_{f.name}, " if isinstance(f.codec, Deferred) else f"v_{f.name}, ") for f in run
        )
        self.emit(indent, f"{targets}= {name}_unpack(data, position)")
        floats = [f"v_{run[index].name}" for index, _ in float_offsets(layout.format)]
        if floats:
            total = " + ".join(floats)
            self.emit(indent, f"if {total} != {total}:")
            self.emit(indent + 1, f"{targets}= unpack_exact({name}, data, position)")
        resolved = [f for f in run if isinstance(f.codec, FixedCodec) and f.codec.kind]
        if resolved:
            suspects = []
            offset = 0
            for index, field in enumerate(run):
                codec = field.codec
                if isinstance(codec, FixedCodec):
                    if codec.kind:
                        suspects.append((field.name, index, offset, codec.kind))
                    offset += codec.size
                else:
                    offset += 4
            blamed = self.constant("B", tuple(suspects))
            self.emit(indent, "try:")
            for field in resolved:
                assert isinstance(field.codec, FixedCodec) and field.codec.kind
                table = f"T{kinds[field.codec.kind]}"
                self.emit(indent + 1, f"v_{field.name} = {table}[v_{field.name}]")
            self.emit(indent, "except FormatError as error:")
            self.emit(
                indent + 1,
                f"raise locate_error(error, reader, {name}, data, position, {blamed}) from None",
            )
        self.emit(indent, f"position += {layout.size}")

    def _read_single(self, field: Field, kinds: dict[str, str]) -> None:
        indent = 2
        if field.given is not None:
            test = self.constant("G", field.given.holds)
            self.emit(2, f"if {test}(v_{field.given.field}):")
            indent = 3
        if isinstance(field.codec, (FixedCodec, Deferred)):
            self._read_run([field], kinds, indent)
        else:
            codec = self.constant("F", self.bound[field.name].read)
            needs = "".join(f", v_{need}" for need in self.bound[field.name].needs)
            self.emit(indent, "try:")
            self.emit(
                indent + 1, f"v_{field.name}, position = {codec}(data, position, reader{needs})"
            )
            self.emit(indent, "except FormatError as error:")
            self.emit(indent + 1, f"raise error.within({field.name!r}) from None")
        if field.given is not None:
            self.emit(2, "else:")
            if isinstance(field.codec, Deferred):
                self.emit(3, f"p_{field.name} = 0")
            else:
                self.emit(3, f"v_{field.name} = {self.default(field.default)}")

    def _read_deferred(self, field: Field) -> None:
        assert isinstance(field.codec, Deferred)
        inner = self.bound[field.name]
        codec = self.constant("F", inner.read)
        needs = "".join(f", v_{need}" for need in inner.needs)
        name = field.name
        self.emit(2, f"if p_{name}:")
        self.emit(3, "try:")
        self.emit(
            4,
            f"position = reader.follow(data, p_{name}, position, {field.codec.align})",
        )
        self.emit(4, f"v_{name}, position = {codec}(data, position, reader{needs})")
        self.emit(3, "except FormatError as error:")
        self.emit(4, f"raise error.within({name!r}) from None")
        self.emit(2, "else:")
        self.emit(3, f"v_{name} = None")

    def _emit_read_flat(self) -> None:
        layout = struct.Struct(self.format_of(self.fields))
        name = self.constant("S", layout)
        kinds = self.kinds()
        self.emit(0, "def read_flat(data, position, count, reader):")
        for kind, number in kinds.items():
            self.emit(1, f"T{number} = reader.tables[{kind!r}]")
        floats = [f"v_{self.fields[index].name}" for index, _ in float_offsets(layout.format)]
        targets = "".join(f"v_{f.name}, " for f in self.fields)
        made = self.constructor()
        for field in self.fields:
            codec = field.codec
            if isinstance(codec, FixedCodec) and codec.kind:
                table = f"T{kinds[codec.kind]}"
                made = made.replace(f"v_{field.name},", f"{table}[v_{field.name}],", 1)
                made = made.replace(f"v_{field.name})", f"{table}[v_{field.name}])", 1)
        rows = f"{name}.iter_unpack(data[position:position + {layout.size} * count])"
        if not floats:
            self.emit(1, f"return [{made} for {targets}in {rows}]")
            return
        total = " + ".join(floats)
        self.emit(1, "items = []")
        self.emit(1, "append = items.append")
        self.emit(1, f"for {targets}in {rows}:")
        self.emit(2, f"if {total} != {total}:")
        self.emit(
            3,
            f"{targets}= unpack_exact({name}, data, position + {layout.size} * len(items))",
        )
        self.emit(2, f"append({made})")
        self.emit(1, "return items")

    # -- writing -----------------------------------------------------------------------------

    def _prepare_write(self, kinds: dict[str, str]) -> None:
        patched = {
            f.codec.kind for f in self.fields if isinstance(f.codec, FixedCodec) and f.codec.patched
        }
        self.emit(1, "out = writer.out")
        for kind, number in kinds.items():
            self.emit(1, f"E{number} = writer.encoders[{kind!r}]")
            if kind in patched:
                self.emit(1, f"N{number} = writer.noted({kind!r})")

    def _expression(self, field: Field, kinds: dict[str, str]) -> str:
        codec = field.codec
        if isinstance(codec, Deferred):
            return "0"
        assert isinstance(codec, FixedCodec)
        if codec.kind:
            return f"E{kinds[codec.kind]}({self.value_of(field.name)})"
        return self.value_of(field.name)

    def _emit_write(self) -> None:
        kinds = self.kinds()
        self.emit(0, "def write(writer, value):")
        self._prepare_write(kinds)
        self.emit(1, "try:")
        self.emit(2, "pass")
        for part in self.runs():
            first = part[0] if isinstance(part, list) else part
            if to := first.aligned(self.version):
                self.emit(2, f"out += bytes(-len(out) % {to})")
            if isinstance(part, list):
                self._write_run(part, kinds)
            else:
                self._write_single(part, kinds)
        for field in self.fields:
            if isinstance(field.codec, Deferred):
                self._write_deferred(field)
        self.emit(1, "except StructError as error:")
        self.emit(2, "raise writer.encode_error(value, error) from None")

    def _write_run(self, run: list[Field], kinds: dict[str, str], indent: int = 2) -> None:
        layout = struct.Struct(self.format_of(run))
        name = self.constant("S", layout)
        self.names[name + "_pack"] = layout.pack
        offset = 0
        notes: list[str] = []
        for field in run:
            codec = field.codec
            if isinstance(codec, Deferred):
                notes.append(f"at_{field.name} = base + {offset}")
                offset += 4
                continue
            assert isinstance(codec, FixedCodec)
            if codec.patched and codec.kind:
                notes.append(f"N{kinds[codec.kind]}.append(base + {offset})")
            offset += codec.size
        if notes:
            self.emit(indent, "base = len(out)")
        arguments = ", ".join(self._expression(field, kinds) for field in run)
        floats = [f"value.{run[index].name}" for index, _ in float_offsets(layout.format)]
        if floats:
            total = " + ".join(floats)
            self.emit(indent, f"if {total} != {total}:")
            self.emit(indent + 1, f"out += pack_exact({name}, ({arguments},))")
            self.emit(indent, "else:")
            self.emit(indent + 1, f"out += {name}_pack({arguments})")
        else:
            self.emit(indent, f"out += {name}_pack({arguments})")
        for note in notes:
            self.emit(indent, note)

    def _write_single(self, field: Field, kinds: dict[str, str]) -> None:
        indent = 2
        if field.given is not None:
            test = self.constant("G", field.given.holds)
            self.emit(2, f"if {test}({self.value_of(field.given.field)}):")
            indent = 3
        if isinstance(field.codec, (FixedCodec, Deferred)):
            self._write_run([field], kinds, indent)
            return
        codec = self.constant("W", self.bound[field.name].write)
        needs = "".join(f", {self.value_of(need)}" for need in self.bound[field.name].needs)
        self.emit(indent, "try:")
        self.emit(indent + 1, f"{codec}(writer, value.{field.name}{needs})")
        self.emit(indent, "except EncodeError as error:")
        self.emit(indent + 1, f"raise error.within({field.name!r}) from None")

    def _write_deferred(self, field: Field) -> None:
        assert isinstance(field.codec, Deferred)
        inner = self.bound[field.name]
        codec = self.constant("W", inner.write)
        needs = "".join(f", {self.value_of(need)}" for need in inner.needs)
        name = field.name
        test = f"value.{name} is not None"
        if field.given is not None:
            test += (
                f" and {self.constant('G', field.given.holds)}({self.value_of(field.given.field)})"
            )
        self.emit(2, f"if {test}:")
        if field.codec.align > 1:
            self.emit(3, f"out += bytes(-len(out) % {field.codec.align})")
        self.emit(3, f"writer.point(at_{name}, writer.position)")
        self.emit(3, "try:")
        self.emit(4, f"{codec}(writer, value.{name}{needs})")
        self.emit(3, "except EncodeError as error:")
        self.emit(4, f"raise error.within({name!r}) from None")

    def _emit_write_flat(self) -> None:
        layout = struct.Struct(self.format_of(self.fields))
        name = self.constant("S", layout)
        kinds = self.kinds()
        self.emit(0, "def write_flat(writer, items):")
        self._prepare_write(kinds)
        self.emit(1, "base = len(out)")
        arguments = ", ".join(self._expression(field, kinds) for field in self.fields)
        packed = f"{name}.pack({arguments})"
        floats = [f"value.{self.fields[index].name}" for index, _ in float_offsets(layout.format)]
        if floats:
            total = " + ".join(floats)
            packed = f"{packed} if {total} == {total} else pack_exact({name}, ({arguments},))"
        self.emit(1, "try:")
        self.emit(2, f"out += b''.join([{packed} for value in items])")
        self.emit(1, "except StructError as error:")
        self.emit(2, "raise writer.encode_error(items[0], error) from None")
        offset = 0
        for field in self.fields:
            codec = field.codec
            assert isinstance(codec, FixedCodec)
            if codec.patched and codec.kind:
                self.emit(
                    1,
                    f"N{kinds[codec.kind]}.extend(range(base + {offset}, len(out), {layout.size}))",
                )
            offset += codec.size
