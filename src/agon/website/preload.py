"""What a site does before it opens: the first ones who come may be many at once."""

from __future__ import annotations

from agon.games.registry import all_games
from agon.website.render.boards import draw_board, has_views, look_version
from agon.website.render.pages import templates


def warm_up() -> None:
    """Make what pages and boards share, so that the first visitor does not wait for it."""
    for template in templates().list_templates():
        templates().get_template(template)
    for game in all_games():
        position = game.start()
        for seat in (None, *range(position.seats)):
            draw_board(position.scene(seat))
        has_views(game.name)
        look_version(game.name)
