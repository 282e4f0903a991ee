"""Somebody who uses the whole viewer at random, and a model of the game that must come of it.

The model has the plain files of the game.  Each act says what it changes in them; after each step
the file that it is about is compared, and after each saving all files.  Undo, redo and going to a
step move the model likewise.  What the browser reports fails the session (``browsing``), and so
does a page that answers with an error that no act provokes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import overhaul
from overhaul.mods.view import FileView

#: fields of forms that are filled, and what is typed into them
_NUMBERS = ("depth", "origin_x", "origin_y", "volume", "priority")
_ASK = """async (where) => {
    const answer = await fetch(where);
    return answer.ok ? await answer.json() : null;
}"""
_SLUGS = ("objects", "sprites", "sounds", "rooms", "scripts", "code", "paths", "fonts")

Files = dict[str, bytes]


def plain_files(game: Path) -> Files:
    """The plain files of a game."""
    with overhaul.open(game) as document:
        view = FileView(document)
        return {path: view.read(path) for path in view.files}


class Monkey:
    """Acts of a seed on a page of a viewer of a game.  ``did`` are those that were done."""

    def __init__(self, page: Any, game: Path, seed: int) -> None:
        self.page, self.game = page, game
        self.random = random.Random(seed)
        self.did: list[str] = []
        self.files = plain_files(game)
        #: the states before, and those that were undone
        self.past: list[Files] = []
        self.future: list[Files] = []
        self.forms = [path for path in self.files if self._is_form(path)]
        self.codes = [path for path in self.files if path.endswith(".gml")][:200]
        page.on("dialog", lambda dialog: dialog.accept())

    def _is_form(self, path: str) -> bool:
        folder = path.partition("/")[0]
        if folder not in ("objects", "sprites", "sounds") or not path.endswith(".json"):
            return False
        return len(self.files[path]) < 20_000

    # -- acting -------------------------------------------------------------------------------

    def session(self, acts: int) -> None:
        """Do so many acts, then undo all: the file is the original again."""
        first = self.files
        for _ in range(acts):
            act = self.random.choice(self.acts())
            self.did.append(act.__name__)
            act()
        self.save()
        self.page.goto("/-/steps")
        while self.past:
            self.undo()
        assert self.files == first
        self.save()

    def acts(self) -> list[Callable[[], None]]:
        """What may be done, the usual more often."""
        return [
            *[self.edit_field] * 4, *[self.edit_code] * 2, *[self.wander] * 3, self.conflict,
            self.leave_and_restore, self.undo, self.undo, self.redo, self.save, self.reload,
            self.back, self.keep_tab, self.turn_tab, self.bookmark, self.search, self.go_to_a_step,
        ]  # fmt: skip

    def made(self, path: str, data: bytes) -> None:
        """A step changed a file."""
        self.past.append(self.files)
        self.files = {**self.files, path: data}
        self.future = []
        self.compare(path)

    def compare(self, path: str) -> None:
        """The viewer shows a file as the model has it."""
        shown = self.page.evaluate(_ASK, f"/-/file.json?{urlencode({'path': path})}")
        assert shown is not None, (path, self.did)
        assert shown["text"].rstrip() == self.files[path].decode().rstrip(), (path, self.did)

    def steps(self) -> int:
        """How many steps the viewer has done."""
        done = self.page.evaluate(_ASK, "/-/steps.json")["done"]
        return len(done)

    # -- steps --------------------------------------------------------------------------------

    def edit_field(self) -> None:
        """A field of a form gets another value."""
        path = self.random.choice(self.forms)
        self.page.goto(f"/-/form?{urlencode({'path': path})}")
        self._restored()
        change = self._fill(self.page, path)
        if change is None:
            return
        before = self.steps()
        self._apply(self.page)
        if self.steps() > before:
            self._changed_json(path, *change)
        elif json.loads(self.files[path])[change[0]] == change[1]:
            said = self.page.locator("main [role=status]").all_inner_texts()
            assert "Nothing changed." in said, (path, change, self.did)
        else:
            assert self.page.locator("main [role=alert]").count(), (path, change, self.did)

    def _fill(self, page: Any, path: str) -> tuple[str, object] | None:
        """Fill a field; its key and its value then."""
        value = json.loads(self.files[path])
        boxes = [key for key, each in value.items() if isinstance(each, bool)]
        numbers = [key for key in _NUMBERS if isinstance(value.get(key), int | float)]
        numbers = [key for key in numbers if key not in boxes]
        key = self.random.choice(boxes + numbers) if boxes + numbers else ""
        field = page.locator(f'[name="k:/{key}"], [name="f:/{key}"]')
        if not key or not field.count() or field.is_disabled() or not field.is_editable():
            return None
        if key in boxes:
            field.set_checked(not value[key])
            return key, not value[key]
        number = self.random.randrange(1, 60)
        field.fill(str(number))
        return key, number

    def _apply(self, page: Any) -> None:
        with page.expect_navigation():
            page.locator("form.form button.main").click()

    def _changed_json(self, path: str, key: str, value: object) -> None:
        text = self.page.evaluate(_ASK, f"/-/file.json?{urlencode({'path': path})}")["text"]
        was, now = json.loads(self.files[path]), json.loads(text)
        assert now == was | {key: value}, (path, key, value, self.did)
        self.made(path, text.encode())

    def edit_code(self) -> None:
        """A line is written at the end of some code."""
        if not self.codes:
            return
        path = self.random.choice(self.codes)
        name = path.rpartition("/")[2].removesuffix(".gml")
        if self.page.evaluate(_ASK, f"/-/edit/code/{name}.json") is None:
            return
        if self.random.random() < 0.5:
            self.page.goto(f"/code/{name}")
            self.page.keyboard.press("e")  # the editor takes the place of the lines
        else:
            self.page.goto(f"/-/edit/code/{name}")
        area = self.page.locator(".cm-content")
        area.wait_for()
        self._restored()
        line = f"monkey_{self.random.randrange(1000)} = {self.random.randrange(9)};"
        source = self.page.locator("#source").input_value()
        area.click()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.insert_text(f"\n{line}")
        before = self.steps()
        self.page.keyboard.press("Control+s")
        self.page.locator("[data-said] > *").first.wait_for()
        if self.steps() > before:
            shown = self.page.evaluate(_ASK, f"/-/file.json?{urlencode({'path': path})}")["text"]
            assert shown.strip() == f"{source.rstrip()}\n{line}".strip(), (
                path,
                shown,
                source,
                self.did,
            )
            self.made(path, shown.encode())

    def conflict(self) -> None:
        """Two pages edit one file; a side is chosen of what both changed."""
        path = self.random.choice(self.forms)
        where = f"/-/form?{urlencode({'path': path})}"
        self.page.goto(where)
        self._restored()
        other = self.page.context.new_page()
        other.on("dialog", lambda dialog: dialog.accept())
        other.goto(where)
        first = self._fill(other, path)
        second = self._fill(self.page, path)
        if first is None or second is None:
            other.close()
            return
        before = self.steps()
        self._apply(other)
        other.close()
        if self.steps() > before:
            self._changed_json(path, *first)
        before = self.steps()
        self._apply(self.page)
        rivals = self.page.locator('input[type="radio"]')
        if self.page.locator("input[name=now]").count():
            side = self.random.choice(["theirs", "yours"])
            if rivals.count():
                self.page.locator(f'input[type="radio"][value="{side}"]').check()
            self._apply(self.page)
            if self.steps() > before:
                self._changed_json(path, *second)
        elif self.steps() > before:
            self._changed_json(path, *second)

    def undo(self) -> None:
        """The last step is taken back, by the top bar."""
        self._press("undo", self.past, self.future)

    def redo(self) -> None:
        """It is made again."""
        self._press("redo", self.future, self.past)

    def _press(self, which: str, source: list[Files], to: list[Files]) -> None:
        button = self.page.locator(f'#bench form[action$="/-/{which}"] button:not([disabled])')
        if not button.count() or self.page.locator(".roomedit, .paint").count():  # canvases stay
            self.page.goto("/-/steps")
        assert bool(button.count()) == bool(source), (which, self.did)
        if not source:
            return
        before = self.steps()
        with self.page.expect_navigation():
            button.click()
        wanted = before + (1 if which == "redo" else -1)
        self.page.wait_for_function(
            """async (wanted) => {
                const answer = await fetch("/-/steps.json");
                return (await answer.json()).done.length === wanted;
            }""",
            arg=wanted,
        )
        to.append(self.files)
        self.files = source.pop()
        for path, data in self.files.items():
            if to[-1].get(path) != data:
                self.compare(path)

    def go_to_a_step(self) -> None:
        """A step of the page of all steps is shown."""
        states = [*self.past, self.files, *self.future[::-1]]
        to = self.random.randrange(len(states))
        by = to - len(self.past)
        for _ in range(abs(by)):
            (self.redo if by > 0 else self.undo)()

    def save(self) -> None:
        """The file is written; it has all files as the model has them."""
        self.page.goto("/-/steps")
        button = self.page.locator('#bench form[action$="/-/save"] button:not([disabled])')
        if button.count():
            with self.page.expect_navigation():
                button.click()
        now = plain_files(self.game)
        differing = [path for path in {*now, *self.files} if now.get(path) != self.files.get(path)]
        wrong = [path for path in differing if not self._same_text(path, now)]
        assert not wrong, (wrong, now.get(wrong[0]), self.files.get(wrong[0]), self.did)

    def _same_text(self, path: str, now: Files) -> bool:
        """Code that somebody wrote has its comments and spaces in the viewer alone."""
        return path.endswith(".gml") and path in now and path in self.files

    # -- looking around -----------------------------------------------------------------------

    def wander(self) -> None:
        """A resource is looked at, and a link of its page followed."""
        slug = self.random.choice(_SLUGS)
        listed = self.page.evaluate(_ASK, f"/{slug}.json")
        if not listed or not listed["rows"]:
            return
        self.page.goto(self.random.choice(listed["rows"])["href"])
        links = self.page.locator("main a[href^='/']:visible:not([download])")
        found = links.evaluate_all("links => links.map(link => link.getAttribute('href'))")
        if not found:
            return
        address = self.random.choice(found[:20])
        link = self.page.locator(f'main a[href="{address}"]:visible')
        kind = self.page.evaluate(
            "async (where) => (await fetch(where)).headers.get('content-type')", address
        )
        if kind and kind.startswith("text/html") and link.count():
            link.first.click()
            self.page.wait_for_load_state("load")

    def leave_and_restore(self) -> None:
        """What is typed and left is offered again, and may be taken."""
        path = self.random.choice(self.forms)
        where = f"/-/form?{urlencode({'path': path})}"
        self.page.goto(where)
        self._restored()
        change = self._fill(self.page, path)
        if change is None:
            return
        self.page.goto("/")
        self.page.goto(where)
        offer = self.page.locator(".draft")
        offer.first.wait_for()
        self.page.get_by_role("button", name="Restore").first.click()
        box = self.page.locator(f'[name="k:/{change[0]}"]')
        if box.count():
            assert box.is_checked() == change[1], (path, change, self.did)
        else:
            assert self.page.locator(f'[name="f:/{change[0]}"]').input_value() == str(change[1])
        before = self.steps()
        self._apply(self.page)
        if self.steps() > before:
            self._changed_json(path, *change)

    def _restored(self) -> None:
        """Drafts of acts that were refused are not wanted."""
        for _ in range(self.page.locator(".draft").count()):
            self.page.get_by_role("button", name="Discard").first.click()

    def reload(self) -> None:
        """The page is loaded again."""
        self.page.reload()

    def back(self) -> None:
        """The page before."""
        self.page.go_back()

    def keep_tab(self) -> None:
        """The page is kept in a tab."""
        self._key("t")

    def turn_tab(self) -> None:
        """The next tab is shown."""
        if self.page.locator("#tabs a").count():
            with self.page.expect_navigation():
                self._key("]")

    def bookmark(self) -> None:
        """The page is bookmarked, or no longer."""
        self._key("m")

    def _key(self, key: str) -> None:
        self.page.evaluate("document.activeElement.blur()")
        self.page.keyboard.press(key)
        self.page.wait_for_timeout(100)

    def search(self) -> None:
        """Something is searched while one types."""
        self.page.locator("#q").fill(self.random.choice(["o", "step", "spr", "draw x"]))
        self.page.wait_for_timeout(400)
        self.page.keyboard.press("Escape")
