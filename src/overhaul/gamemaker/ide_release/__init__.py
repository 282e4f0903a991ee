"""Projects of the editor made into those of another release of its format.

>>> from overhaul.gamemaker import ide_release
>>> release = ide_release.named_release("2023.11")
>>> with overhaul.open("Game.yyp") as project:  # doctest: +SKIP
...     made = ide_release.converted_to(project, release)
...     ide_release.refuse_losses(ide_release.losses(made))
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gamemaker.ide_release.converting import converted_to as converted_to
    from overhaul.gamemaker.ide_release.converting import is_convertible as is_convertible
    from overhaul.gamemaker.ide_release.converting import losses as losses
    from overhaul.gamemaker.ide_release.converting import named_release as named_release
    from overhaul.gamemaker.ide_release.converting import refuse_losses as refuse_losses
    from overhaul.gamemaker.ide_release.converting import released as released

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            f"{__name__}.converting": (
                "converted_to is_convertible losses named_release refuse_losses released"
            )
        },
    )
