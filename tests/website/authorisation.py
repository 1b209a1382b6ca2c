"""Who may do what: every route of the site, and what it answers to whom.

A new route needs a row here; `test_authorisation.py` fails until it is there. A row's key
is the method and the route as the application knows it. Its names in braces are filled in from
the scene (`Scene.ids`): they name things of the user `owner`. `other` is a user who has nothing to
do with them; `organiser` is one.
"""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from agon.arena.live_matches import LiveMatches
from agon.arena.people.party import Party, Person
from agon.datastore import (
    BookingKind,
    ContestState,
    NewBooking,
    NewBot,
    NewContest,
    NewFile,
    NewVersion,
    Store,
)
from agon.games.hive.game import GAME
from agon.match.transcript import Fault, format_transcript
from agon.website.accounts.policy import AccountPolicy
from agon.website.site import Site, SiteSettings
from tests.cli.samples import OPENING, forfeit, transcript_of
from tests.datastore.samples import make_match
from tests.website.bots.packing import pack, tiny_files
from tests.website.people import CHEAP, NOON, PASSWORD, SECOND

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ROLES = ("anonymous", "other", "owner", "organiser")
OUTSIDE = {"/static", "/mebipenny"}
"""What is mounted and has no rights to check: public files, and servers of their own."""
TRANSCRIPT = forfeit(transcript_of(*OPENING), 1, Fault.TIMEOUT, "too slow")


@dataclass(frozen=True)
class Row:
    """What a route answers to each role, and what it is sent."""

    anonymous: int
    other: int
    owner: int
    organiser: int
    form: Mapping[str, str | list[str]] | None = None
    json: Any = None
    files: Mapping[str, tuple[str, bytes]] | None = None
    path: str | None = None
    """In place of the route's own, with a query for instance."""


@dataclass(frozen=True)
class Scene:
    """A site with something of everything on it."""

    site: Site
    ids: Mapping[str, object]
    """What stands for a name in braces."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """The secret of each role's session."""

    def close(self) -> None:
        """End all that goes on in it."""
        self.site.plays.close()
        self.site.store.close()


def fill(store: Store) -> dict[str, object]:
    """People and their things; what stands for which name in braces."""
    for role in ROLES[1:]:
        hashed = CHEAP.hash(PASSWORD)
        user = store.users.add(role, hashed, NOON, organiser=role == "organiser")
        store.sessions.add(user.id, session_secret(role), NOON, NOON + 86_400 * SECOND)
    owner = store.users.find("owner")
    assert owner
    token = store.tokens.add(owner.id, "laptop", "agon_owner", NOON)
    bot = store.bots.add(NewBot("hive", "crawler", NOON, owner_id=owner.id))
    files = {"bot.py": NewFile(b"print('hello')\n")}
    version = store.versions.add(bot.id, NewVersion(NOON, run="python3 bot.py", files=files))
    transcript = format_transcript(TRANSCRIPT).encode()
    match = make_match([version.id, version.id], (2, 0), transcript=transcript, options={})
    check = store.checks.add(version.id, NOON)
    booking = store.bookings.add(
        NewBooking(
            BookingKind.CHALLENGE,
            "hive",
            asdict(GAME.options()),
            1,
            (version.id, version.id),
            NOON,
            requested_by=owner.id,
        )
    )
    contest = store.contests.add(NewContest("Cup", "hive", "swiss"), owner.id, NOON)
    store.contests.publish(contest.id, True)
    store.contests.set_state(contest.id, ContestState.OPEN)
    store.contests.enter(contest.id, version.id, owner.id, NOON)
    return {
        "contest_id": contest.id,
        "version_id": version.id,
        "check_id": check.id,
        "booking_id": booking.id,
        "name": "owner",
        "token_id": token.id,
        "bot_id": bot.id,
        "number": version.number,
        "match_id": store.record_match(match),
        "turn": 2,
        "game": "hive",
        "language": "python",
        "key": "hive-1",
    }


def session_secret(role: str) -> str:
    """The secret of the session of that role."""
    return f"{role}-session-secret"


def open_scene(template: Path, ids: Mapping[str, object], file: Path) -> Scene:
    """A scene of its own, on a copy of a store that `fill` has filled; close its store."""
    shutil.copy(template, file)
    live_matches = LiveMatches()
    live_matches.begin(GAME, ("crawler", "random"), GAME.start(), NOON)
    site = Site(
        Store.open(file),
        live_matches,
        lambda: NOON + SECOND,
        SiteSettings(),
        AccountPolicy(passwords=CHEAP),
    )
    owner = site.store.users.find("owner")
    assert owner
    players = (Person(user_id=owner.id, name=owner.name), None)
    play = site.plays.open(Party(GAME, GAME.options(), players))
    known = {**ids, "play": play.key}
    return Scene(site, known, {role: session_secret(role) for role in ROLES[1:]})


FOR_ALL = Row(200, 200, 200, 200)
TO_ITS_PAGE = Row(303, 303, 303, 303)
FOR_USERS = Row(303, 200, 200, 200)
UPLOAD = {"zip": ("bot.zip", pack(tiny_files()))}
REPLAY = {"file": ("match.json", format_transcript(TRANSCRIPT).encode())}
CHALLENGE = {"game": "hive", "players": [{"bot_id": 1}, {"bot_id": 1}]}
NEW_CONTEST = {"name": "League", "game": "hive", "format": "swiss"}
NEW_PASSWORD = {"old": PASSWORD, "new": "battery staple", "again": "battery staple"}

ROWS: dict[str, Row] = {
    # watch
    "GET /": FOR_ALL,
    "GET /matches": FOR_ALL,
    "GET /matches/{match_id}": FOR_ALL,
    "GET /matches/{match_id}/replay/{turn}": FOR_ALL,
    "GET /matches/{match_id}/transcript": FOR_ALL,
    "GET /matches/{match_id}/transcript.gz": FOR_ALL,
    "GET /matches/{match_id}/turn-{turn}.svg": FOR_ALL,
    "GET /live": FOR_ALL,
    "GET /live/events": FOR_ALL,
    "GET /live/{key}": FOR_ALL,
    "GET /live/{key}/events": FOR_ALL,
    "GET /replay": FOR_ALL,
    "POST /replay": Row(200, 200, 200, 200, files=REPLAY),
    "GET /replay/{key}/{turn}": Row(404, 404, 404, 404),
    "GET /looks/{name}.css": Row(200, 200, 200, 200, path="/looks/hive.css"),
    "GET /looks/{name}.svg": Row(200, 200, 200, 200, path="/looks/hive.svg"),
    # rank and learn
    "GET /games/{game}": FOR_ALL,
    "GET /games/{game}/matrix": FOR_ALL,
    "GET /bots/{bot_id}": FOR_ALL,
    "GET /bots/{bot_id}/versions/{number}": FOR_ALL,
    "GET /users/{name}": FOR_ALL,
    "GET /docs": FOR_ALL,
    "GET /learn": FOR_ALL,
    "GET /learn/guides/{name}": Row(200, 200, 200, 200, path="/learn/guides/sandbox"),
    "GET /learn/{game}": FOR_ALL,
    "GET /learn/{game}/protocol": FOR_ALL,
    "GET /learn/{game}/starters": FOR_ALL,
    "GET /learn/{game}/starters/{language}.zip": FOR_ALL,
    "GET /download/{name}": Row(404, 404, 404, 404),
    # bots and challenges
    "GET /upload": FOR_USERS,
    "POST /upload": Row(303, 303, 303, 303, files=UPLOAD),
    "GET /bots/{bot_id}/upload": Row(303, 403, 200, 403),
    "POST /bots/{bot_id}/upload": Row(303, 403, 303, 403, files=UPLOAD),
    "GET /bots/{bot_id}/edit": Row(303, 403, 200, 200),
    "POST /bots/{bot_id}/versions/{number}/withdraw": Row(303, 403, 303, 303, form={}),
    "POST /bots/{bot_id}/versions/{number}/activate": Row(303, 403, 409, 403, form={}),
    "POST /bots/{bot_id}/versions/{number}/check": Row(303, 403, 409, 403, form={}),
    "GET /bots/{bot_id}/delete": Row(303, 403, 200, 200),
    "POST /bots/{bot_id}/delete": Row(303, 403, 303, 303, form={}),
    "GET /checks/{check_id}": Row(303, 404, 200, 404),
    "GET /checks/{check_id}/events": Row(303, 404, 200, 404),
    "GET /matches/{match_id}/log": Row(303, 403, 200, 403, path="/matches/{match_id}/log?seat=0"),
    "GET /matches/{match_id}/log.txt": Row(
        303, 403, 200, 403, path="/matches/{match_id}/log.txt?seat=0"
    ),
    "GET /challenge": FOR_USERS,
    "POST /challenge": Row(303, 303, 303, 303, form={"game": "hive", "bot": ["1", "1"]}),
    "GET /challenges/{booking_id}": Row(303, 404, 200, 404),
    # accounts
    "GET /login": Row(200, 303, 303, 303),
    "POST /login": Row(303, 303, 303, 303, form={"name": "owner", "password": PASSWORD}),
    "POST /logout": Row(303, 303, 303, 303, form={}),
    "GET /register": Row(200, 303, 303, 303),
    "POST /register": Row(
        303, 303, 303, 303, form={"name": "new", "password": PASSWORD, "again": PASSWORD}
    ),
    "GET /account": Row(303, 200, 200, 200),
    "POST /account/password": Row(303, 303, 303, 303, form=NEW_PASSWORD),
    "POST /account/sessions/end": Row(303, 303, 303, 303, form={}),
    "POST /account/tokens": Row(303, 200, 200, 200, form={"name": "laptop"}),
    "POST /account/tokens/{token_id}/revoke": Row(303, 404, 303, 404, form={}),
    "GET /account/data.zip": FOR_USERS,
    "POST /account/close": Row(303, 303, 303, 422, form={"password": PASSWORD}),
    "GET /users": Row(303, 403, 403, 200),
    "POST /users": Row(303, 403, 403, 303, form={"name": "new"}),
    "POST /users/{name}/password": Row(303, 403, 403, 303, form={}),
    "POST /users/{name}/organiser": Row(303, 403, 403, 303, form={"rights": "organiser"}),
    "POST /users/{name}/suspend": Row(303, 403, 403, 303, form={"reason": "spam"}),
    "POST /users/{name}/reinstate": Row(303, 403, 403, 303, form={}),
    "POST /users/{name}/remove": Row(303, 403, 403, 303, form={}),
    "GET /audit": Row(303, 403, 403, 200),
    "GET /audit.json": Row(303, 403, 403, 200),
    "GET /warnings": Row(303, 403, 403, 200),
    "GET /machines": Row(303, 403, 403, 200),
    # monitor: figures are for the machine itself, whoever is logged in
    "GET /healthz": FOR_ALL,
    "GET /metrics": Row(403, 403, 403, 403),
    # play: the owner is waiting for an opponent
    "GET /play": FOR_ALL,
    "POST /play": Row(303, 303, 303, 303, form={"game": "hive", "opponent": "person"}),
    "GET /play/pictures/{game}.svg": FOR_ALL,
    "GET /play/{play}": FOR_ALL,
    "POST /play/{play}/join": Row(303, 303, 303, 303, form={}),
    "POST /play/{play}/turn": Row(404, 404, 303, 404, form={"moment": "1"}),
    "POST /play/{play}/resign": Row(404, 404, 303, 404, form={}),
    "POST /play/{play}/rematch": Row(404, 404, 400, 404, form={}),
    "POST /api/v1/plays": Row(201, 201, 201, 201, json={"game": "hive", "opponent": "person"}),
    "GET /api/v1/plays/{play}": Row(404, 404, 200, 404),
    "GET /api/v1/plays/{play}/events": Row(404, 404, 200, 404),
    "POST /api/v1/plays/{play}/join": Row(200, 200, 200, 200, json={}),
    "POST /api/v1/plays/{play}/step": Row(404, 404, 409, 404, json={"moment": 1}),
    "POST /api/v1/plays/{play}/turn": Row(404, 404, 409, 404, json={"moment": 1}),
    "POST /api/v1/plays/{play}/resign": Row(404, 404, 200, 404, json={}),
    "POST /api/v1/plays/{play}/rematch": Row(404, 404, 400, 404, json={}),
    # contests
    "GET /contests": FOR_ALL,
    "GET /contests/{contest_id}": FOR_ALL,
    "GET /contests/{contest_id}/screen": FOR_ALL,
    "GET /contests/{contest_id}/state": TO_ITS_PAGE,
    "GET /contests/{contest_id}/remove": TO_ITS_PAGE,
    "GET /contests/{contest_id}/entries": TO_ITS_PAGE,
    "GET /contests/{contest_id}/entries/{version_id}/remove": TO_ITS_PAGE,
    # the owner's bot is entered already
    "POST /contests/{contest_id}/entries": Row(303, 403, 422, 403, form={"version": "1"}),
    "POST /contests/{contest_id}/entries/{version_id}/remove": Row(303, 403, 303, 303, form={}),
    "GET /contests/new": Row(303, 403, 403, 200),
    "POST /contests/new": Row(303, 403, 403, 200, form=NEW_CONTEST),
    "POST /contests": Row(303, 403, 403, 303, form=NEW_CONTEST),
    "GET /contests/{contest_id}/edit": Row(303, 403, 403, 200),
    "POST /contests/{contest_id}/edit": Row(303, 403, 403, 303, form=NEW_CONTEST),
    "POST /contests/{contest_id}/state": Row(303, 403, 403, 303, form={"state": "closed"}),
    "POST /contests/{contest_id}/published": Row(303, 403, 403, 303, form={"published": "no"}),
    "POST /contests/{contest_id}/remove": Row(303, 403, 403, 303, form={}),
    # API
    "GET /openapi.json": FOR_ALL,
    "POST /api/v1/login": Row(200, 200, 200, 200, json={"name": "owner", "password": PASSWORD}),
    "GET /api/v1/me": Row(401, 200, 200, 200),
    "GET /api/v1/tokens": Row(401, 200, 200, 200),
    "POST /api/v1/tokens": Row(401, 201, 201, 201, json={"name": "laptop"}),
    "DELETE /api/v1/tokens/{token_id}": Row(401, 404, 204, 404),
    "GET /api/v1/games": FOR_ALL,
    "GET /api/v1/games/{game}/table": FOR_ALL,
    "GET /api/v1/bots/{bot_id}": FOR_ALL,
    "GET /api/v1/bots/{bot_id}/versions/{number}": FOR_ALL,
    "GET /api/v1/users/{name}": FOR_ALL,
    "GET /api/v1/bots": FOR_ALL,
    "POST /api/v1/bots": Row(401, 422, 422, 422),
    "DELETE /api/v1/bots/{bot_id}": Row(401, 403, 204, 204),
    "POST /api/v1/bots/{bot_id}/versions/{number}/withdraw": Row(401, 403, 200, 200),
    "POST /api/v1/bots/{bot_id}/versions/{number}/activate": Row(401, 403, 409, 403),
    "POST /api/v1/bots/{bot_id}/versions/{number}/check": Row(401, 403, 409, 403),
    "GET /api/v1/checks/{check_id}": Row(401, 404, 200, 404),
    "GET /api/v1/matches": FOR_ALL,
    "GET /api/v1/matches/{match_id}": FOR_ALL,
    "GET /api/v1/matches/{match_id}/transcript": FOR_ALL,
    "GET /api/v1/matches/{match_id}/log": Row(
        401, 403, 200, 403, path="/api/v1/matches/{match_id}/log?seat=0"
    ),
    "POST /api/v1/challenges": Row(401, 201, 201, 201, json=CHALLENGE),
    "GET /api/v1/challenges/{booking_id}": Row(401, 404, 200, 404),
    "GET /api/v1/contests": FOR_ALL,
    "GET /api/v1/contests/{contest_id}": FOR_ALL,
    "POST /api/v1/contests": Row(401, 403, 403, 201, json=NEW_CONTEST),
    "PUT /api/v1/contests/{contest_id}": Row(401, 403, 403, 200, json=NEW_CONTEST),
    "DELETE /api/v1/contests/{contest_id}": Row(401, 403, 403, 204),
    "PUT /api/v1/contests/{contest_id}/state": Row(401, 403, 403, 200, json={"state": "closed"}),
    "PUT /api/v1/contests/{contest_id}/published": Row(
        401, 403, 403, 200, json={"published": False}
    ),
    "POST /api/v1/contests/{contest_id}/entries": Row(401, 403, 422, 403, json={"version_id": 1}),
    "DELETE /api/v1/contests/{contest_id}/entries/{version_id}": Row(401, 403, 204, 204),
}
