"""How to take part: for each game its rules with pictures, its protocol, and starter bots."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import FileResponse, HTMLResponse

from agon.games.registry import all_games
from agon.website.http.errors import not_found
from agon.website.learn.articles import all_guides, find_page, guide, protocol_of, rules_of
from agon.website.learn.pictures import draw_pictures
from agon.website.learn.starter_kits import first_steps, kits_of, pack_kit
from agon.website.ranking.pages import game_of
from agon.website.render.boards import draw_glyphs, look_address
from agon.website.render.pages import render
from agon.website.site import get_site

router = APIRouter(include_in_schema=False)

FIRST_BOT = "write-a-bot.md"
KEEP = "public, max-age=3600"

Word = Annotated[str, Path(max_length=40)]


@router.get("/learn", response_class=HTMLResponse)
def learn(request: Request) -> Response:
    """Where to begin."""
    return render(
        request,
        "learn.html",
        cards=[(game, rules_of(game.name), kits_of(game.name)) for game in all_games()],
        first_bot=find_page(FIRST_BOT),
        guides=[(name, guide(name).title, words) for name, words in all_guides().items()],
    )


@router.get("/learn/guides/{name}", response_class=HTMLResponse)
def guide_page(request: Request, name: Word) -> Response:
    """A page about something that all games share."""
    if name not in all_guides():
        raise not_found(f"There is no guide {name!r}")
    return render(request, "learn_guide.html", article=guide(name))


@router.get("/learn/{game}", response_class=HTMLResponse)
def rules_page(request: Request, game: Word) -> Response:
    """The rules of a game, with pictures."""
    found = game_of(game)
    return render(
        request,
        "learn_rules.html",
        game=found,
        tab="rules",
        article=rules_of(game),
        pictures=draw_pictures(game),
        look=look_address(game),
        glyphs=draw_glyphs(game),
    )


@router.get("/learn/{game}/protocol", response_class=HTMLResponse)
def protocol_page(request: Request, game: Word) -> Response:
    """What programs and the arena tell each other."""
    found = game_of(game)
    article = protocol_of(game)
    return render(request, "learn_protocol.html", game=found, tab="protocol", article=article)


@router.get("/learn/{game}/starters", response_class=HTMLResponse)
def starters_page(request: Request, game: Word) -> Response:
    """Bots to begin from."""
    found = game_of(game)
    kits = kits_of(game)
    if not kits:
        raise not_found(f"{found.title} has no starters yet")
    first = next((kit for kit in kits if kit.language == "python"), *kits[:1])
    return render(
        request,
        "learn_starters.html",
        game=found,
        tab="starters",
        kits=kits,
        first=first,
        steps=first_steps(first),
        downloads=get_site(request).settings.downloads,
    )


@router.get("/learn/{game}/starters/{language}.zip")
def download_starter(game: Word, language: Word) -> Response:
    """A starter's folder, packed."""
    found = game_of(game)
    if language not in [kit.language for kit in kits_of(game)]:
        raise not_found(f"{found.title} has no starter in {language!r}")
    headers = {
        "Content-Disposition": f'attachment; filename="{game}-{language}.zip"',
        "Cache-Control": KEEP,
    }
    return Response(pack_kit(game, language), media_type="application/zip", headers=headers)


@router.get("/download/{name}")
def download(request: Request, name: Word) -> Response:
    """Agon itself: the wheel that contestants install, or its source."""
    downloads = get_site(request).settings.downloads
    file = None if downloads is None else downloads.find(name)
    if file is None:
        raise not_found(f"There is no download {name!r}")
    return FileResponse(file, media_type="application/octet-stream", filename=name)
