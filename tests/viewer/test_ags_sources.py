"""Scripts of Adventure Game Studio as lines in colours."""

from __future__ import annotations

from overhaul.viewer.pages.ags.sources import places_in, source_lines
from overhaul.viewer.pages.lines import CodePiece

SOURCE = """// Opens.
function hDoor_Look(Hotspot *theHotspot, int mode)
{
  Display("A %s", "door");
  hDoor_Use(1);
}
int  Sword::Hit(int how);
import function hDoor_Use(int a);
static String* Sword::Name(
  int a)
function hDoor_Use(int a) { /* two
lines */ }
"""


def test_pieces_have_the_colours_of_the_editor() -> None:
    lines = source_lines(SOURCE, {"hDoor_Use": "#f-hDoor_Use"})
    assert [line.number for line in lines] == [*range(1, 13)]
    assert "".join(part.text for part in lines[1].parts) == SOURCE.splitlines()[1]
    assert lines[0].parts == [CodePiece("// Opens.", "comment")]
    assert lines[1].parts[0] == CodePiece("function", "keyword")
    assert CodePiece("int", "keyword") in lines[1].parts
    assert CodePiece('"A %s"', "string") in lines[3].parts
    assert lines[4].parts[1] == CodePiece("hDoor_Use", "built-in-function", "#f-hDoor_Use")
    assert lines[11].parts[0] == CodePiece("lines */", "comment")


def test_functions_are_found_where_they_are_written() -> None:
    names = ["hDoor_Look", "hDoor_Use", "Sword::Hit", "Sword::Name", "nowhere"]
    assert places_in(SOURCE, names) == {2: "hDoor_Look", 9: "Sword::Name", 11: "hDoor_Use"}
