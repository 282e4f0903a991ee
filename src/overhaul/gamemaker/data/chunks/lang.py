"""LANG: translations."""

from typing import Annotated, Any

from overhaul.errors import FormatError
from overhaul.gamemaker.data.fields import StringRef
from overhaul.schema import Buffer, Counted, Reader, Record, VariableCodec, Writer, codec_for, u32
from overhaul.schema.jsonable import from_jsonable, list_from_plain, to_jsonable


class LanguageHead(Record):
    """The name of a language and its region; the texts follow, one for each entry."""

    name: StringRef = None
    region: StringRef = None


class Language(Record):
    """A language: its name, region, and a text for each entry."""

    name: Any = None
    region: Any = None
    texts: list[Any] = []


class Languages(VariableCodec):
    """As many languages as ``language_count`` says, each with ``entry_count`` texts."""

    needs = ("language_count", "entry_count")

    def type_name(self) -> str:
        return "language_count × (name, region, entry_count texts)"

    def read(
        self, data: Buffer, position: int, reader: Reader, *needed: Any
    ) -> tuple[list[Language], int]:
        count, entries = needed
        if count * (8 + 4 * entries) > len(data) - position:
            raise reader.fail(f"{count} languages do not fit the chunk", position)
        head = codec_for(LanguageHead, reader.version)
        texts = Counted("").with_element(_TEXT).bind(reader.version)
        languages = []
        for _ in range(count):
            start, position = head.read(data, position, reader)
            found, position = texts.read(data, position, reader, entries)
            languages.append(Language(start.name, start.region, found))
        return languages, position

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        head = codec_for(LanguageHead, writer.version)
        texts = Counted("entry_count").with_element(_TEXT).bind(writer.version)
        for language in value:
            head.write(writer, LanguageHead(language.name, language.region))
            texts.write(writer, language.texts, needed[1])

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        shown = []
        for language in value:
            plain = to_jsonable(LanguageHead(language.name, language.region), scheme)
            plain["texts"] = [scheme.show["string"](text) for text in language.texts]
            shown.append(plain)
        return shown

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        languages = []
        if not isinstance(value, list):
            raise FormatError("expected a list of languages")
        for index, plain in enumerate(value):
            try:
                head = from_jsonable(LanguageHead, plain, scheme, extra=frozenset({"texts"}))
                texts = list_from_plain(_TEXT, plain.get("texts", []), scheme)
            except FormatError as error:
                raise error.within("", index) from None
            languages.append(Language(head.name, head.region, texts))
        return languages


_TEXT = StringRef.__metadata__[0]  # type: ignore[attr-defined]


class LanguageInfo(Record):
    """Translations; 1, 0, 0 in every file seen."""

    unknown: Annotated[u32, "1"] = 1
    language_count: u32 = 0
    entry_count: u32 = 0
    entry_ids: Annotated[list[StringRef], Counted("entry_count")] = []
    languages: Annotated[list[Language], Languages()] = []
