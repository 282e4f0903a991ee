"""The field types of data.win records: string and resource references."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from overhaul.gamemaker.data.strings import current
from overhaul.schema import FixedCodec

STRING = FixedCodec("I", "string", kind="string", patched=True, shown=current)
#: a pointer to the first character of a string of STRG; None is the null pointer
StringRef = Annotated[str | None, STRING]
#: a pointer to a texture page item of TPAG; None is the null pointer
ItemRef = Annotated[Any, FixedCodec("I", "texture page item", kind="item", patched=True)]


def reference(chunk: str, title: str) -> FixedCodec:
    """An index into another chunk's list, stored as i32, −1 for none."""
    return FixedCodec("i", f"{title} (index in {chunk})", kind=chunk)


#: a :class:`~.references.Reference`, None, or a plain number that leads nowhere; attributes of what
#: is referred to are reached through the reference, hence Any
Referred: TypeAlias = Any
SpriteRef = Annotated[Referred, reference("SPRT", "sprite")]
SoundRef = Annotated[Referred, reference("SOND", "sound")]
ObjectRef = Annotated[Referred, reference("OBJT", "object")]
RoomRef = Annotated[Referred, reference("ROOM", "room")]
CodeRef = Annotated[Referred, reference("CODE", "code entry")]
BackgroundRef = Annotated[Referred, reference("BGND", "background or tile set")]
FontRef = Annotated[Referred, reference("FONT", "font")]
SequenceRef = Annotated[Referred, reference("SEQN", "sequence")]
CurveRef = Annotated[Referred, reference("ACRV", "animation curve")]
ParticleSystemRef = Annotated[Referred, reference("PSYS", "particle system")]
EmitterRef = Annotated[Referred, reference("PSEM", "particle emitter")]
TextureRef = Annotated[Referred, reference("TXTR", "texture page")]
