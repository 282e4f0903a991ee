"""The pages of what only GameMaker has."""

from __future__ import annotations

from typing import Final

#: The class of a resource -> its page, in a module of :mod:`overhaul.viewer.pages`.
PAGES: Final = (
    ("overhaul.gamemaker.data.resources.code:Code", "gamemaker.code:CODE"),
    ("overhaul.gamemaker.data.resources.curves:AnimationCurve", "gamemaker.plots:CURVE"),
    ("overhaul.gamemaker.data.resources.fonts:Font", "gamemaker.fonts:FONT"),
    ("overhaul.gamemaker.data.resources.particles:ParticleEmitter", "gamemaker.particles:EMITTER"),
    ("overhaul.gamemaker.data.resources.particles:ParticleSystem", "gamemaker.particles:SYSTEM"),
    ("overhaul.gamemaker.data.resources.sequences:Sequence", "gamemaker.sequences:SEQUENCE"),
    ("overhaul.gamemaker.data.resources.shaders:Shader", "gamemaker.shaders:SHADER"),
    ("overhaul.gamemaker.data.resources.backgrounds:TexturePage", "gamemaker.textures:PAGE"),
    ("overhaul.gamemaker.classic.surface.assets:Font", "gamemaker.system_fonts:SYSTEM_FONT"),
    ("overhaul.gamemaker.classic.surface.objects:Constants", "gamemaker.constants:CONSTANTS"),
)
#: The same for what no class of another family shows.
VIEWS: Final = (
    ("overhaul.document.views:PathView", "gamemaker.plots:PATH"),
    ("overhaul.document.views:ObjectView", "gamemaker.objects:OBJECT"),
    ("overhaul.document.views:TimelineView", "gamemaker.objects:TIMELINE"),
    ("overhaul.document.views:SourceView", "gamemaker.sources:SOURCE"),
)
_GAME: Final = "overhaul.gamemaker.data.game:GameData"
_PROJECT: Final = "overhaul.gamemaker.classic.documents.games:GameDocument"
#: By the class of a document: the finder of the uses of a resource, the page of the calls of code,
#: whether the users of a kind are counted, the counts, and the editor of a resource.
USES: Final = ((_GAME, "gamemaker.calls:uses_of"), (_PROJECT, "gamemaker.mentions:uses_of"))
CALLS: Final = ((_GAME, "gamemaker.calls:calls_href"),)
COUNTED: Final = ((_PROJECT, "gamemaker.mentions:are_counted"),)
COUNTS: Final = ((_PROJECT, "gamemaker.mentions:counts_of"),)
_DOCUMENTS: Final = "overhaul.gamemaker.classic.documents"
#: The kinds of projects that a document becomes, and what makes one.
PROJECTS: Final = (
    (_GAME, "gamemaker.converting:of_game"),
    ("overhaul.gamemaker.ide.document:IdeProjectDocument", "gamemaker.converting:of_ide_project"),
    (f"{_DOCUMENTS}.project:ProjectDocument", "gamemaker.converting:of_classic"),
    (f"{_DOCUMENTS}.executable:ExecutableDocument", "gamemaker.converting:of_classic"),
)
MAKES: Final = tuple((kind, "gamemaker.converting:made") for kind, _ in PROJECTS)
EDITS: Final = tuple((each, "gamemaker.moments:edits_of") for each in (_GAME, _PROJECT))
ALL_EVENTS: Final = tuple(
    (each, "gamemaker.allevents:all_events_href") for each in (_GAME, _PROJECT)
)
