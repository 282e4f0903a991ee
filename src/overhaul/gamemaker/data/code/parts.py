"""The facts that parts of a game's code show of its variables, kept in the user's cache folder.

A part is a few neighbouring roots. It is known by what its instructions mean, not by the numbers
that the file has for names, so that another build of the game finds the parts that did not
change. The facts follow from the code and from the names that mean the same everywhere: the name
of the file is a digest of these. Where a part ends follows from the names of roots, so that a
new root changes one part and not all.
"""

from __future__ import annotations

import hashlib
import logging
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from overhaul.document import caches
from overhaul.gamemaker.data.chunks.bytecode import join
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.context import GameNames
from overhaul.gamemaker.data.code.index import CodeIndex
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.context import Context, asset_types
from overhaul.gml.decompiler import parcels
from overhaul.gml.decompiler.types.facts import GameFacts
from overhaul.gml.decompiler.types.habits import Fractions
from overhaul.gml.vm.code import StringReference
from overhaul.gml.vm.columns import FUNCTION_BIT, NO_RECORD
from overhaul.gml.vm.opcodes import DataType, Opcode

logger: logging.Logger = logging.getLogger(__name__)

_ENDING: Final = "parts"
_MODULES: Final = ("gml", "gamemaker/data/code", "gamemaker/data/chunks")
#: a part has about so many roots
_ROOTS: Final = 16
#: so many times the parts of one build are kept, the latest first
_BUILDS: Final = 3
#: the names that a context has a meaning for
_KNOWN: Final = ("assets", "functions", "extension_functions", "macros", "enums")
_BUILT_IN: Final = ("builtin_functions", "builtin_variables", "builtin_constants")

_NAMES: Final = np.dtype(
    [("opcode", "u1"), ("type1", "u1"), ("type2", "u1"), ("size", "u1"), ("named", "u1"),
     ("value", "<i4"), ("kind", "<u4"), ("meaning", "<i8")]
)  # fmt: skip
_KIND: Final = 0xF8000000
_POP, _CALL, _BREAK = int(Opcode.POP), int(Opcode.CALL), int(Opcode.BREAK)
_VARIABLE, _STRING, _INT32 = int(DataType.VARIABLE), int(DataType.STRING), int(DataType.INT32)

_Numbers = npt.NDArray[np.int64]


class CodePart(NamedTuple):
    """Neighbouring roots from ``start`` to ``stop``; ``digest`` is None for a part that is not
    kept."""

    start: int
    stop: int
    digest: bytes | None


class CodeParts:
    """The parts of the code of a game that the cache knows, and those that are read now."""

    def __init__(
        self, context: Context, index: CodeIndex, digests: RootDigests, fractions: Fractions
    ) -> None:
        self.name: str = digest_of_names(context, fractions)
        self._roots: list[CodeEntry] = index.roots
        self._digests = digests
        #: the plain values of :mod:`parcels` as MessagePack, those of this build last
        self._known: dict[bytes, msgspec.Raw] = {}
        #: facts that stay as they are, for the build that is read next
        self._facts: dict[bytes, GameFacts] = {}
        self._is_new = False

    def begin(self, other: CodeParts | None) -> list[CodePart]:
        """All roots in parts; ``other`` is another build, whose parts are known if names mean the
        same there."""
        if other is not None and other.name == self.name:
            self._known, self._facts = dict(other._known), other._facts
        else:
            self._read()
        return self._all()

    def _read(self) -> None:
        content = caches.read(self.name, _ENDING)
        if content is not None:
            try:
                self._known = msgspec.msgpack.decode(content, type=dict[bytes, msgspec.Raw])
            except msgspec.DecodeError as error:
                logger.debug("a cache is no longer understood: %s", error)

    def _all(self) -> list[CodePart]:
        parts: list[CodePart] = []
        start = 0
        digests = self._digests.of_roots()
        for number, root in enumerate(self._roots, 1):
            name = str(root.name).encode("utf-8", "surrogatepass")
            if zlib.crc32(name) % _ROOTS == 0 or number == len(self._roots):
                own = digests[start:number]
                whole = None if None in own else hashlib.blake2b(b"".join(filter(None, own)))
                parts.append(
                    CodePart(start, number, None if whole is None else whole.digest()[:20])
                )
                start = number
        return parts

    def get(self, part: CodePart) -> tuple[GameFacts, msgspec.Raw] | None:
        """The facts of a part, if they are known, and the parcel of all."""
        if part.digest is None:
            return None
        raw = self._known.pop(part.digest, None)
        if raw is None:
            return None
        facts = self._facts.get(part.digest)
        try:
            facts = parcels.facts_of(raw) if facts is None else facts
        except (LookupError, msgspec.DecodeError) as error:
            logger.debug("a part in a cache is no longer understood: %s", error)
            return None
        self._known[part.digest] = raw
        return facts, raw

    def keep(
        self, part: CodePart, facts: GameFacts, packed: bytes, *, shared: bool
    ) -> parcels.Parcel:
        """Note what a part shows (``packed``: as :func:`parcels.pack` has it), and return the
        parcel that is kept; ``shared``: its facts stay as they are, for the build that is read
        next."""
        raw = parcels.for_files(packed)
        if part.digest is None or raw is None:
            return packed
        self._known.pop(part.digest, None)
        self._known[part.digest] = raw
        self._is_new = True
        if shared:
            self._facts[part.digest] = facts
        return raw

    def save(self, parts: Sequence[CodePart]) -> None:
        """Write what is known, if something was added; of other builds only the latest."""
        if not self._is_new:
            return
        self._is_new = False
        most = _BUILDS * len(parts)
        kept = dict(list(self._known.items())[-most:])
        caches.write(self.name, _ENDING, msgspec.msgpack.encode(kept))


def digest_of_names(context: Context, fractions: Fractions) -> str:
    """The digest of the names that mean the same in all code of a game, and of the way fractions
    are written in texts."""
    whole = hashlib.blake2b(caches.stamp_of(*_MODULES).encode("utf-8", "surrogateescape"))
    parts: list[object] = [context.dialect, context.configuration, sorted(context.globals)]
    parts += [list(getattr(context, name).items()) for name in _KNOWN]
    parts += [sorted(context.configured), list(context.asset_ids.items())]
    parts += [fractions.denominator, sorted(fractions.factors)]
    plain = type(context)()
    for name in _BUILT_IN:
        parts.append(sorted(getattr(plain, name).keys() - getattr(context, name).keys()))
    for part in parts:
        whole.update(repr(part).encode("utf-8", "surrogatepass"))
    return whole.hexdigest()[:40]


class RootDigests:
    """The digest of each root: of what its instructions mean, and of the functions inside. The
    digests of the code at the first question."""

    def __init__(self, game: GameModel, context: Context, index: CodeIndex) -> None:
        self._index = index
        self._names = GameNames(game, context)
        self._context = context
        self._counts = len(game.variables.items), len(game.functions.items), len(game.strings)
        self._known: list[bytes | None] | None = None

    def of_roots(self) -> list[bytes | None]:
        """The digests, None for roots whose instructions name something by its place in the
        file."""
        if self._known is None:
            roots = self._index.roots
            self._known = self._of_rows(*self._rows(roots)) if roots else []
        return self._known

    def _of_rows(
        self, rows: npt.NDArray[np.void], odd: npt.NDArray[np.bool_]
    ) -> list[bytes | None]:
        roots = self._index.roots
        sizes = [len(root.bytecode) for root in roots]
        ends = np.cumsum([0, *sizes]).tolist()
        odds = np.cumsum(np.concatenate([[0], odd]))[ends].tolist()
        data, width = memoryview(rows.tobytes()), rows.itemsize
        digests: list[bytes | None] = []
        for number, root in enumerate(roots):
            start, end = ends[number], ends[number + 1]
            if odds[number] != odds[number + 1] or root.bytecode.has_residue:
                digests.append(None)
                continue
            whole = hashlib.blake2b(self._head(root), digest_size=20)
            whole.update(data[start * width : end * width])
            digests.append(whole.digest())
        return digests

    def _head(self, root: CodeEntry) -> bytes:
        """The parts of a root besides its instructions."""
        inside = [
            (str(child.name), child.offset, child.locals_count, child.arguments)
            for child in self._index.children(root)
        ]
        parts = (
            str(root.name), root.bytecode.unreadable, root.locals_count, root.arguments, inside,
            self._index.local_names(str(root.name)),
        )  # fmt: skip
        return repr(parts).encode("utf-8", "surrogatepass")

    def _rows(self, roots: list[CodeEntry]) -> tuple[npt.NDArray[np.void], npt.NDArray[np.bool_]]:
        """The rows of all roots by what they mean, and which of them mean a place in the file."""
        code = join([root.bytecode for root in roots], views=True)
        columns, record = code.columns, code.record
        opcode, type1, operand = columns.opcode, columns.type1, columns.operand
        named, bare = record != NO_RECORD, (columns.size > 1) & (record == NO_RECORD)
        called, held = opcode == _CALL, (opcode == _POP) | (type1 == _VARIABLE)
        assets = bare & (opcode == _BREAK)
        texts = bare & (type1 == _STRING) & ~assets & ~called & ~held
        functions = named & ((record & FUNCTION_BIT) != 0)
        variables = named & ~functions
        odd = (bare & (called | held)) | (assets & self._are_scripts(operand))
        odd |= named & ~(called | held | (opcode == _BREAK) | (type1 == _INT32))
        rows = np.zeros(len(record), _NAMES)
        for name in ("opcode", "type1", "type2", "size", "value"):
            rows[name] = getattr(columns, name)
        rows["named"] = functions * 3 + variables * 2 + texts
        rows["kind"] = np.where(named, operand & _KIND, 0)
        meaning = np.where(named, 0, operand)
        ways = (
            (variables, record.astype(np.int64), self._counts[0], self._variable),
            (functions, record.astype(np.int64) & ~FUNCTION_BIT, self._counts[1], self._function),
            (texts, operand, self._counts[2], self._string),
        )
        for which, numbers, count, said in ways:
            wrong = which & ((numbers < 0) | (numbers >= count))
            odd |= wrong
            good = which & ~wrong
            used, back = np.unique(numbers[good], return_inverse=True)
            hashes = np.array(list(map(_hash, map(said, used.tolist()))), np.int64)
            if len(used):
                meaning[good] = hashes[back]
        rows["meaning"] = meaning
        return rows, odd

    def _are_scripts(self, operand: _Numbers) -> npt.NDArray[np.bool_]:
        """The operands of ``pushref`` that name a script, which may be a number of a text."""
        kinds = asset_types(self._context.dialect)
        scripts = [number for number, kind in kinds.items() if kind == "script"]
        return np.isin(operand >> 24, scripts)

    def _variable(self, number: int) -> str:
        name, kind = self._names.variable(number)
        return f"{name} {kind}"

    def _function(self, number: int) -> str:
        return self._names.function(number)

    def _string(self, number: int) -> str:
        text = self._names.string(number)
        return f"{number} {text}" if isinstance(text, StringReference) else f"- {text}"


@lru_cache(maxsize=1 << 14)  # two builds have mostly the same texts
def _hash(text: str) -> int:
    """A number for a text, the same in each process."""
    raw = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "little", signed=True)
