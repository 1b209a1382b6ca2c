"""Style sheets, scripts and icons: files that change only with the program.

Their addresses carry a hash of all of them, so that browsers may keep them for good, and scripts
that import each other by relative addresses get what belongs together.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Scope

FOLDER = Path(__file__).parents[1] / "static"
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


class Assets(StaticFiles):
    """The files under /static: by their plain names, or for good under the hash."""

    @cached_property
    def digest(self) -> str:
        """The hash of all files and their names."""
        found = sha256()
        for path in sorted(Path(str(self.directory)).rglob("*")):
            if path.is_file():
                found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        return found.hexdigest()[:12]

    def address(self, path: str) -> str:
        """Where a browser finds the file."""
        return f"/static/{self.digest}/{path}"

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file; an address with another hash is an old page's: it gets what there is now."""
        first, _, rest = path.partition("/")
        is_current = first == self.digest
        is_hash = len(first) == len(self.digest) and not set(first) - set("0123456789abcdef")
        response = await super().get_response(rest if is_hash and rest else path, scope)
        response.headers["Cache-Control"] = FOR_GOOD if is_current else ASK_AGAIN
        return response


ASSETS = Assets(directory=FOLDER)
