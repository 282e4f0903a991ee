"""Words for messages: suggestions for unknown names, texts cut to a line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

#: the most names that are searched for one like a misspelt one
_SEARCHED = 20_000
#: how much of two names has to be the same
_CLOSE = 0.8
_SHARED = _CLOSE / 2
_ROUNDING = 1e-9
#: so many different letters have a bit each
_MOST_LETTERS = 63

#: nouns whose plural is not their singular with an s
_PLURALS = {
    "code entry": "code", "inventory": "inventory", "settings": "settings",
    "information": "information", "options": "options", "gui": "guis", "project": "project",
    "sound data": "sound data", "data": "data",
}  # fmt: skip


def plural(noun: str) -> str:
    """The plural of the name of a kind: ``entries``, ``sprites``; of code entries ``code``."""
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    if noun.endswith(("x", "ch", "sh")):
        return f"{noun}es"
    return noun if noun.endswith("s") else f"{noun}s"


def with_article(noun: str) -> str:
    """``a frame``, ``an object``."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def counted(count: int, noun: str) -> str:
    """``1 frame``, ``2 frames``, ``3 code entries``."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} code entries" if noun == "code entry" else f"{count} {plural(noun)}"


def listed(names: Sequence[str], most: int = 8) -> str:
    """The first names of some, consecutively."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def some_of(names: Sequence[str], most: int = 3) -> str:
    """The first names of some, and how many more there are: ``a, b, c and 4 more``."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def cut(text: str, longest: int = 50) -> str:
    """A text on one line, at most this long."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 3] + "..."


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like another; None if none is close."""
    lower = {other.lower(): other for other in known if other != name}
    match = lower.get(name.lower())
    if match is None and len(lower) <= _SEARCHED:
        nearest = _nearest(name.lower(), lower)
        match = None if nearest is None else lower[nearest]
    return None if match is None else str(match)


def _nearest(word: str, others: Iterable[str]) -> str | None:
    """``get_close_matches(word, others, 1, 0.8)`` of difflib.

    The ratio of two words is that of the characters that they share to the half of all.  Words
    whose lengths or sets of characters leave too few to share are not compared.
    """
    from difflib import SequenceMatcher  # start-up: for errors only

    size, letters = len(word), set(word)
    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    best: tuple[float, str] | None = None
    for other in others:
        length = len(other)
        least = _SHARED * (size + length) - _ROUNDING
        if size < least or length < least or len(letters.difference(other)) > size - least:
            continue
        if len(set(other).difference(letters)) > length - least:
            continue
        matcher.set_seq1(other)
        if matcher.quick_ratio() >= _CLOSE:
            ratio = matcher.ratio()
            if ratio >= _CLOSE and (best is None or (ratio, other) > best):
                best = ratio, other
    return None if best is None else best[1]


class _Letters(NamedTuple):
    """The lengths of words, their letters as bits, and how many different ones these are."""

    lengths: npt.NDArray[np.int64]
    letters: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int64]


class Near:
    """:func:`closest` for many names: the known ones are looked through once.

    Each name is compared only with those that have about as many characters, and the same.
    """

    def __init__(self, known: Iterable[str]) -> None:
        #: the spellings of each name in small letters, the last of :func:`closest` last
        self._spelled: dict[str, list[str]] = {}
        for name in known:
            spellings = self._spelled.setdefault(name.lower(), [])
            if name in spellings:
                spellings.remove(name)
            spellings.append(name)
        self._words: list[str] = list(self._spelled)
        self._bits: dict[str, int] = {}
        self._table: _Letters | None = None

    def __contains__(self, word: str) -> bool:
        """Whether a name is known, whatever letters of it are capital."""
        return word.lower() in self._spelled

    def closest(self, name: str, further: Collection[str] = ()) -> str | None:
        """The known name, or one of ``further`` ones, that is most like another; None if none is
        close.  The further ones are not among the known ones."""
        word = name.lower()
        more = {other.lower(): other for other in further if other != name}
        own = self._spelling(word, name)
        if word in more or own is not None:
            return more.get(word, own)
        if len(self._spelled) - (word in self._spelled) + len(more) > _SEARCHED:
            return None
        nearest = _nearest(word, (*self._alike(word), *more))
        return None if nearest is None else more.get(nearest) or self._spelling(nearest, name)

    def _spelling(self, word: str, name: str) -> str | None:
        """How a known word is spelled, if not as a name is."""
        return next((s for s in reversed(self._spelled.get(word, ())) if s != name), None)

    def _alike(self, word: str) -> list[str]:
        """The known words that may be close to one, by their lengths and letters."""
        import numpy as np  # start-up: for many errors only

        if self._table is None:
            masks = [self._mask(other) for other in self._words]
            if len(self._bits) > _MOST_LETTERS:
                masks = [0] * len(masks)  # these are compared one by one
            lengths = np.array([*map(len, self._words)], np.int64)
            sizes = np.array([*map(int.bit_count, masks)], np.int64)
            self._table = _Letters(lengths, np.array(masks, np.uint64), sizes)
        lengths, letters, counts = self._table
        size = len(word)
        least = _SHARED * (size + lengths) - _ROUNDING
        near = (size >= least) & (lengths >= least)
        mask, unknown = 0, 0
        for letter in set(word):
            if letter in self._bits:
                mask |= 1 << self._bits[letter]
            else:
                unknown += 1
        if len(self._bits) <= _MOST_LETTERS:
            places = np.flatnonzero(near)
            shared = np.bitwise_count(letters[places] & np.uint64(mask)).astype(np.int64)
            least = least[places]
            fits = mask.bit_count() + unknown - shared <= size - least
            fits &= counts[places] - shared <= lengths[places] - least
            places = places[fits]
        else:
            places = np.flatnonzero(near)
        return [self._words[place] for place in places.tolist() if self._words[place] != word]

    def _mask(self, word: str) -> int:
        mask = 0
        for letter in set(word):
            mask |= 1 << self._bits.setdefault(letter, len(self._bits))
        return mask


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the name that may be meant."""
    match = closest(name, known)
    return "" if match is None else f" (did you mean {match!r}?)"
