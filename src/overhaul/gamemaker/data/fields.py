"""The field types of data.win records: string and resource references."""

from __future__ import annotations

from typing import Annotated, Any

from overhaul.gamemaker.data.strings import String
from overhaul.schema import FixedCodec

STRING = FixedCodec("I", "string", kind="string", patched=True)
#: a pointer to the first character of a string of STRG; None is the null pointer
StringRef = Annotated[String | str | None, STRING]
#: a pointer to a texture page item of TPAG; None is the null pointer
ItemRef = Annotated[Any, FixedCodec("I", "texture page item", kind="item", patched=True)]


def reference(kind: str, word: str) -> FixedCodec:
    """An index into another chunk's list, stored as i32, −1 for none."""
    return FixedCodec("i", f"{word} (index in {kind})", kind=kind)


# The values are :class:`~.references.Reference`, None, or a plain number that leads nowhere;
# attributes of what is referred to are reached through the reference, hence Any.
SpriteRef = Annotated[Any, reference("SPRT", "sprite")]
SoundRef = Annotated[Any, reference("SOND", "sound")]
ObjectRef = Annotated[Any, reference("OBJT", "object")]
RoomRef = Annotated[Any, reference("ROOM", "room")]
CodeRef = Annotated[Any, reference("CODE", "code entry")]
BackgroundRef = Annotated[Any, reference("BGND", "background or tile set")]
FontRef = Annotated[Any, reference("FONT", "font")]
SequenceRef = Annotated[Any, reference("SEQN", "sequence")]
CurveRef = Annotated[Any, reference("ACRV", "animation curve")]
ParticleSystemRef = Annotated[Any, reference("PSYS", "particle system")]
EmitterRef = Annotated[Any, reference("PSEM", "particle emitter")]
TextureRef = Annotated[Any, reference("TXTR", "texture page")]
