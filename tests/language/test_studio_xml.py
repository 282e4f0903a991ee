"""Code in the XML of Studio 1: an editor shows the XML, and is answered about the code."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ide_projects import studio_project, write
from overhaul.document.xmltext import escaped
from overhaul.language.answers import Edit, Span
from overhaul.language.edits import after_edits
from overhaul.language.gml.ide_projects import IdeObjects
from overhaul.language.gml.xml_code import StudioTexts, home_of, path_of, pieces_in
from overhaul.language.workspace import Workspace

OBJECT = "objects/obj_b.object.gmx"
ROOM = "rooms/rm_a.room.gmx"
SCRIPT = "scripts/scr_hurt.gml"
STEP = """\
/// hurt "all" & more
if (hp < 3 && hp >= 1) {
    scr_hurt(hp);
    speeed = 2;
}
"""
CREATE = "hp = 10;\nspeeed = hp * 2;\n"
SET = ("<action><libid>1</libid><id>611</id><kind>6</kind><exetype>0</exetype><arguments>"
       "<argument><kind>1</kind><string>hp</string></argument>"
       "<argument><kind>0</kind><string>hp &lt; 3</string></argument></arguments>"
       "</action>")  # fmt: skip


def action(code: str) -> str:
    return (
        "<action>\n        <libid>1</libid>\n        <id>603</id>\n        <kind>7</kind>\n"
        "        <exetype>2</exetype>\n        <arguments>\n          <argument>\n"
        f"            <kind>1</kind>\n            <string>{escaped(code)}</string>\n"
        "          </argument>\n        </arguments>\n      </action>"
    )


def of_object(*actions: str, sprite: str = "&lt;undefined&gt;") -> str:
    events = "".join(
        f'<event eventtype="{number}" enumb="0">{each}</event>'
        for number, each in enumerate(actions)
    )
    return (
        f"<object>\n  <spriteName>{sprite}</spriteName>\n"
        f"  <parentName>&lt;undefined&gt;</parentName>\n  <events>{events}</events>\n</object>\n"
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    path = studio_project(tmp_path)
    text = path.read_text()
    if "scr_hurt" not in text:
        script = '<scripts name="scripts"><script>scripts\\scr_hurt.gml</script></scripts>'
        text = text.replace("</assets>", f"{script}</assets>")
    if "obj_b<" not in text:
        rows = '<objects name="objects"><object>objects\\obj_b</object></objects>'
        text = text.replace("</assets>", f"{rows}</assets>")
    path.write_text(text)
    write(tmp_path, SCRIPT, "argument0 -= 1;\n")
    write(tmp_path, OBJECT, of_object(action(CREATE), SET, action(STEP)))
    return Workspace.of_project(path)


def spans(workspace: Workspace, found: list[Span]) -> list[tuple[str, str]]:
    return sorted(
        (each.path, workspace.texts.read(each.path)[each.start : each.end]) for each in found
    )


def at(workspace: Workspace, path: str, word: str) -> tuple[str, int]:
    return path, workspace.texts.read(path).index(word)


def said(workspace: Workspace, path: str) -> list[tuple[str, int, int, str]]:
    return [(one.severity, one.line, one.column, one.message)
            for one in workspace.diagnostics(path)]  # fmt: skip


def test_pieces_are_the_code_without_escapes() -> None:
    text = of_object(action(CREATE), SET, action(STEP))
    found = pieces_in(text)
    assert [(piece.text, piece.is_code) for piece in found] == [
        (CREATE, True), ("hp", False), ("hp < 3", False), (STEP, True),
    ]  # fmt: skip
    room = (
        '<room><code>a &lt; 1</code><instance objName="o" code="x = &quot;1&quot;;&#xA;"/></room>'
    )
    assert [piece.text for piece in pieces_in(room)] == ["a < 1", 'x = "1";\n']


def test_objects_are_known_by_the_names_of_their_files(workspace: Workspace) -> None:
    names = IdeObjects(workspace.texts).names
    assert names["obj_b"] == OBJECT
    assert all(path == f"objects/{name}.object.gmx" for name, path in names.items())


def test_places_go_there_and_back() -> None:
    source = random.Random(4)
    for _ in range(300):
        code = "".join(source.choice("ab<>&\"'\n \u00e9") for _ in range(source.randrange(1, 30)))
        text = f"<room><code>{escaped(code)}</code></room>"
        (piece,) = pieces_in(text)
        assert piece.text == code
        for offset, letter in enumerate(code):
            place = piece.place(offset)
            assert text[place : place + 1] in (letter, "&")
            assert piece.offset(place) == offset
        assert piece.offset(piece.place(len(code))) == len(code)
        assert piece.offset(3) is None
        assert text[piece.place(len(code)) :] == "</code></room>"


def test_pieces_have_paths() -> None:
    assert path_of(OBJECT, 3) == "objects/obj_b/0003.gml"
    assert home_of("objects/obj_b/0003.gml") == (OBJECT, 3)
    assert home_of("scripts/scr_a.gml") is None


def test_mistakes_have_the_place_in_the_xml(workspace: Workspace) -> None:
    assert said(workspace, OBJECT) == []
    wrong = STEP.replace("scr_hurt(hp)", "scr_hurts(hp)").replace("speeed = 2", "speeed = ")
    text = of_object(action(CREATE), SET, action(wrong))
    workspace.texts.put(OBJECT, text)
    (one,) = workspace.diagnostics(OBJECT)
    assert one.severity == "error"
    row = text.split("\n")[one.line - 1]
    assert row.strip() in ("speeed = ;", "}")
    assert text[one.start : one.end] == row[one.column - 1 :][: one.end - one.start]
    workspace.texts.put(OBJECT, text.replace("speeed = ;", "speeed = 1;"))
    (two,) = workspace.diagnostics(OBJECT)
    assert two.message.startswith("unknown function scr_hurts")
    assert workspace.texts.read(OBJECT)[two.start : two.end] == "scr_hurts"


def test_a_place_behind_escapes(workspace: Workspace) -> None:
    text = of_object(action('if (1 < 2 && 3 > 2) { x = "<>"; nothing(); }'))
    workspace.texts.put(OBJECT, text)
    (one,) = workspace.diagnostics(OBJECT)
    assert text[one.start : one.end] == "nothing"
    assert one.column == text.split("\n")[one.line - 1].index("nothing") + 1


def test_names_in_the_xml(workspace: Workspace) -> None:
    language = workspace.names_of(OBJECT)
    assert language is not None
    hover = language.hover(*at(workspace, OBJECT, "scr_hurt"))
    assert hover is not None
    assert workspace.texts.read(OBJECT)[hover.start : hover.end] == "scr_hurt"
    assert [span.path for span in language.definitions(*at(workspace, OBJECT, "scr_hurt"))] == [
        SCRIPT
    ]
    set_in = language.definitions(*at(workspace, OBJECT, "speeed"))
    assert set(spans(workspace, set_in)) == {(OBJECT, "speeed")}
    assert language.hover(*at(workspace, OBJECT, "exetype")) is None
    hurt = language.references(*at(workspace, OBJECT, "scr_hurt"))
    assert spans(workspace, hurt).count((OBJECT, "scr_hurt")) == 1
    both = language.references(*at(workspace, OBJECT, "hp = 10"))
    assert spans(workspace, both) == [(OBJECT, "hp")] * 7


def test_completion_in_the_xml(workspace: Workspace) -> None:
    language = workspace.language_of(OBJECT)
    assert language is not None
    path, offset = at(workspace, OBJECT, "scr_hurt")
    found = language.completion(path, offset + 5)
    assert (found.start, found.end) == (offset, offset + len("scr_hurt"))
    assert "scr_hurt" in [item.name for item in found.items]
    assert language.completion(*at(workspace, OBJECT, "exetype")).items == []
    signature = language.signature(path, offset + len("scr_hurt("))
    assert signature is not None
    assert "scr_hurt" in signature.text


def test_renaming_reaches_into_the_xml(workspace: Workspace) -> None:
    language = workspace.names_of(OBJECT)
    assert language is not None
    made = language.rename(*at(workspace, OBJECT, "hp = 10"), "health_left", workspace.prove)
    assert {edit.path for edit in made.edits} == {OBJECT}
    after = dict(after_edits(workspace.texts, made.edits, made.moves))[OBJECT]
    assert after is not None
    before = workspace.texts.read(OBJECT)
    assert after.decode() == before.replace("hp", "health_left")


def test_code_in_cdata_and_around_comments_is_renamed(workspace: Workspace) -> None:
    """Only names change: of marks, comments, line ends and escapes each stays."""
    inner = action("HERE")
    text = "\ufeff<!-- made by hp -->\n" + of_object(
        inner.replace("HERE", "<![CDATA[hp = 1 < 2 && hp]]>"),
        inner.replace("HERE", "hp<!-- hp &amp; more --> = &#104;p + &quot;&amp;&quot; + hp&lt;hp"),
        inner.replace("HERE", "x = <![CDATA[hp]]>;<![CDATA[ /* &amp; hp */ hp]]>&gt;3"),
        f"<!-- {action('hp = 4;')} -->",
    ).replace("\n", "\r\n")  # fmt: skip
    texts = workspace.texts
    assert isinstance(texts, StudioTexts)
    Path(texts.root, OBJECT).write_bytes(text.encode())
    texts.refresh()
    language = workspace.names_of(OBJECT)
    assert language is not None
    made = language.rename(*at(workspace, OBJECT, "hp = 1"), "life", workspace.prove)
    before = "\ufeff" + workspace.texts.read(OBJECT)
    after = dict(after_edits(workspace.texts, made.edits, made.moves))[OBJECT]
    assert after is not None
    expected = (
        before.replace("[hp = 1 < 2 && hp]", "[life = 1 < 2 && life]")
        .replace("hp<!-- hp &amp; more --> = &#104;p", "life<!-- hp &amp; more --> = life")
        .replace("+ hp&lt;hp", "+ life&lt;life")
        .replace("[hp];", "[life];").replace("x = <![CDATA[hp]]>", "x = <![CDATA[life]]>")
        .replace("*/ hp]]>", "*/ life]]>")
    )  # fmt: skip
    assert after.decode() == expected
    assert "hp = 4" in expected


def test_pieces_with_marks_have_their_places() -> None:
    text = "<room><code><![CDATA[a<b]]>c&lt;<!-- -->d</code><instance code='x = 1;'/></room>"
    piece, other = pieces_in(text)
    assert (piece.text, other.text) == ("a<bc<d", "x = 1;")
    assert [text[slice(*piece.span(at, at + 1))] for at in range(6)] == [
        "a", "<", "b", "c", "&lt;", "d"
    ]  # fmt: skip
    assert text[slice(*piece.span(0, 3))] == "a<b"
    assert text[slice(*piece.bounds)] == "<![CDATA[a<b]]>c&lt;<!-- -->d"
    assert piece.span(0, 0) == (text.index("a<b"),) * 2
    assert piece.offset(text.index("]]>")) == piece.offset(text.index("c&lt;")) == 3


def test_typing_in_code_changes_its_piece_only(workspace: Workspace) -> None:
    texts = workspace.texts
    assert isinstance(texts, StudioTexts)
    text = texts.read(OBJECT)
    workspace.diagnostics(OBJECT)
    count = len(texts.changes)
    texts.put(OBJECT, text.replace("hp = 10", "hp = 11"))
    assert texts.changes[count:] == [path_of(OBJECT, 0)]
    texts.put(OBJECT, text.replace("&lt;undefined&gt;", "spr_a", 1))
    assert texts.changes[count + 1 :] == [OBJECT, path_of(OBJECT, 0)]
    texts.put(OBJECT, of_object(action(CREATE)))
    assert "" in texts.changes[count + 3 :]
    assert [path for path in texts.paths() if path.startswith("objects/obj_b/")] == [
        path_of(OBJECT, 0)
    ]
    texts.drop(OBJECT)
    assert texts.read(OBJECT) == text
    assert len([path for path in texts.paths() if path.startswith("objects/obj_b/")]) == 4


def test_a_file_that_is_typed_has_what_is_whole(workspace: Workspace) -> None:
    text = workspace.texts.read(OBJECT)
    for end in range(0, len(text), 7):
        workspace.texts.put(OBJECT, text[:end])
        workspace.diagnostics(OBJECT)
        language = workspace.names_of(OBJECT)
        assert language is not None
        language.hover(OBJECT, end // 2)
        language.tokens(OBJECT)
        language.symbols(OBJECT)


def test_nothing_is_formatted_in_xml(workspace: Workspace) -> None:
    language = workspace.language_of(OBJECT)
    assert language is not None
    assert language.format(OBJECT) == []
    assert language.folds(OBJECT) == []
    tokens = language.tokens(OBJECT)
    text = workspace.texts.read(OBJECT)
    assert "scr_hurt" in [text[token.start : token.end] for token in tokens]
    assert all(isinstance(edit, Edit) for edit in language.format(SCRIPT))


@pytest.mark.parametrize("opened", ["<!--", "<![CDATA[", "<action>", "<action><kind>7"])
def test_many_things_that_are_not_closed_are_read_once(opened: str) -> None:
    assert pieces_in(opened * 300_000) == []  # hours, if each were followed to the end
