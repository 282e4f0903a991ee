"""The decompiler of a game: in one context, with types inferred from all entries."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from overhaul.errors import OverhaulError
from overhaul.gml.decompiler import conclude, read_facts
from overhaul.gml.decompiler.doubts import doubts_of, weigh
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.types.facts import NOTHING, InferredTypes
from overhaul.gml.roundtrip import analyse, choose
from overhaul.gml.syntax.printer import to_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from overhaul.document.protocol import Each
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gml.context import Context
    from overhaul.gml.decompiler import Decompiled
    from overhaul.gml.decompiler.doubts import Doubtful, Weighed
    from overhaul.gml.decompiler.types.facts import GameFacts
    from overhaul.gml.vm.code import Code


logger: logging.Logger = logging.getLogger(__name__)

#: as many instructions are worth the start of processes
_MUCH = 30_000
#: in how many parts they read them
_SPANS = 16


class GameDecompiler:
    """Decompiles the entries of a game in one context, with types inferred from all of them.

    ``roots`` are the game's entries with bytecode of their own, ``read`` gives their code.
    """

    def __init__(
        self, context: Context, roots: list[CodeEntry], read: Callable[[CodeEntry], Code]
    ) -> None:
        self._context = context
        self._roots = roots
        self._read = read
        self._learned = False
        #: what the code of the game shows; nothing before :meth:`learn`
        self.inferred: InferredTypes = NOTHING
        self._weighed: Weighed | None = None
        #: whether what each root shows is kept, by its name, for the decompiler of another build
        self.keeps = False
        self._kept: dict[str, tuple[CodeEntry, GameFacts]] = {}
        #: the decompiler of another build, and which code is the same there
        self.siblings: tuple[GameDecompiler, Callable[[CodeEntry, CodeEntry], bool]] | None = None

    def source(
        self, entry: CodeEntry, options: DecompileOptions = DEFAULT
    ) -> tuple[str, list[str]]:
        """The source of a root entry (for a child: of its root), and why some parts of it are
        assembly in comments."""
        self.learn()
        return self._printed(self._analyse(entry, options))

    def source_alone(self, entry: CodeEntry) -> tuple[str, list[str]] | None:
        """As :meth:`source` without inferred types; None once types were inferred."""
        if self._learned:
            return None
        return self._printed(self._analyse(entry, DEFAULT))

    def _analyse(self, entry: CodeEntry, options: DecompileOptions) -> Decompiled:
        return analyse(self._read(entry), self._context, options, self.inferred)

    def _printed(self, made: Decompiled) -> tuple[str, list[str]]:
        return to_source(made.block, self._context.dialect), made.problems

    def tree(self, entry: CodeEntry) -> Decompiled:
        """The tree of :meth:`source`."""
        self.learn()
        return self._analyse(entry, DEFAULT)

    def doubtful(self, entry: CodeEntry) -> Doubtful:
        """The source of a root entry, with the numbers in it that may stand for assets."""
        self.learn()
        if self._weighed is None:
            self._weighed = weigh(self._readable(self._roots), self._context, self.inferred)
        code = self._read(entry)
        choices = choose(code, self._context, self.inferred)
        return doubts_of(code, self._context, self._weighed, choices, self.inferred)

    def learn(self, each: Each | None = None) -> None:
        """Infer types from all of the game's code, once: more numbers become names.

        ``each(task, spans)`` may do the reading elsewhere: it gives ``task(game, span)`` for each
        span, in order.
        """
        if self._learned:
            return
        self._learned = True
        sizes = [len(root.bytecode) for root in self._roots]
        if self.keeps or self.siblings is not None:
            parts: Iterable[GameFacts] = (facts.copied() for facts in self._facts_of_each())
        elif each is None or sum(sizes) < _MUCH:
            parts = [self.facts((0, len(sizes)))]
        else:
            parts = each(read_span, spans_of(sizes))
        self.inferred = conclude(parts, self._context)

    def facts(self, span: tuple[int, int]) -> GameFacts:
        """The facts that some of the roots give, by the roots' numbers."""
        return read_facts(self._readable(self._roots[slice(*span)]), self._context)

    def _facts_of_each(self) -> Iterator[GameFacts]:
        """The facts of each root; for code that is the same in another build, the facts of that
        build."""
        other, self.siblings = self.siblings, None
        if other is not None and not other[0]._context.reads_like(self._context):
            other = None
        for root in self._roots:
            name = str(root.name)
            like = None if other is None else other[0]._kept.get(name)
            if other is not None and like is not None and other[1](like[0], root):
                facts = like[1]
            else:
                facts = read_facts(self._readable([root]), self._context)
            if self.keeps:
                self._kept[name] = root, facts
            yield facts

    def _readable(self, roots: list[CodeEntry]) -> Iterator[Code]:
        for root in roots:
            try:
                yield self._read(root)
            except OverhaulError as error:  # reported wherever the entry itself is asked for
                logger.debug("no types are inferred from %s: %s", root.name, error)

    def learn_as(self, before: GameDecompiler) -> None:
        """Take over what another decompiler inferred before code changed. It only names numbers and
        little of it changes, and inferring again after each change would take long."""
        if before._learned:
            self._learned = True
            self.inferred = before.inferred


def read_span(game: Any, span: tuple[int, int]) -> GameFacts:
    """:meth:`GameDecompiler.facts` of a game, for another process."""
    facts: GameFacts = game.language.decompiler.facts(span)
    return facts


def spans_of(sizes: list[int]) -> list[tuple[int, int]]:
    """Neighbouring roots of these sizes, in some spans of about the same size."""
    spans = []
    start, size = 0, 0
    for number, places in enumerate(sizes, 1):
        size += places
        if size * _SPANS >= sum(sizes) or number == len(sizes):
            spans.append((start, number))
            start, size = number, 0
    return spans
