"""Binary patches between two files, as people share them: BPS, VCDIFF (xdelta3), UPS and IPS.

from overhaul import patches

new = patches.apply(patch, old)
patch = patches.make(old, new, "bps")
patches.describe(patch)
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.patches.kinds import KINDS as KINDS
    from overhaul.patches.kinds import apply as apply
    from overhaul.patches.kinds import describe as describe
    from overhaul.patches.kinds import kind_of_name as kind_of_name
    from overhaul.patches.kinds import make as make
    from overhaul.patches.kinds import writable as writable
    from overhaul.patches.stream import Patch as Patch

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.patches.kinds": "KINDS apply describe kind_of_name make writable",
            "overhaul.patches.stream": "Patch",
        },
    )
