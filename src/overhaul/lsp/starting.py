"""Starting a language server, where its packages are installed."""

from __future__ import annotations

from importlib import import_module

from overhaul.errors import WorkspaceError

#: the packages of the extra ``[lsp]``
_NEEDED = ("pygls", "lsprotocol", "attrs", "cattrs")


def serve() -> None:
    """Answer an editor over stdin and stdout until it ends the conversation.

    Raises WorkspaceError where the packages of ``overhaul[lsp]`` are not installed.
    """
    try:
        server = import_module("overhaul.lsp.server")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _NEEDED:
            raise
        raise WorkspaceError(
            f"the language server needs the package {error.name}: pip install 'overhaul[lsp]'"
        ) from error
    server.Server().start_io()
