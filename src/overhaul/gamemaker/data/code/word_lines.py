"""The lines of code with a word, of a game of which nothing is known yet.

Code that may have the word is read once, as all code is read first.  A line without numbers that
types may name is in the source as it is; of the numbers in the others the types are inferred from
what they need.  The rest of the code is not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from overhaul.document.protocol import Each
from overhaul.gamemaker.data.code.elsewhere import ReadLines, WordSought, read_lines
from overhaul.gamemaker.data.code.spelled import values_named
from overhaul.gml.decompiler import FirstText, parcels
from overhaul.gml.decompiler.types.provisional import Answers

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.code.model import CodeModel

#: processes read so many roots at a time
_PART: Final = 100
#: the numbers of lines, from 1 on, and their texts; None where they have to be read in the source
Lines: TypeAlias = "list[tuple[int, str]] | None"


def lines_in(
    game: CodeModel, entries: list[CodeEntry], word: str, *, any_case: bool, each: Each | None
) -> list[Lines]:
    """The lines of root entries that may have a word of ASCII letters, digits and underscores, or
    have it as a part of a longer one.

    ``entries`` are some of those in whose source :func:`~overhaul.gamemaker.data.code.spelled
    .entries_with` finds the word.  ``each`` may do the reading elsewhere.
    """
    unknown: list[Lines] = [None] * len(entries)
    if not entries:
        return unknown
    language = game.language
    decompiler = language.decompiled.decompiler
    if language.decompiled.remembered.inferred is not None or not decompiler.reads_alone:
        return unknown
    reader = decompiler.alone_reader()
    numbers = [reader.number_of(entry) for entry in entries]
    if reader.needs_all or not reader.is_much or not reader.is_few(set(numbers)):
        return unknown
    sought = WordSought(word, any_case, frozenset(values_named(game, word, any_case=any_case)))
    read = _read(game, numbers, sought, each)
    texts: list[FirstText | None] = []
    for number, (_, parcel) in zip(numbers, read, strict=True):
        reader.take(number, parcels.facts_of(parcel))
        texts += parcels.texts_of(parcel)
    there = [text for text in texts if text is not None]
    asked = {question.location for text in there for question in text.asked.questions}
    inferred = reader.types(asked, [text.asked.contents for text in there])
    if inferred is None:
        return unknown
    answers = Answers(language.context, inferred, decompiler.code.likely_fractions())
    made: list[Lines] = []
    for text, (found, _) in zip(texts, read, strict=True):
        spelled = None if text is None else text.asked.spelled(inferred, answers)
        if text is None or found is None or spelled is None:
            made.append(None)
        else:
            shown = text.asked.fill(text.text, spelled).split("\n") if found else []
            made.append(list(zip(found, shown, strict=True)))
    return made


def _read(
    game: CodeModel, numbers: list[int], sought: WordSought, each: Each | None
) -> list[ReadLines]:
    """The results of :func:`read_lines` for roots; for more than a few in several processes."""
    parts = [(numbers[at : at + _PART], sought) for at in range(0, len(numbers), _PART)]
    if each is None or len(parts) == 1:
        return [line for part in parts for line in read_lines(game, part)]
    # before other processes are made of this one
    game.language.decompiled.decompiler.code.likely_fractions()
    return [line for made in each(read_lines, parts) for line in made]
