"""Small scripts of Adventure Game Studio, compiled: ``from ags_scripts import listed``.

``HEADER`` stands for the editor's built-in header; ``listed`` shows code as one instruction after
another, with names for what the loader adjusts.
"""

from __future__ import annotations

from dataclasses import dataclass

from overhaul.ags.language import CompilerOptions, Source, compile_block
from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import OPCODES, REGISTERS
from overhaul.ags.text import decode

HEADER = """
#define function int
#define bool int
#define TRUE 1
enum Mode { eFirst, eSecond, eTenth = 10, eMinus = -3 };
internalstring autoptr builtin managed struct String {
  import String Append(const string text);
  import static String Format(const string format, ...);
  readonly import attribute int Length;
  readonly import attribute char Chars[];
};
builtin managed struct Thing {
  import int Go(int x, int y = -1, Mode mode = eTenth);
  import static Thing *Find(int number);
  import attribute int x;
  import attribute Thing *Next;
  import attribute int Values[];
  readonly import attribute String Name;
  import static attribute int Count;
  int plain;
  short half[3];
};
import void Display(const string text, ...);
import int Random(int most);
import void Wait(int loops);
import Thing thing[5];
import Thing oThing;
import int imported;
import Thing *pointed;
"""
EDITOR = (3, 6, 1, 27)


@dataclass(frozen=True)
class Settings:
    """What a game's settings say."""

    left_to_right: bool = True
    old_strings: bool = False


NEW = Settings()


def compiled(
    text: str,
    *headers: str,
    editor: tuple[int, ...] = EDITOR,
    keep: Script | None = None,
    settings: Settings = NEW,
) -> Script:
    """The block of a script behind ``HEADER`` and other headers."""
    options = CompilerOptions(
        editor=editor,
        left_to_right=settings.left_to_right,
        old_strings=settings.old_strings,
    )
    sources = [Source("_BuiltIn.ash", HEADER)]
    sources += [Source(f"{number}.ash", header) for number, header in enumerate(headers)]
    return compile_block(sources, Source("a.asc", text), options, keep)


def instructions(script: Script) -> list[str]:
    """The instructions of a block as text, one each."""
    words = script.words
    fixups = {
        position: kind
        for kind, position in zip(script.fixup_types, script.fixup_positions, strict=True)
        if kind != 5
    }
    result = []
    at = 0
    while at < len(words):
        opcode = OPCODES[words[at]]
        parts = [opcode.name]
        for number, letter in enumerate(opcode.arguments, start=1):
            parts.append(_argument(script, words[at + number], letter, fixups.get(at + number)))
        result.append(" ".join(parts))
        at += 1 + len(opcode.arguments)
    return result


def _argument(script: Script, word: int, letter: str, fixup: int | None) -> str:
    if letter == "r":
        return REGISTERS[word]
    if fixup == 1:
        return f"data+{word}"
    if fixup == 2:
        return f"code+{word}"
    if fixup == 3:
        return repr(decode(script.strings[word : script.strings.index(b"\0", word)]))
    return script.imports[word] if fixup == 4 else str(word)


def listed(text: str, *headers: str) -> str:
    """The code of a script, a line for each instruction."""
    return "\n".join(instructions(compiled(text, *headers)))


def body(
    text: str,
    before: str = "",
    editor: tuple[int, ...] = EDITOR,
    settings: Settings = NEW,
) -> str:
    """The code of statements on one line in a function, ``;`` between the instructions.

    What every function begins and ends with is left out, and line numbers.
    """
    script = compiled(f"{before}\nvoid f() {{ {text} }}", editor=editor, settings=settings)
    found = instructions(script)
    first = max(index for index, line in enumerate(found) if line.startswith("thisaddr"))
    shown = [line for line in found[first + 1 :] if not line.startswith("sourceline")]
    return "; ".join(shown).removesuffix("; movl ax 0; ret").removesuffix("movl ax 0; ret")
