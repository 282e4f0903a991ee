"""Pages as HTML: the templates, and what all of them may use."""

from __future__ import annotations

import gzip
import hashlib
import re
from importlib.resources import files
from types import CodeType
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from overhaul.suggest import with_article
from overhaul.viewer.opened import capitalised, plural, uncapitalised

if TYPE_CHECKING:
    from overhaul.viewer.opened import ListedResource, Opened

#: The types of the static files there may be.
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
#: A list in a page shows so many of its elements, a text so many lines, a line so many characters.
LISTED = 200
LINES = 5000
LONG = 4000
#: A value of a field that is compared shows so many texts and numbers.
VALUES = 24
#: Static files of so many bytes are sent packed.
_PACKED = 1 << 10
#: where a name may be broken
_BREAKS = re.compile(r"(?<=[/_\\])(?=[^/_\\\s])|(?<=[a-z0-9])(?=[A-Z])")


class Statics:
    """The files of ``static/``, read once; ``version`` changes with any of them."""

    def __init__(self) -> None:
        folder = files("overhaul.viewer").joinpath("static")
        self.files: dict[str, tuple[bytes, str]] = {}
        self._packed: dict[str, bytes] = {}
        for path in folder.iterdir():
            ending = path.name[path.name.rfind(".") :]
            if ending in TYPES:
                self.files[path.name] = path.read_bytes(), TYPES[ending]
        whole = hashlib.sha256()
        for name in sorted(self.files):
            whole.update(name.encode() + b"\0" + self.files[name][0])
        self.version: str = whole.hexdigest()[:12]
        others = sorted(name for name in self.files if name.endswith(".css"))
        self.styles: list[str] = sorted(others, key=lambda name: name != "style.css")

    def href(self, name: str) -> str:
        """The address of a file; another one when any file changed."""
        return f"/-/static/{self.version}/{name}"

    def packed(self, name: str) -> bytes | None:
        """A file packed with gzip, when it is first asked for; None where it is too small."""
        data = self.files[name][0]
        if name not in self._packed and len(data) >= _PACKED:
            self._packed[name] = gzip.compress(data, 6, mtime=0)
        return self._packed.get(name)


class _Compiled(BytecodeCache):
    """Keeps what each template was compiled to, for all environments of the process.

    A notebook makes an environment for each value that it shows.
    """

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Called before a template is compiled."""
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Called after it."""
        assert bucket.code is not None
        self._code[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _Compiled()


def environment(statics: Statics) -> Environment:
    """The environment of the templates; every text is escaped."""
    made = Environment(
        loader=PackageLoader("overhaul.viewer"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_COMPILED,
    )
    made.filters["size"] = size_in_words
    made.filters["capitalised"] = capitalised
    made.filters["uncapitalised"] = uncapitalised
    made.filters["plural"] = plural
    made.filters["counted"] = counted
    made.filters["with_article"] = with_article
    made.filters["breaks"] = breaks
    made.filters["shortened"] = shortened
    made.filters["query"] = lambda values: urlencode({k: v for k, v in values.items() if v})
    made.globals.update(
        LISTED=LISTED,
        LINES=LINES,
        LONG=LONG,
        VALUES=VALUES,
        link=link,
        statics=statics,
        static=statics.href,
    )
    return made


def link(here: Opened, value: object, key: str = "") -> ListedResource | None:
    """The resource that a value of a field names; a resource's own name is not a link, and neither
    is a number: rooms of some games have them as names."""
    is_number = isinstance(value, str) and value.isdecimal()
    return None if key == "name" or is_number else here.find(value)


def counted(number: int, noun: str) -> str:
    """``1 frame``, ``2 frames``."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def breaks(name: object) -> Markup:
    """A name or path, escaped, that a line may break behind slashes and ``_``, and before
    a capital letter."""
    return Markup(_BREAKS.sub("<wbr>", str(escape(name))))


def shortened(value: object, most: int = VALUES) -> object:
    """A value of JSON with its first ``most`` texts and numbers, and how many others there are."""
    return _shortened(value, [most])


def _shortened(value: object, left: list[int]) -> object:
    if isinstance(value, dict):
        shortened: dict[str, object] = {}
        for key, each in value.items():
            if left[0] <= 0:
                return {**shortened, "…": f"{len(value) - len(shortened)} more"}
            shortened[str(key)] = _shortened(each, left)
        return shortened
    if isinstance(value, list):
        listed: list[object] = []
        for item in value:
            if left[0] <= 0:
                return [*listed, f"… {len(value) - len(listed)} more"]
            listed.append(_shortened(item, left))
        return listed
    left[0] -= 1
    return value


def size_in_words(size: int | None) -> str:
    """A size in bytes: ``712 B``, ``1.4 kB``, ``26.0 MB``; nothing for None."""
    if size is None:
        return ""
    if size < 1000:
        return f"{size} B"
    value = size / 1000
    for unit in ("kB", "MB"):
        if value < 999.95:
            return f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
