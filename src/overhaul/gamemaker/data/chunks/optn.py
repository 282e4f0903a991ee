"""The parts of a game that exist once: OPTN, LANG, FEAT, FEDS, TAGS and DAFL."""

import enum
from typing import TYPE_CHECKING, Annotated, ClassVar

from overhaul.errors import FormatError
from overhaul.gamemaker.data.fields import STRING, ItemRef, StringRef
from overhaul.schema import (
    Align,
    Buffer,
    Condition,
    Counted,
    FixedCodec,
    Inline,
    NotStored,
    Pointers,
    Reader,
    Record,
    Scheme,
    Times,
    VariableCodec,
    Writer,
    b32,
    bind,
    codec_for,
    count_of,
    i32,
    u32,
)
from overhaul.schema.codec import list_of_json
from overhaul.schema.declaration import show_through
from overhaul.schema.jsonable import from_jsonable, list_from_jsonable, to_jsonable

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf

old: Condition = Condition(lambda version: version.old_options, "old form")
new: Condition = Condition(lambda version: not version.old_options, "new form")


class OptionFlags(enum.IntFlag):
    """Bits of the option flags of the new form."""

    FULLSCREEN = 1 << 0
    INTERPOLATE = 1 << 1
    NEW_AUDIO = 1 << 2
    NO_BORDER = 1 << 3
    SHOW_CURSOR = 1 << 4
    SIZEABLE = 1 << 5
    STAY_ON_TOP = 1 << 6
    CHANGE_RESOLUTION = 1 << 7
    NO_BUTTONS = 1 << 8
    SCREEN_KEY = 1 << 9
    HELP_KEY = 1 << 10
    QUIT_KEY = 1 << 11
    SAVE_KEY = 1 << 12
    SCREENSHOT_KEY = 1 << 13
    CLOSE_SECONDARY = 1 << 14
    FREEZE = 1 << 15
    SHOW_PROGRESS = 1 << 16
    LOAD_TRANSPARENT = 1 << 17
    SCALE_PROGRESS = 1 << 18
    DISPLAY_ERRORS = 1 << 19
    WRITE_ERRORS = 1 << 20
    ABORT_ERRORS = 1 << 21
    VARIABLE_ERRORS = 1 << 22
    CREATION_EVENT_ORDER = 1 << 23
    FRONT_TOUCH = 1 << 24
    REAR_TOUCH = 1 << 25
    FAST_COLLISION = 1 << 26
    FAST_COLLISION_COMPATIBILITY = 1 << 27
    DISABLE_SANDBOX = 1 << 28
    COPY_ON_WRITE = 1 << 29
    LEGACY_JSON = 1 << 30
    LEGACY_NUMBER_CONVERSION = 1 << 31
    LEGACY_OTHER_BEHAVIOUR = 1 << 32
    AUDIO_ERROR_BEHAVIOUR = 1 << 33
    ALLOW_INSTANCE_CHANGE = 1 << 34
    LEGACY_PRIMITIVE_DRAWING = 1 << 35


class Constant(Record):
    """A name and a value."""

    name: StringRef = None
    value: StringRef = None


class Options(Record):
    """Options of the game. Builds before 1380 have the old form, one word for each option."""

    marker: Annotated[u32, new, "0x80000000"] = 0x80000000
    version: Annotated[u32, new, "2"] = 2
    flags: Annotated[int, FixedCodec("Q", "OptionFlags", names=OptionFlags), new] = 0
    fullscreen: Annotated[b32, old] = False
    interpolate: Annotated[b32, old] = False
    new_audio: Annotated[b32, old] = False
    no_border: Annotated[b32, old] = False
    show_cursor: Annotated[b32, old] = True
    scale: i32 = -1
    sizeable: Annotated[b32, old] = False
    stay_on_top: Annotated[b32, old] = False
    window_colour: u32 = 0
    change_resolution: Annotated[b32, old] = False
    colour_depth: u32 = 0
    resolution: u32 = 0
    frequency: u32 = 0
    no_buttons: Annotated[b32, old] = False
    vertex_sync: u32 = 0
    screen_key: Annotated[b32, old] = True
    help_key: Annotated[b32, old] = True
    quit_key: Annotated[b32, old] = True
    save_key: Annotated[b32, old] = True
    screenshot_key: Annotated[b32, old] = True
    close_secondary: Annotated[b32, old] = True
    priority: u32 = 0
    freeze: Annotated[b32, old] = False
    show_progress: Annotated[b32, old] = True
    back_image: Annotated[ItemRef, "loading screen"] = None
    front_image: ItemRef = None
    load_image: ItemRef = None
    load_transparent: Annotated[b32, old] = False
    load_alpha: u32 = 255
    scale_progress: Annotated[b32, old] = True
    display_errors: Annotated[b32, old] = True
    write_errors: Annotated[b32, old] = False
    abort_errors: Annotated[b32, old] = False
    variable_errors: Annotated[b32, old] = True
    creation_event_order: Annotated[b32, old] = False
    constants: Annotated[list[Constant], Inline()] = []


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

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("own", "languages", tuple(map(slot_of, self.needs)), -1)

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
            stored, position = texts.read(data, position, reader)
            languages.append(Language(start.name, start.region, stored))
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


class FeatureFlags(Record):
    """The names of the features that were switched on."""

    flags: Annotated[list[StringRef], Inline(), Align(4)] = []


class DataFiles(Record):
    """Nothing: the chunk exists and holds no data."""


class AssetTags(Record):
    """The tags of one asset."""

    asset: Annotated[object, FixedCodec("i", "asset: type << 24 | index", kind="asset")] = None
    tags: Annotated[list[StringRef], Inline()] = []


class TagList(Record):
    """All tags, and which assets have them."""

    version: Annotated[u32, Align(4), "1"] = 1
    tags: Annotated[list[StringRef], Inline()] = []
    assets: Annotated[list[AssetTags], Pointers()] = []


class EffectDefinition(Record):
    """A filter or effect; the value is JSON."""

    name: StringRef = None
    value: StringRef = None


class EffectDefinitionList(Record):
    """All filter and effect definitions."""

    version: Annotated[u32, Align(4), "1"] = 1
    effects: Annotated[list[EffectDefinition], Pointers()] = []
