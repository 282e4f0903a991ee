"""The language service over the Language Server Protocol (``overhaul lsp``).

It shows the answers of :mod:`overhaul.language` to editors that speak the protocol, over stdin and
stdout.  Source: the specification of the protocol, 3.17.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.lsp.starting import serve as serve

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(__name__, {"overhaul.lsp.starting": "serve"})
