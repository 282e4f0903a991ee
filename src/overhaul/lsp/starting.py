"""Starting a language server, where its packages are installed."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from overhaul.errors import WorkspaceError

#: the packages of the extra ``[lsp]``
_NEEDED = ("pygls", "lsprotocol", "attrs", "cattrs")


def serve() -> bool:
    """Answer an editor over stdin and stdout until it ends the conversation.

    False if it ended without the request ``shutdown``, which the protocol calls an error.
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
    answering = server.Server()
    # pygls closes its output at the end, and sys.stdout is flushed after that
    answering.start_io(stdout=os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
    ended: bool = answering.is_ended
    return ended
