"""A picture of each game in the middle of a match, for the page on which one is chosen."""

from __future__ import annotations

from functools import cache
from random import Random

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from agon.games.registry import find_game, game_names
from agon.games.svg import format_svg
from agon.website.http.errors import not_found
from agon.website.replay.match_pages import KEEP, PICTURE_POLICY
from agon.website.site import get_site

router = APIRouter(include_in_schema=False)

SEED = 4


@router.get("/play/pictures/{game}.svg")
async def show_picture(request: Request, game: str) -> Response:
    """It comes when the rules of the game are ready: no page waits for it."""
    if game not in game_names():
        raise not_found(f"There is no game {game[:40]!r}")
    await get_site(request).until_ready(game)
    picture = await run_in_threadpool(draw_picture, game)
    headers = {"Cache-Control": KEEP, "Content-Security-Policy": PICTURE_POLICY}
    return Response(picture, media_type="image/svg+xml", headers=headers)


@cache
def draw_picture(name: str) -> str:
    """A position that chance has led to; always the same."""
    rng = Random(SEED)  # noqa: S311  not a secret
    game = find_game(name)
    position = game.start(seed=SEED)
    for _ in range(game.picture_turns):
        if not position.to_act:
            break
        position = position.play(
            {seat: position.random_turn(seat, rng) for seat in position.to_act}
        )
    return format_svg(position.scene(None))
