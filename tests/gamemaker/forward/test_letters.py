"""Letters of fonts, drawn with the typefaces of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from handmade_project import as_json, project_file
from overhaul.document.xmltext import read_xml
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.forward import forward, letters
from overhaul.gamemaker.ide.values import read_values
from overhaul.media import png
from typefaces import typeface


@pytest.fixture
def fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(letters, "system_folders", lambda: [str(tmp_path)])
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "boxes.ttf").write_bytes(typeface())
    (tmp_path / "boxes-bold.ttf").write_bytes(typeface(style="Bold"))
    (tmp_path / "boxer.ttf").write_bytes(typeface(family="Boxer"))
    (tmp_path / "boxbroken.ttf").write_bytes(b"no typeface")
    (tmp_path / "other.ttf").write_bytes(typeface(family="Other"))
    return tmp_path


def test_a_typeface_is_found_by_family_and_style(fonts: Path) -> None:
    plain = letters.letters_of("Boxes", 12, (False, False), range(32, 128))
    bold = letters.letters_of("boxes", 12, (True, False), range(32, 128))
    assert plain is not None and bold is not None
    assert letters.letters_of("Boxes", 12, (False, True), range(32, 128)) is None
    assert letters.letters_of("Verdana", 12, (False, False), range(32, 128)) is None
    assert letters.letters_of("Boxes", 12, (False, False), range(0x4E00, 0x4E10)) is None
    assert letters.letters_of("Boxes", 0, (False, False), range(32, 128)) is None
    assert letters.letters_of("", 12, (False, False), range(32, 128)) is None
    characters = [glyph.character for glyph in plain.glyphs]
    assert ord("A") in characters and characters == sorted(characters)


def test_fonts_of_projects_have_letters(fonts: Path) -> None:
    own = {"fonts/fnt_big.json": as_json({"font_name": "Boxes", "size": 24})}
    project = ProjectDocument.from_bytes(project_file(810, own))
    found = forward(project, "gmx", "game")
    root = read_xml(found.files["fonts/fnt_big.font.gmx"]()).root
    assert root.value("image") == "fnt_big.png"
    glyphs = {node.attributes["character"]: node for node in root.walk() if node.tag == "glyph"}
    letter = {key: int(value) for key, value in glyphs["65"].attributes.items()}
    pixels = png.decode(found.files["fonts/fnt_big.png"]())
    top, left = letter["y"], letter["x"]
    assert pixels[top : top + letter["h"], left : left + letter["w"], 3].any()
    said = [str(each) for each in found.findings if "typeface Boxes" in each.message]
    assert said == [
        "fonts/fnt_big.font.gmx: its letters are drawn with the typeface Boxes of this machine"
    ]
    later = forward(ProjectDocument.from_bytes(project_file(810, own)), "yyp", "game")
    font = read_values(later.files["fonts/fnt_big/fnt_big.yy"]().decode())
    assert isinstance(font, dict) and isinstance(font["glyphs"], dict)
    shown = font["glyphs"]["65"]
    assert isinstance(shown, dict)
    assert {key: shown[key] for key in ("x", "y", "w", "h", "shift")} == {
        key: letter[key] for key in ("x", "y", "w", "h", "shift")
    }
    assert font["regenerateBitmap"] is False
    assert later.files["fonts/fnt_big/fnt_big.png"]() == found.files["fonts/fnt_big.png"]()
