"""A piece of a replay as the answer to a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Response

from agon.website.http.encoding import IDENTITY, choose_encoding
from agon.website.render.assets import ASSETS
from agon.website.replay.replay_cache import replay_cache_of
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Hashable

    from fastapi import Request

    from agon.website.replay.pieces import LoadedMatch
    from agon.website.replay.replay_cache import WantedPiece


def piece_address(folder: str) -> str:
    """Where the page's script finds the piece of a turn; other scripts may read other pieces."""
    return f"{folder}/{{turn}}?v={ASSETS.digest}"


def answer_piece(
    request: Request, key: Hashable, match: LoadedMatch, wanted: WantedPiece, keep: str
) -> Response:
    """A piece of a replay; `keep` says who may keep the answer, and how long.

    SettingError: the match has no such turn or seat.
    """
    encoding = choose_encoding(request.headers.get("accept-encoding", ""))
    piece = replay_cache_of(get_site(request)).find_piece(key, match, wanted, encoding)
    headers = {"Cache-Control": keep, "Vary": "Accept-Encoding"}
    if encoding != IDENTITY:
        headers["Content-Encoding"] = encoding
    return Response(piece, media_type="application/json", headers=headers)
