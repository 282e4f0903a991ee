"""What people wrote for one release, compiled for every other: sound, and decompiled and back.

The corpus has official code of each source for one release only; this puts the shapes of real
programs to all the others. Every 48th pair by default, all of them with ``OVERHAUL_FULL=1``.
"""

from __future__ import annotations

import copy
import os

import pytest

from gml_programs import RELEASES, plain
from gml_stack import check_stack
from overhaul import gml
from overhaul.gml.dialect import Dialect
from overhaul.gml.roundtrip import analyse
from overhaul.gml.syntax.printer import to_source
from real_files import NO_CORPUS
from sourcepairs import Build, builds

pytestmark = pytest.mark.corpus

BUILDS = builds()
EVERY = 1 if os.environ.get("OVERHAUL_FULL") else 48
LEFT_BEHIND = "gml_Script_nsp_execute_master"  # its switch is left with a repeat's counter in it


def moved(build: Build, dialect: Dialect) -> gml.Context:
    """The game's names, in another release."""
    context = copy.copy(build.context)
    was_v2 = context.dialect.gml_v2
    context.dialect = dialect
    context.next_struct = 0
    if dialect.gml_v2 != was_v2:
        names = context.functions if was_v2 else context.assets["script"].values()
        context.functions, context._functions_by_code = {}, {}
        for name in list(names):
            context.add_function(name, f"gml_Script_{name}" if dialect.gml_v2 else name)
    return context


@pytest.mark.skipif(not BUILDS, reason=NO_CORPUS)
@pytest.mark.parametrize("release", RELEASES, ids=lambda release: f"{release[0]}-{release[1]}")
def test_sources_of_other_releases(release: tuple[int, tuple[int, ...]]) -> None:
    dialect = Dialect.for_version(*release)
    tidy = dialect.replace(switch_default_exit_keeps_value=False)
    pairs = [(build, pair) for build in BUILDS for pair in build.pairs()]
    tried = 0
    for build, pair in pairs[::EVERY]:
        name = pair.entry
        kind = "global_script" if name.startswith("gml_GlobalScript") else "event"
        try:
            code = gml.compile(pair.source, moved(build, dialect), kind, name)
        except gml.SyntaxError_:
            continue  # it uses what that release has not
        tried += 1
        if name != LEFT_BEHIND:
            sound = gml.compile(pair.source, moved(build, tidy), kind, name)
            check_stack(code if tidy == dialect else sound, tidy)
        made = analyse(code, moved(build, dialect))
        assert not made.problems, f"{name}: {made.problems}"
        text = to_source(made.block, dialect)
        again = gml.compile(text, moved(build, dialect), kind, name, previous=code)
        assert plain(again) == plain(code), f"{name}\n{text}"
    assert tried > len(pairs) // EVERY * 0.8
