"""A translation carried to another build."""

from __future__ import annotations

from pathlib import Path

import polib

from overhaul import translate
from overhaul.gamemaker.data.game import GameData
from small_games import game_of


def build(*texts: str) -> GameData:
    game = game_of("2023.4")
    source = "".join(f'draw_text(0, 0, "{text}");' for text in texts)
    game.add_event("obj_a", "Step_0", source)
    return game


def translated(game: GameData, **texts: str) -> polib.POFile:
    made = translate.extract(game)
    for entry in made:
        entry.msgstr = texts.get(entry.msgid.split()[0], "")
    return made


def read_again(messages: polib.POFile, path: Path) -> polib.POFile:
    path.write_text(str(messages), "utf-8")
    return translate.load(path)


def test_what_is_kept(tmp_path: Path) -> None:
    old = build("Open the old door", "Go", "Quit", "Never")
    messages = translated(old, Open="Abre la puerta vieja", Go="Va", Quit="Salir")
    messages.metadata["Language"] = "es"
    messages.header += "\nBy Ana"
    messages[1].tcomment = "short"
    messages[1].flags.append("no-wrap")
    before = str(messages)
    new = build("Go", "Open the new door", "Something else entirely", "Never")
    done = translate.update(new, messages)
    assert (done.kept, done.fuzzy, done.untranslated, done.gone) == (1, 1, 2, 2)
    assert str(messages) == before
    made = read_again(done.messages, tmp_path / "a.po")
    entries = {entry.msgid: entry for entry in made}
    go, door = entries["Go"], entries["Open the new door"]
    assert (go.msgstr, go.tcomment, go.flags) == ("Va", "short", ["no-wrap"])
    assert (door.msgstr, door.fuzzy) == ("Abre la puerta vieja", True)
    assert door.previous_msgid == "Open the old door"
    assert entries["Something else entirely"].msgstr == entries["Never"].msgstr == ""
    gone = {entry.msgid: entry.msgstr for entry in made if entry.obsolete}
    assert gone == {"Quit": "Salir", "Open the old door": "Abre la puerta vieja"}
    assert made.metadata["Language"] == "es"
    assert made.header.count("Made by overhaul") == 1 and made.header.endswith("By Ana")
    # fuzzy texts are not put in
    assert translate.apply(new, made).texts == 1
    # what is gone comes back, and is no longer obsolete
    again = translate.update(old, made)
    assert (again.kept, again.fuzzy, again.untranslated, again.gone) == (3, 0, 1, 1)
    texts = {entry.msgid: entry.msgstr for entry in again.messages if not entry.obsolete}
    assert texts == {entry.msgid: entry.msgstr for entry in messages}
    assert again.messages.header == made.header


def test_the_same_build_changes_nothing() -> None:
    game = build("Go", "Quit")
    messages = translated(game, Go="Va")
    messages[0].flags.append("fuzzy")
    done = translate.update(game, messages)
    assert str(done.messages) == str(messages)
    assert (done.kept, done.fuzzy, done.untranslated, done.gone) == (0, 1, 1, 0)


def test_entries_that_games_have_not_stay_as_obsolete() -> None:
    messages = polib.POFile()
    messages.append(polib.POEntry(msgid="Go", msgstr="Va", msgctxt="verb"))
    plural = polib.POEntry(msgid="Go", msgid_plural="s", msgstr_plural={0: "a", 1: "b"})
    messages.append(plural)
    messages.append(polib.POEntry(msgid="Go", msgstr="old", obsolete=True))
    messages.insert(0, polib.POEntry(msgid="Go", msgstr="new"))
    done = translate.update(build("Go"), messages)
    first, *rest = done.messages
    assert (first.msgstr, first.obsolete) == ("new", False)
    assert [(entry.msgctxt, entry.msgid_plural, entry.obsolete) for entry in rest] == [
        ("verb", "", True),
        (None, "s", True),
    ]
    assert rest[1].msgstr_plural == {0: "a", 1: "b"}
