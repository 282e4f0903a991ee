"""``overhaul lsp`` as an editor sees it: once in a process of its own, else on a thread."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import loops
import overhaul
from ide_projects import modern_project, studio_project, write
from lsp_editor import Editor, edited, editing
from modded_games import lantern as packed_lantern
from overhaul.errors import WorkspaceError
from overhaul.lsp import serve, starting

pytest.importorskip("pygls", reason="the extra [lsp] is not installed")

STEP = "code/gml_Object_obj_keeper_Step_0.gml"
CREATE = "code/gml_Object_obj_keeper_Create_0.gml"


@pytest.fixture(scope="session")
def lantern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lantern") / "lantern.win"
    path.write_bytes(packed_lantern("current"))
    return path


@pytest.fixture(scope="session")
def unpacked(lantern: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("unpacked") / "a game"
    overhaul.unpack(lantern, path)
    return path


@pytest.fixture
def folder(unpacked: Path, tmp_path: Path) -> Path:
    return shutil.copytree(unpacked, tmp_path / "a game")


def run(folder: Path, steps: Callable[[Editor], Awaitable[None]], *, process: bool = False) -> None:
    """Let an editor do something."""

    async def main() -> None:
        async with editing(folder, process=process) as editor:
            await steps(editor)

    loops.run(main())


def test_reports_follow_what_is_typed_and_saved(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        text = editor.open(STEP)
        editor.type(STEP, text + "\nx = hpp;\n")
        await editor.reported(STEP, "unknown variable hpp")
        found = editor.diagnostics[STEP][0]
        assert found.severity == editor.lsp.DiagnosticSeverity.Warning
        assert (found.range.start.line, found.range.start.character) == (16, 4)
        assert found.range.end.character == 7
        editor.type(STEP, text + "\nx = (;\n")
        await editor.reported(STEP, "expected a value, got ';'")
        assert editor.diagnostics[STEP][0].severity == editor.lsp.DiagnosticSeverity.Error
        editor.type(STEP, text)
        await editor.reported(STEP)
        # a mistake in JSON is what packing says once it is saved
        path = "objects/obj_wall/object.json"
        editor.type(path, editor.open(path).replace("spr_wall", "spr_wal"))
        editor.save(path)
        said = "sprite: there is no sprite named 'spr_wal' (did you mean 'spr_wall'?)"
        await editor.reported(path, said)

    run(folder, steps, process=True)


def test_files_that_others_change_count(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        text = editor.open(STEP)
        editor.type(STEP, text + "\nx = given_there;\n")
        await editor.reported(STEP, "unknown variable given_there")
        for _ in range(100):
            if editor.watching:
                break
            await asyncio.sleep(0.05)
        assert editor.watching[0].register_options
        (editor.folder / CREATE).write_text("walk_speed = 1; light = 1; given_there = 3;\n")
        changed = editor.lsp.FileEvent(editor.uri(CREATE), editor.lsp.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(
            editor.lsp.DidChangeWatchedFilesParams([changed])
        )
        await editor.reported(STEP)

    run(folder, steps)


def test_what_an_editor_asks_of_names(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        lsp, client = editor.lsp, editor.client
        text = editor.open(STEP)
        # characters beyond 16 bits count twice
        editor.type(STEP, f'var moon = "\U0001f319"; walk\n{text}\ndraw_sprite_ext(spr_glow, ')
        document = editor.document(STEP)
        at = editor.place(STEP, "; walk", behind=True)
        offered = await client.text_document_completion_async(lsp.CompletionParams(document, at))
        best = offered.items[0]
        assert best.label == best.text_edit.new_text == "walk_speed"
        assert best.text_edit.range.start.character == at.character - 4
        hover = await client.text_document_hover_async(
            lsp.HoverParams(document, editor.place(STEP, "place_meeting"))
        )
        assert hover.contents.value.startswith("```gml\nplace_meeting(")
        call = await client.text_document_signature_help_async(
            lsp.SignatureHelpParams(document, editor.place(STEP, "spr_glow, ", behind=True))
        )
        assert call.active_parameter == 1
        assert call.signatures[0].label.startswith("draw_sprite_ext(")
        where = await client.text_document_definition_async(
            lsp.DefinitionParams(document, editor.place(STEP, "walk_speed"))
        )
        assert [editor.path(each.uri) for each in where] == [CREATE]
        uses = await client.text_document_references_async(
            lsp.ReferenceParams(
                lsp.ReferenceContext(True), document, editor.place(STEP, "obj_wall")
            )
        )
        assert {"order.json", "rooms/rm_cave.json", STEP} <= {editor.path(u.uri) for u in uses}
        room = "rooms/rm_cave.json"
        editor.open(room)
        there = lsp.DefinitionParams(editor.document(room), editor.place(room, "obj_wall"))
        (found, *_) = await client.text_document_definition_async(there)
        assert editor.path(found.uri) == "objects/obj_wall/object.json"

    run(folder, steps)


def test_what_an_editor_asks_of_a_file(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        lsp, client = editor.lsp, editor.client
        path = "code/gml_GlobalScript_scr_flicker.gml"
        editor.open(path)
        document = editor.document(path)
        shown = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
        assert [each.name for each in shown] == ["scr_flicker"]
        found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("flick"))
        assert [(each.name, editor.path(each.location.uri)) for each in found] == [
            ("scr_flicker", path)
        ]
        lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(document))
        assert [each.command.title for each in lenses] == ["1 use"]
        folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
        assert folds
        colours = await client.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(document)
        )
        legend = editor.started.capabilities.semantic_tokens_provider.legend
        assert legend.token_types[colours.data[3]] == "keyword"  # function
        assert legend.token_types[colours.data[8]] == "function"  # its name
        before = editor.texts[path]
        editor.type(path, before.replace("    ", " ").replace(" = ", "="))
        options = lsp.FormattingOptions(4, True)
        edits = await client.text_document_formatting_async(
            lsp.DocumentFormattingParams(document, options)
        )
        assert edited(editor.texts[path], edits) == before

    run(folder, steps)


def test_a_rename_packs_and_does_what_it_says(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        lsp, client = editor.lsp, editor.client
        editor.open(STEP)
        document = editor.document(STEP)

        async def rename(word: str, new: str) -> None:
            at = editor.place(STEP, word)
            range_ = await client.text_document_prepare_rename_async(
                lsp.PrepareRenameParams(document, at)
            )
            assert range_.end.character - range_.start.character == len(word)
            editor.apply(
                await client.text_document_rename_async(lsp.RenameParams(document, at, new))
            )
            editor.type(STEP, (editor.folder / STEP).read_text())
            files = lsp.DidChangeWatchedFilesParams(
                [lsp.FileEvent(editor.uri("order.json"), lsp.FileChangeType.Changed)]
            )
            client.workspace_did_change_watched_files(files)

        await rename("walk_speed", "pace")
        await rename("obj_wall", "obj_stone")
        await rename("dx", "across")
        with pytest.raises(Exception, match="light is taken"):
            await rename("pace", "light")
        with pytest.raises(Exception, match="can't be renamed"):
            await rename("place_meeting", "meeting")
        written = await client.workspace_execute_command_async(
            lsp.ExecuteCommandParams("overhaul.pack", arguments=[editor.uri(STEP)])
        )
        with overhaul.open_game(written) as game:
            assert [each.name for each in game.objects].count("obj_stone") == 1
            assert "obj_wall" not in [each.name for each in game.objects]
            step = game.code["gml_Object_obj_keeper_Step_0"].gml
            assert "x + across * pace, y, obj_stone" in step
            assert game.code["gml_Object_obj_keeper_Create_0"].gml.startswith("pace = ")
            placed = game.rooms["rm_cave"].instances[0].object
            assert placed is not None
            assert placed.name == "obj_stone"

    run(folder, steps)


def raw(folder: Path, *messages: dict[str, object]) -> tuple[int, list[dict[str, object]], str]:
    """The exit code of the command, its answers to requests and what it logs."""
    head: list[dict[str, object]] = [
        {"id": 0, "method": "initialize", "params": {"capabilities": {}, "processId": None,
         "rootUri": folder.as_uri()}},
        {"method": "initialized", "params": {}},
    ]  # fmt: skip
    said = [json.dumps({"jsonrpc": "2.0", **message}) for message in (*head, *messages)]
    done = subprocess.run(
        [sys.executable, "-m", "overhaul", "lsp"],
        input="".join(f"Content-Length: {len(each)}\r\n\r\n{each}" for each in said).encode(),
        capture_output=True,
        timeout=60,
    )
    bodies = re.split(rb"Content-Length: \d+\r\n.*?\r\n\r\n", done.stdout, flags=re.DOTALL)[1:]
    answers = [json.loads(body) for body in bodies]
    return done.returncode, [each for each in answers if "id" in each], done.stderr.decode()


def test_requests_with_invalid_parameters_get_an_error_and_the_end_is_clean(folder: Path) -> None:
    place = {"textDocument": {"uri": (folder / STEP).as_uri()}}
    wrong: list[object] = [
        None, {}, [], "x", {"textDocument": 3}, {"textDocument": {"uri": 5}}, place,
        {**place, "position": "x"}, {**place, "position": {"line": -1, "character": "y"}},
    ]  # fmt: skip
    requests: list[dict[str, object]] = [
        {"id": number, "method": "textDocument/hover", "params": params}
        for number, params in enumerate(wrong, 1)
    ]
    packing: list[dict[str, object]] = [
        {"id": 50 + number, "method": "workspace/executeCommand",
         "params": {"command": "overhaul.pack", "arguments": arguments}}
        for number, arguments in enumerate([[], [5], [1, 2]])
    ]  # fmt: skip
    end: list[dict[str, object]] = [{"id": 99, "method": "shutdown"}, {"method": "exit"}]
    code, answers, log = raw(folder, *requests, *packing, *end)
    errors: dict[object, Any] = {
        answer["id"]: answer["error"] for answer in answers if "error" in answer
    }
    assert code == 0 and "closed file" not in log
    for number in range(1, len(wrong) + 1):
        assert errors[number] == {
            "code": -32602,
            "message": "textDocument/hover: invalid parameters",
        }
    assert [errors[number]["code"] for number in range(50, 53)] == [-32602, -32803, -32602]
    assert answers[-1] == {"id": 99, "jsonrpc": "2.0", "result": None}


def test_an_end_without_shutdown_is_an_error(folder: Path) -> None:
    assert raw(folder, {"method": "exit"})[0] == 1


def test_editors_that_do_not_rename_files_are_refused_whole(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        lsp, client = editor.lsp, editor.client
        editor.open(STEP)
        document = editor.document(STEP)
        params = lsp.RenameParams(document, editor.place(STEP, "obj_wall"), "obj_stone")
        with pytest.raises(Exception, match="this editor does not rename files"):
            await client.text_document_rename_async(params)
        params = lsp.RenameParams(document, editor.place(STEP, "walk_speed"), "pace")
        edit = await client.text_document_rename_async(params)  # which renames no file
        assert edit.document_changes is None
        assert editor.uri(STEP) in edit.changes

    async def edit() -> None:
        async with editing(folder, document_changes=False) as editor:
            await steps(editor)

    loops.run(edit())


@pytest.mark.parametrize("answer", ["Replace", "Cancel", ""])
def test_packing_asks_before_it_replaces_a_newer_build(
    folder: Path, with_cache: Path, answer: str
) -> None:
    target = folder.parent / "lantern.win"
    target.write_bytes(packed_lantern("current"))
    with overhaul.open_game(target) as game:
        game.objects.add("obj_of_the_update")
        game.save(target, force=True)
    target.with_name("lantern.win.bak").unlink()
    before = target.read_bytes()

    async def steps(editor: Editor) -> None:
        editor.answer = answer
        params = editor.lsp.ExecuteCommandParams("overhaul.pack", arguments=[editor.uri(STEP)])
        if answer == "Replace":
            assert await editor.client.workspace_execute_command_async(params) == str(target)
            assert target.with_name("lantern.win.bak").read_bytes() == before
        else:
            with pytest.raises(Exception, match=r"lantern\.win is another build of the game"):
                await editor.client.workspace_execute_command_async(params)
        assert [text.split(" is ")[0] for text in editor.messages] == [str(target)]

    (folder / STEP).write_text("x = 1;\n")
    run(folder, steps)
    assert (target.read_bytes() == before) is (answer != "Replace")


@pytest.mark.parametrize("name", [".bashrc", "thesis.odt"])
def test_packing_replaces_nothing_that_a_stranger_names(folder: Path, name: str) -> None:
    file = folder.parent / name
    file.write_bytes(b"of mine")
    toml = folder / "overhaul.toml"
    toml.write_text(toml.read_text().replace('"lantern.win"', f'"{name}"'))

    async def steps(editor: Editor) -> None:
        editor.answer = "Replace"
        params = editor.lsp.ExecuteCommandParams("overhaul.pack", arguments=[editor.uri(STEP)])
        with pytest.raises(Exception, match=r"hidden|not of the kind"):
            await editor.client.workspace_execute_command_async(params)

    run(folder, steps)
    assert file.read_bytes() == b"of mine"


def test_files_outside_of_folders_have_no_answers(tmp_path: Path) -> None:
    (tmp_path / "a.gml").write_text("x = 1;\n")

    async def steps(editor: Editor) -> None:
        editor.open("a.gml")
        hover = editor.lsp.HoverParams(editor.document("a.gml"), editor.lsp.Position(0, 0))
        assert await editor.client.text_document_hover_async(hover) is None

    run(tmp_path, steps)


def test_without_its_packages_the_server_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name="pygls")

    monkeypatch.setattr(starting, "import_module", missing)
    with pytest.raises(WorkspaceError, match=r"pip install 'overhaul\[lsp\]'"):
        serve()


def test_the_command_has_help() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "overhaul", "lsp", "--help"], capture_output=True, text=True
    )
    assert "Language Server Protocol" in done.stdout


def test_a_project_of_the_editor(tmp_path: Path) -> None:
    path = modern_project(tmp_path / "game")
    code = "objects/obj_b/Create_0.gml"
    write(path.parent, code, "x = 1;\nshow_debug_message(obj_a);\n")

    async def steps(editor: Editor) -> None:
        editor.open(code)
        await editor.reported(code)
        editor.type(code, "x = ;\nshow_debug_message(obj_a);\n")
        await editor.reported(code, "expected a value, got ';'")
        editor.type(code, "x = 1;\nshow_debug_message(obj_a);\n")
        await editor.reported(code)
        edit = await editor.client.text_document_rename_async(
            editor.lsp.RenameParams(editor.document(code), editor.place(code, "obj_a"), "obj_wall")
        )
        editor.apply(edit)
        (path.parent / "sounds/snd_a/snd_a.wav").unlink()
        editor.save(code)
        said = "soundFile: sounds/snd_a/snd_a.wav is not there: the sound of snd_a"
        await editor.reported("sounds/snd_a/snd_a.yy", said)

    run(path.parent, steps)
    assert (path.parent / "objects/obj_wall/obj_wall.yy").is_file()
    assert overhaul.open_project(path).objects["obj_b"].parent is not None


def test_code_in_the_xml_of_studio_1(tmp_path: Path) -> None:
    path = studio_project(tmp_path / "game")
    code = "rooms/rm_code.room.gmx"
    text = "<room>\n  <code>if (1 &lt; 2) show_debug_message(&quot;a&quot;);\n</code>\n</room>\n"
    write(path.parent, code, text)

    async def steps(editor: Editor) -> None:
        editor.open(code)
        await editor.reported(code)
        editor.type(code, text.replace("show_debug_message", "show_debug_massage"))
        said = "unknown function show_debug_massage (did you mean show_debug_message?)"
        await editor.reported(code, said)
        (one,) = editor.diagnostics[code]
        assert one.range.start == editor.place(code, "show_debug_massage")
        assert one.range.end == editor.place(code, "show_debug_massage", behind=True)
        editor.type(code, text)
        await editor.reported(code)
        hover = await editor.client.text_document_hover_async(
            editor.lsp.HoverParams(editor.document(code), editor.place(code, "show_debug_message"))
        )
        assert "show_debug_message" in hover.contents.value

    run(path.parent, steps)
