"""Which sources compile to the code that they were made of, kept in the user's cache folder.

Another build of a game has most of its code, with other numbers for names. Compiling goes by
names, so a source that compiles to its code in one build does so in the next one, where both say
the same and nothing that names mean changed. The cache keeps a digest of the code and the
source.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from overhaul.document import caches
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.index import CodeIndex
from overhaul.gamemaker.data.code.parts import RootDigests, digest_of_names
from overhaul.gamemaker.data.code.plain_names import PlainlyNamed
from overhaul.gml.context import Context
from overhaul.gml.decompiler.types.habits import REDUCED

_ENDING: Final = "compiled"
#: so many bytes stand for a source with its code
_SIZE: Final = 20
#: so many sources are compiled in less time than all code takes to be looked at
_FEW: Final = 100
#: so many are kept for each root that the game has
_BUILDS: Final = 3


class Verdicts:
    """The sources of a game, and of other builds of it, that compile to their code."""

    def __init__(
        self,
        context: Context,
        index: CodeIndex,
        digests: RootDigests,
        plain: Callable[[], PlainlyNamed],
    ) -> None:
        self._context, self._index = context, index
        self._digests, self._plain = digests, plain
        self._known: dict[bytes, None] | None = None
        self._new: dict[int, tuple[CodeEntry, Bytecode, str]] = {}
        self._name = ""
        self._asked = 0

    def expect_all(self) -> None:
        """Read the known sources at once: a command asks for most of them."""
        self._asked = _FEW
        if self._known is None:
            self._known = self._read()
        if self._known:
            self._digests.of_roots()

    def knows(self, root: CodeEntry, source: str) -> bool:
        """Whether a source is known to compile to the code of a root entry; of the first few it is
        not looked at."""
        self._asked += 1
        if self._asked <= _FEW:
            return False
        if self._known is None:
            self._known = self._read()
        return bool(self._known) and self._key(root, source) in self._known

    def add(self, root: CodeEntry, source: str) -> None:
        """Note that a source compiles to the code of a root entry."""
        self._new[id(root)] = root, root.bytecode, source

    def save(self) -> None:
        """Write the verdicts, the latest last, if many were added."""
        if len(self._new) <= _FEW:
            return
        known = self._read() if self._known is None else self._known
        count = len(known)
        for root, bytecode, source in self._new.values():
            key = self._key(root, source) if root.bytecode is bytecode else None
            if key is not None:
                known.pop(key, None)
                known[key] = None
        self._new = {}
        if len(known) > count:
            most = _BUILDS * len(self._index.roots)
            caches.write(self._name, _ENDING, b"".join(list(known)[-most:]))

    def _read(self) -> dict[bytes, None]:
        if not self._name:
            self._name = digest_of_names(self._context, REDUCED)
        whole = caches.read(self._name, _ENDING) or b""
        return {whole[at : at + _SIZE]: None for at in range(0, len(whole), _SIZE)}

    def _key(self, root: CodeEntry, source: str) -> bytes | None:
        """The key of a source with its code; None for code that shows more than names say, and
        code that was changed."""
        number = self._index.root_numbers.get(id(root))
        digest = None if number is None else self._digests.of_roots()[number]
        if digest is None or root.bytecode.place() is None or root not in self._plain():
            return None
        whole = hashlib.blake2b(digest, digest_size=_SIZE)
        whole.update(source.encode("utf-8", "surrogatepass"))
        return whole.digest()
