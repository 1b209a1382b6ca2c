"""Load what all pages share before the site opens: its first visitors may be many at once."""

from __future__ import annotations

from agon.games.registry import all_games
from agon.website.render.boards import look_version
from agon.website.render.pages import templates


def warm_up() -> None:
    for template in templates().list_templates():
        templates().get_template(template)
    for game in all_games():
        look_version(game.name)
