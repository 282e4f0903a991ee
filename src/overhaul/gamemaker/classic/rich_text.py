"""The text of game information, which projects store as Rich Text (RTF)."""

from __future__ import annotations

import re

#: groups that hold no text of the document
_NO_TEXT = frozenset(
    (
        *("fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer"),
        *("generator", "themedata", "listtable", "listoverridetable", "rsidtbl", "xmlnstbl"),
    )
)
#: words that stand for characters
_CHARACTERS = {
    "par": "\n", "line": "\n", "page": "\n", "sect": "\n", "row": "\n", "cell": "\t", "tab": "\t",
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ",
}  # fmt: skip
_TOKEN = re.compile(
    rb"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9A-Fa-f]{2})"
    rb"|\\(?P<sign>[^A-Za-z])|(?P<brace>[{}])|(?P<text>[^\\{}\r\n\0]+)|[\\\r\n\0]",
    re.DOTALL,
)


def plain_text(data: bytes, encoding: str = "cp1252") -> str:
    """The text of an RTF document, a line for each paragraph; what is no RTF is decoded as it is.

    ``encoding`` is that of bytes; characters that it lacks become ``�``.
    """
    if not data.lstrip().startswith(b"{\\rtf"):
        return data.rstrip(b"\0").decode(encoding, "replace").strip()
    reader = _Reader(encoding)
    for token in _TOKEN.finditer(data):
        reader.take(token)
    reader.flush()
    return "\n".join(line.rstrip() for line in "".join(reader.out).split("\n")).strip("\n")


class _Reader:
    """Where a reader of RTF is: for each open group, whether it is text, and how many characters
    stand behind a ``\\u`` for readers that don't know it."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self.out: list[str] = []
        self._groups = [(True, 1)]
        self._pending = bytearray()
        self._skip = 0
        self._starts = False

    def take(self, token: re.Match[bytes]) -> None:
        """Read one token."""
        kind = token.lastgroup
        starts, self._starts = self._starts, False
        if kind == "brace":
            self._brace(token["brace"])
        elif kind in ("word", "number"):
            self._word(token["word"].decode("ascii"), token["number"], starts)
        elif kind == "byte":
            self._bytes(bytes.fromhex(token["byte"].decode("ascii")))
        elif kind == "text":
            self._bytes(token["text"])
        elif kind == "sign":
            self._sign(token["sign"])

    def flush(self) -> None:
        """Decode the bytes that were read; several may be one character."""
        if self._pending:
            self.out.append(self._pending.decode(self.encoding, "replace"))
            self._pending.clear()

    def _brace(self, brace: bytes) -> None:
        self._skip = 0
        if brace == b"{":
            self._groups.append(self._groups[-1])
            self._starts = True
        elif len(self._groups) > 1:
            self._groups.pop()

    def _sign(self, sign: bytes) -> None:
        if sign == b"*":  # a group that readers may leave out
            self._silence()
        elif sign in b"\\{}":
            self._bytes(sign)
        elif sign in b"~_":
            self._write(" " if sign == b"~" else "-")
        elif sign in b"\r\n":
            self._write("\n")

    def _word(self, word: str, number: bytes | None, starts: bool) -> None:
        text, behind = self._groups[-1]
        if starts and word in _NO_TEXT:
            self._silence()
        elif word == "uc" and number is not None:
            self._groups[-1] = text, max(0, int(number))
        elif word == "u" and number is not None:
            code = int(number) & 0xFFFF
            self._write("�" if 0xD800 <= code < 0xE000 else chr(code))
            self._skip = behind
        elif word in _CHARACTERS:
            self._write(_CHARACTERS[word])

    def _silence(self) -> None:
        self._groups[-1] = False, self._groups[-1][1]

    def _bytes(self, data: bytes) -> None:
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        if self._groups[-1][0]:
            self._pending += data[skipped:]

    def _write(self, text: str) -> None:
        if self._groups[-1][0]:
            self.flush()
            self.out.append(text)
