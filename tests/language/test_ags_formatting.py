"""The layout of scripts of Adventure Game Studio: only white space within lines changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import overhaul
from overhaul.language.ags.formatting import formatted
from overhaul.language.ags.scanning import pieces
from real_files import NO_CORPUS, corpus_files

SOURCE = """\
#define  HIGH   3
import function strength ( int points=-1,Character*who );
struct Sword{
int   damage ;
  import attribute Character *owner[ ];
};


function  Sword::Hit(this Object*, int a){
if(a==1&&!this.damage)
for(int i=0;i<3;i++)
a+=i*-2;   // two
  else if ( a>2 )
{
      Display ("a  {b", a );
    }else{
a++;
}
  #ifdef DEBUG
Character *c=player ;
  #endif
/* kept
 as it is */
switch(a)
{
case 1: case 'x':
Wait(1);
  break;
default:
{
return  -1;
}
}
do{ a--; }while(a>0) ;
String s=String.Format("%d",
a);
}
"""
LAID_OUT = """\
#define  HIGH   3
import function strength(int points = -1, Character*who);
struct Sword {
  int damage;
  import attribute Character *owner[];
};


function Sword::Hit(this Object*, int a) {
  if (a == 1 && !this.damage)
    for (int i = 0; i < 3; i++)
      a += i * -2;   // two
  else if (a > 2)
  {
    Display("a  {b", a);
  } else {
    a++;
  }
  #ifdef DEBUG
  Character *c = player;
  #endif
  /* kept
 as it is */
  switch (a)
  {
    case 1: case 'x':
      Wait(1);
      break;
    default:
    {
      return -1;
    }
  }
  do { a--; } while (a > 0);
  String s = String.Format("%d",
    a);
}
"""

GAMES = corpus_files("ags2/*.ags")


def words(text: str) -> list[str]:
    return [piece.text.rstrip() for piece in pieces(text) if piece.role != "space"]


def test_lines_are_indented_and_spaced() -> None:
    assert formatted(SOURCE) == LAID_OUT
    assert formatted(LAID_OUT) == LAID_OUT


def test_line_ends_and_tabs_stay() -> None:
    assert formatted("int a=1;\r\n\r\n") == "int a = 1;\r\n\r\n"
    assert formatted("f()\n{\n\ta=1;\n}") == "f()\n{\n\ta = 1;\n}"


def test_bodies_without_braces() -> None:
    source = "f() {\nif (a)\nif (b)\nc();\nelse\nd();\nelse e();\nwhile (x)\n{\ng(h\n+ 1);\n}\n}"
    assert formatted(source).split("\n") == [
        "f() {", "  if (a)", "    if (b)", "      c();", "    else", "      d();", "  else e();",
        "  while (x)", "  {", "    g(h", "      + 1);", "  }", "}",
    ]  # fmt: skip


@given(st.text(alphabet=st.sampled_from('ab1{}()[],;:?=+-!."*\n /#'), max_size=60))
def test_tokens_and_lines_stay_and_a_second_time_changes_nothing(text: str) -> None:
    made = formatted(text)
    assert words(made) == words(text)
    assert made.count("\n") == text.count("\n")
    assert formatted(made) == made


@pytest.mark.corpus
@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
def test_decompiled_scripts_of_real_games_stay_as_they_are(tmp_path: Path) -> None:
    overhaul.unpack(GAMES[0], tmp_path / "game")
    scripts = sorted((tmp_path / "game").rglob("*.as[ch]"))
    assert scripts
    for script in scripts:
        source = script.read_bytes().decode("utf-8", "surrogateescape")
        assert formatted(source) == source, script
