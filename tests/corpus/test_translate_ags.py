"""Real games of Adventure Game Studio: the texts that the editor lists, and .tra files."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import overhaul
from overhaul import translate
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.documents.translation import TranslationDocument
from overhaul.ags.script.model import read_script
from overhaul.ags.script.texts import script_texts
from overhaul.ags.text import UTF_8
from overhaul.ags.translation import GAME_ID, GameIdBlock, from_lines
from overhaul.errors import FormatError
from overhaul.translate.ags.extracting import letters_lost
from overhaul.translate.ags.game import RoomTexts, parts_of
from overhaul.translate.ags.texts import find_texts
from real_files import NO_CORPUS, corpus_files, sample

GAMES = [
    path
    for path in corpus_files("ags/*/*")
    if path.suffix.casefold() in (".dta", ".ags", ".exe") and "invalid" not in path.name
]
PAIRS = corpus_files("ags-pairs/*/pairs.tsv")
TRANSLATIONS = corpus_files("ags/*/*.tra")

pytestmark = [pytest.mark.corpus, pytest.mark.skipif(not GAMES, reason=NO_CORPUS)]


@pytest.mark.parametrize("path", sample(GAMES, 9, 13), ids=lambda path: path.name)
def test_a_translation_of_every_text(path: Path, tmp_path: Path) -> None:
    with overhaul.open(path) as game:
        messages = translate.extract(game)
        assert len(messages) == len({message.msgid for message in messages}) > 5
        assert translate.check(game, messages) == []
        parts = parts_of(game)
        for entry in messages:
            number = re.match(r"&\d+ ", entry.msgid)
            at = number.end() if number else 0
            entry.msgstr = f"{entry.msgid[:at]}é{entry.msgid[at:]}"
        for problem in translate.check(game, messages):
            assert "no font of the game has é" in problem.message or "lacks é" in problem.message
        made = translate.apply(game, messages)
        assert made.texts == len(messages)
        document = TranslationDocument.from_bytes(made.data)
        assert document.to_bytes() == made.data
        encoding = UTF_8 if parts.release() >= (3, 6) else "cp1252"
        assert (document.declared_encoding() or "cp1252") == encoding
        known = document.translation.blocks.find(GAME_ID, GameIdBlock)
        assert known is not None
        assert (known.unique_id, known.game_name) == (parts.unique_id, parts.name.split("\0")[0])
        (tmp_path / "a.tra").write_bytes(made.data)
        (tmp_path / "a.trs").write_bytes(translate.file_bytes(messages, "a.trs"))
        for name in ("a.tra", "a.trs"):
            again = translate.load(tmp_path / name)
            assert [(e.msgid, e.msgstr) for e in again] == [(e.msgid, e.msgstr) for e in messages]
            assert translate.apply(game, again).data == made.data
        for name in ("a.po", "a.csv"):
            (tmp_path / name).write_bytes(translate.file_bytes(messages, name))
            assert translate.apply(game, translate.load(tmp_path / name)).data == made.data


def test_packages_without_a_game_are_refused() -> None:
    for path in corpus_files("ags/*/*.vox") + corpus_files("ags/*/*.001"):
        with pytest.raises(FormatError, match="there is no game data in this package"):
            translate.extract(path)


# --- what the editor lists ------------------------------------------------------------------

#: comments, letters in single quotes, texts
_LITERAL = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "[": "\\["}


def literals(source: str) -> list[str]:
    """The texts of a script's source, as the game has them."""
    found = [
        re.sub(r"\\(.)", lambda m: _LETTERS.get(m[1], m[1]), match[1], flags=re.DOTALL)
        for match in _LITERAL.finditer(source)
        if match[1] and not match[1].startswith("__NEWSCRIPTSTART_")
    ]
    return list(dict.fromkeys(text for text in found if text.strip()))


def same_scripts() -> Iterator[tuple[str, list[str], list[str]]]:
    """Scripts that compile to the very bytes that there are: texts of the source, and found."""
    for table in PAIRS:
        with table.open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        for row in rows:
            source = (table.parent / row["source"]).read_bytes()
            if "byte-identical" in row["sure"] and b"#if" not in source:
                script, _ = read_script((table.parent / row["compiled"]).read_bytes())
                text = source.decode("utf-8", "surrogateescape")
                name = f"{table.parent.name}/{row['script']}"
                yield name, literals(text), [each.text for each in script_texts(script)]


def test_every_text_of_a_source_is_found_in_the_compiled_script() -> None:
    total = 0
    for name, wanted, found in same_scripts():
        assert set(wanted) <= set(found), name
        total += len(wanted)
        places = [found.index(text) for text in wanted]
        assert sum(a > b for a, b in itertools.pairwise(places)) <= 1, name
    assert total > 2000 or not PAIRS


@pytest.mark.parametrize("name", ["ericoporto__distfx", "ericoporto__toaster"])
def test_every_text_of_a_project_is_in_the_template(name: str) -> None:
    """By the project's own file: the game's name, dialogs, labels, buttons, characters, items."""
    (package,) = corpus_files(f"ags/{name}/*.ags")
    (project,) = corpus_files(f"ags/{name}/*.agf")
    tree = ElementTree.fromstring(project.read_bytes())
    wanted = [each.text for path in (
        ".//Settings/GameName", ".//GUILabel/Text", ".//GUIButton/Text", ".//Character/RealName",
        ".//InventoryItem/Description", ".//DialogOption/Text",
    ) for each in tree.iterfind(path)]  # fmt: skip
    texts = [text for text in wanted if text and any(map(str.isalpha, text))]
    found = {each.msgid for each in translate.extract(package)}
    assert len(texts) > 10 and set(texts) <= found


def test_a_real_source_of_translations_has_no_other_texts_of_the_game() -> None:
    """The .trs of a game whose other rooms are not here: what is in the files at all is found."""
    (source,) = corpus_files("ags/Ruskwolfe__memory/*.trs")
    (data,) = corpus_files("ags/Ruskwolfe__memory/*.dta")
    document = GameDocument.from_bytes(data.read_bytes())
    parts = parts_of(document)
    stored = data.read_bytes()
    for path in corpus_files("ags/Ruskwolfe__memory/*.crm"):
        number = re.search(r"room(\d+)", path.name)
        assert number is not None
        parts.rooms.append(RoomTexts(int(number[1]), RoomDocument.from_bytes(path.read_bytes())))
        stored += path.read_bytes()
    parts.rooms.sort(key=lambda room: room.number)
    found = find_texts(parts)
    messages = translate.load(source)
    raw = from_lines(source.read_text("utf-8-sig"))
    assert len(messages) == len(raw) == 736
    wanted = [message.msgid for message in messages]
    missing = [text for text in wanted if text not in found]
    content = parts.game.content
    assert content is not None
    # the names of rooms and views are the same words, which nobody sees
    unseen = {name.name for name in content.room_names} | set(content.view_names)
    there = [text for text in missing if b"\0" + text.encode() + b"\0" in stored]
    assert set(there) <= unseen
    places = {text: place for place, text in enumerate(found)}
    order = [places[text] for text in wanted if text in places]
    assert len(order) == 417
    assert sum(a < b for a, b in itertools.pairwise(order)) >= 412
    assert translate.file_bytes(messages, "a.trs") == source.read_bytes()


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.name)
def test_a_compiled_translation_comes_back(path: Path) -> None:
    """A game is made of the little that a .tra knows of it; its .tra is then the same file."""
    from ags_games import game

    before = TranslationDocument.from_bytes(path.read_bytes())
    known = before.translation.blocks.find(GAME_ID, GameIdBlock)
    assert known is not None
    new = before.declared_encoding() is not None
    made = game(3060021, "3.6.0.51") if new else game(50, "3.4.0.6")
    assert made.content is not None
    made.content.settings.name = str(known.game_name)
    made.content.settings.unique_id = known.unique_id
    messages = translate.load(path)
    assert len(messages) == len(before.translation.pairs)
    done = translate.apply(GameDocument.from_bytes(made.to_bytes()), messages)
    assert done.data == path.read_bytes()
    assert not letters_lost("".join(e.msgstr for e in messages), before.encoding)
