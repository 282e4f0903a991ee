"""audiogroupN.dat: the sounds of an audio group, next to the game they belong to."""

from __future__ import annotations

from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Coverage, Opaque, Siblings
from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.sond import Audio, AudioList
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.form import Data, FormWriter, read_form
from overhaul.media.audio import sniff
from overhaul.schema import Reader, Writer, codec_for

#: the layout of AUDO is the same in every release
_VERSION = Version(17, 2)


class AudioGroup(BaseDocument):
    """A FORM with only AUDO; ``audio`` is the list of its sounds' bytes (None: removed).

    ``record`` is the chunk, ``kind`` the kind of document, ``trailing`` the bytes behind the FORM.
    """

    kind = "gamemaker-audiogroup"

    def __init__(
        self, audio: AudioList, trailing: bytes = b"", *, source: str | None = None
    ) -> None:
        super().__init__(source)
        self.record = audio
        self.trailing = trailing
        self._coverage = Coverage()
        #: the result of the rules, and the bytes of the file in its place
        self._kept: tuple[bytes, bytes] | None = None

    @property
    def audio(self) -> list[Audio | None]:
        """The sounds' bytes, in file order."""
        return self.record.audio

    @classmethod
    def from_bytes(
        cls,
        data: Data,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> AudioGroup:
        """Open an audio group.  Raises FormatError where it is broken."""
        form = read_form(data, source)
        if [chunk.name for chunk in form.chunks] != ["AUDO"]:
            raise FormatError(
                "not an audio group: AUDO is not its only chunk", source=source, offset=8
            )
        chunk = form.chunks[0]
        reader = Reader(version=_VERSION, source=source, base=chunk.start)
        view = memoryview(data)[: chunk.end]
        try:
            record, end = codec_for(AudioList, _VERSION).read(view, chunk.start, reader)
        except FormatError as error:
            error.source = source
            raise error.within("AUDO") from None
        trailing = bytes(data[end : chunk.end]) + form.trailing
        group = cls(record, trailing, source=source)
        group._keep(bytes(data), reader.notes, strict=strict)
        return group

    def _keep(self, data: bytes, notes: list[str], *, strict: bool) -> None:
        """Keep the bytes of a file whose layout the rules would not give."""
        if self._written() == data:
            return
        reason = notes[0] if notes else "its lengths differ from those of its content"
        if strict:
            raise FormatError(
                f"the layout does not follow the rules: {reason}", source=self.source, path="AUDO"
            )
        self._kept = (self._written(), data)
        self.findings.warn("unusual", f"an unusual layout: {reason}", "AUDO")

    def info(self) -> dict[str, object]:
        """The number of sounds, and their formats."""
        formats: dict[str, int] = {}
        for audio in self.audio:
            if audio is not None:
                name = sniff(audio.data).value
                formats[name] = formats.get(name, 0) + 1
        return {"kind": self.kind, "sounds": len(self.audio), "formats": formats}

    def to_bytes(self) -> bytes:
        """The file, rebuilt."""
        written = self._written()
        if self._kept is not None and self._kept[0] == written:
            kept = self._kept[1]
            self._coverage = Coverage(
                0, 0, len(kept), [Opaque(0, "AUDO", len(kept), self.findings[-1].message)]
            )
            return kept
        return written

    def _written(self) -> bytes:
        writer = Writer(version=_VERSION)
        writer.lean = True
        form = FormWriter(writer)
        with form.chunk("AUDO"):
            codec_for(AudioList, _VERSION).write(writer, self.record)
            writer.out += self.trailing
        form.finish()
        size = writer.position
        opaque = len(self.trailing) if any(self.trailing) else 0
        details = []
        if opaque:
            details = [Opaque(size - opaque, "AUDO", opaque, "bytes beyond the rules")]
        self._coverage = Coverage(size - writer.media - opaque, writer.media, opaque, details)
        return writer.finished()

    def coverage(self) -> Coverage:
        """How much was understood; valid after :meth:`to_bytes`."""
        return self._coverage
