"""All that is stored about a user, as a zip for the user alone.

`account.json` has the account, its sessions, tokens, bots, checks, contests and challenges,
`matches.jsonl` a match a line, and `bots/` the files of every version. Secrets are not in it: only
their hashes are stored.
"""

from __future__ import annotations

import json
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import APIRouter, Request, Response
from starlette.responses import StreamingResponse

from agon.arena.people.store import PERSON_SUFFIX
from agon.datastore.matches import MatchFilter
from agon.games.registry import game_names
from agon.website.accounts.policy import hold_up
from agon.website.http.match_access import find_matches
from agon.website.identity import Account  # noqa: TC001  FastAPI reads it
from agon.website.render.filters import date
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Receive, Scope, Send

    from agon.datastore.bots import StoredBot
    from agon.datastore.matches import StoredMatch
    from agon.datastore.store import Store
    from agon.datastore.users import User
    from agon.datastore.versions import BotVersion
    from agon.website.site import Site

router = APIRouter(prefix="/account", include_in_schema=False)

CHUNK = 1 << 16
PAGE = 500
MOST_CHALLENGES = 10_000
TIMES = ("created", "entered", "started", "ended", "last_used", "expires", "revoked", "removed")


@router.get("/data.zip")
def download_own_data(request: Request, user: Account) -> Response:
    """The zip; it may be large, so it is written to a file that has no name."""
    site = get_site(request)
    hold_up(site.guard.own_data, f"user {user.id}", site.now_ns())
    file = TemporaryFile()  # noqa: SIM115  the response closes it
    write_own_data(site, user, file)
    return ZipResponse(file, f"agon-{user.name}.zip")


class ZipResponse(StreamingResponse):
    """Sends a file and closes it, also if the client disconnects before."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        super().__init__(iter(lambda: file.read(CHUNK), b""), 200, headers, "application/zip")
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._file:
            await super().__call__(scope, receive, send)


def write_own_data(site: Site, user: User, file: IO[bytes]) -> None:
    """Write the zip, and go back to its begin."""
    bots = site.store.bots.all(owner_id=user.id)
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("account.json", json.dumps(describe_account(site, user, bots), indent=1))
        with archive.open("matches.jsonl", "w", force_zip64=True) as lines:
            for match in _matches(site, user, bots):
                lines.write(json.dumps(_describe_match(match)).encode() + b"\n")
        for bot in bots:
            for version in site.store.versions.of_bot(bot.id):
                for stored in site.store.versions.files(version.id):
                    path = f"{_folder(bot, version)}/{stored.path}"
                    archive.writestr(path, site.store.blobs.get(stored.sha256))
    file.seek(0)


def describe_account(site: Site, user: User, bots: list[StoredBot]) -> dict[str, Any]:
    """The account and what belongs to it, but for matches and files."""
    store = site.store
    return {
        "name": user.name,
        "organiser": user.organiser,
        "created": date(user.created_ns),
        "sessions": [_times(one) for one in store.sessions.of_user(user.id)],
        "tokens": [{"name": one.name, **_times(one)} for one in store.tokens.of_user(user.id)],
        "bots": [
            {
                "id": bot.id,
                "game": bot.game,
                "name": bot.name,
                **_times(bot),
                "versions": [
                    _describe_version(store, bot, one) for one in store.versions.of_bot(bot.id)
                ],
            }
            for bot in bots
        ],
        "contests": [
            {"name": contest.name, "version_id": entry.version_id, **_times(entry)}
            for contest in store.contests.all()
            for entry in store.contests.entries(contest.id)
            if entry.user_id == user.id
        ],
        "challenges": [
            {"game": one.game, "state": one.state, "match": one.match_id, **_times(one)}
            for one in store.bookings.of_user(user.id, MOST_CHALLENGES)
        ],
    }


def _describe_version(store: Store, bot: StoredBot, version: BotVersion) -> dict[str, Any]:
    return {
        "id": version.id,
        "number": version.number,
        "status": version.status,
        "language": version.language,
        "build": version.build,
        "run": version.run,
        "protocol": version.protocol,
        "files": _folder(bot, version),
        **_times(version),
        "checks": [
            {"state": one.state, "output": one.output, **_times(one)}
            for one in store.checks.of_version(version.id)
        ],
    }


def _matches(site: Site, user: User, bots: list[StoredBot]) -> Iterator[StoredMatch]:
    """The matches of the user's bots, and of the user as a person."""
    as_person = [site.store.bots.find(game, user.name + PERSON_SUFFIX) for game in game_names()]
    for bot in (*bots, *[one for one in as_person if one is not None]):
        before = None
        while found := find_matches(site, user, MatchFilter(bot_id=bot.id), PAGE, before):
            yield from found
            before = found[-1].id


def _describe_match(match: StoredMatch) -> dict[str, Any]:
    return {
        "id": match.id,
        "game": match.game,
        "page": f"/matches/{match.id}",
        **_times(match),
        "turns": match.turns,
        "reason": match.reason,
        "rated": match.rated,
        "seats": [
            {"bot": f"{seat.bot}@{seat.number}", "score": seat.score, "fault": seat.fault}
            for seat in match.seats
        ],
    }


def _folder(bot: StoredBot, version: BotVersion) -> str:
    return f"bots/{bot.game}-{bot.id}/{version.number}"


def _times(stored: Any) -> dict[str, str | None]:
    """When something was stored, begun, ended and so on, as far as it has such times."""
    found = {name: getattr(stored, f"{name}_ns") for name in TIMES if hasattr(stored, f"{name}_ns")}
    return {name: None if ns is None else date(ns) for name, ns in found.items()}
