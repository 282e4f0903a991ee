"""LANG: translations."""

from typing import Annotated, ClassVar

from overhaul.errors import FormatError
from overhaul.gamemaker.data.fields import STRING, StringRef
from overhaul.schema import (
    Buffer,
    Counted,
    NotStored,
    Reader,
    Record,
    Scheme,
    Times,
    VariableCodec,
    Writer,
    bind,
    codec_for,
    count_of,
    u32,
)
from overhaul.schema.codec import list_of_json
from overhaul.schema.declaration import show_through
from overhaul.schema.jsonable import from_jsonable, list_from_jsonable, to_jsonable


class LanguageHead(Record):
    """The name of a language and its region; the texts follow, one for each entry."""

    name: StringRef = None
    region: StringRef = None


class Language(LanguageHead):
    """A language: its name, region, and a text for each entry."""

    texts: Annotated[list[StringRef], NotStored()] = []


class Languages(VariableCodec[list[Language]]):
    """As many languages as ``language_count`` says, each with ``entry_count`` texts."""

    needs: tuple[str, ...] = ("language_count", "entry_count")

    def type_name(self) -> str:
        return "language_count × (name, region, entry_count texts)"

    def read(
        self, data: Buffer, position: int, reader: Reader, count: int, entries: int
    ) -> tuple[list[Language], int]:
        if count * (8 + 4 * entries) > len(data) - position:
            raise reader.fail(f"{count} languages do not fit the chunk", position)
        head = codec_for(LanguageHead, reader.version)
        texts = bind(_texts(entries), reader.version)
        languages = []
        for _ in range(count):
            start, position = head.read(data, position, reader)
            found, position = texts.read(data, position, reader)
            languages.append(Language(start.name, start.region, found))
        return languages, position

    def write(self, writer: Writer, value: list[Language], count: int, entries: int) -> None:
        head = codec_for(LanguageHead, writer.version)
        texts = bind(_texts(entries), writer.version)
        for language in value:
            head.write(writer, LanguageHead(language.name, language.region))
            texts.write(writer, language.texts)

    def to_jsonable(self, value: list[Language], scheme: Scheme) -> object:
        shown = []
        for language in value:
            plain = to_jsonable(LanguageHead(language.name, language.region), scheme)
            plain["texts"] = [scheme.show["string"](text) for text in language.texts]
            shown.append(plain)
        return shown

    def from_jsonable(self, value: object, scheme: Scheme) -> list[Language]:
        languages = []
        for index, plain in enumerate(list_of_json(value)):
            try:
                texts = plain.get("texts", []) if isinstance(plain, dict) else []
                head = from_jsonable(LanguageHead, plain, scheme, extra=frozenset({"texts"}))
                texts = list_from_jsonable(STRING, texts, scheme)
            except FormatError as error:
                raise error.within("", index) from None
            languages.append(Language(head.name, head.region, texts))
        return languages


def _texts(count: int) -> Times:
    return Times(count).with_element(STRING)


show_through(Language, "texts", _texts(0))


class LanguageInfo(Record):
    """Translations; 1, 0, 0 in every file seen."""

    unknown: Annotated[u32, "1"] = 1
    language_count: u32 = 0
    entry_count: ClassVar[u32] = count_of("entry_ids")
    entry_ids: Annotated[list[StringRef], Counted("entry_count")] = []
    languages: Annotated[list[Language], Languages()] = []
