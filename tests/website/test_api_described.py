"""The API's description is true: requests that follow from it get the answers that it promises.

Schemathesis invents the requests, as a user who may do everything and shows a token. Most ids
that it invents are replaced by those of real things, for it could not guess one. The one route that
never ends, a stream, is not asked.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import strategies as st
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode

from agon.arena.people.party import Party, Person
from agon.arena.rate_limit import RateLimit
from agon.datastore import NewBot, NewFile, NewVersion, Store
from agon.games.hive.game import GAME
from agon.website.accounts.policy import AccountPolicy
from agon.website.app import ROUTERS
from agon.website.http.lookup import LARGEST_ID
from tests.website.arena import serving
from tests.website.authorisation import fill, open_scene
from tests.website.bots.packing import pack, tiny_files
from tests.website.people import CHEAP, NOON

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.authorisation import Scene

EXAMPLES = int(os.environ.get("AGON_API_EXAMPLES", "5"))
"""For each route; more find more, and take longer."""
TOKEN = "agon_owner"  # noqa: S105  a token of the scene
SHORT = 16
WORDS = ("game", "name", "play")
"""Names in addresses that are no numbers."""
OFTEN = RateLimit(10**9, 1)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A site whose owner is an organiser, too, and may do things as often as they like."""
    folder: Path = tmp_path_factory.mktemp("described")
    with Store.open(folder / "filled.db") as store:
        ids = fill(store)
        owner = store.users.find("owner")
        assert owner
        store.users.set_organiser(owner.id, True)
    scene = open_scene(folder / "filled.db", ids, folder / "agon.db")
    scene.site.plays.close()
    guard = AccountPolicy(CHEAP, 10**18, 10**18, 10**6, *[OFTEN] * 5)
    site = replace(scene.site, guard=guard, challenges=OFTEN)
    players = (Person(user_id=owner.id, name=owner.name), None)
    play = site.plays.open(Party(GAME, GAME.options(), players))
    scene = replace(scene, site=site, ids={**scene.ids, "play": play.key})
    yield scene
    scene.close()


@dataclass
class Described:
    """The site, where it is, and new things on it to be destroyed."""

    scene: Scene
    address: str
    made: int = 0

    def real(self, name: str, invented: object, chance: int) -> object:
        """What to ask for in place of something invented: now and then that very thing."""
        if name == "token_id":  # not the one that is shown: it would be revoked
            return self.new_token() if chance % 2 else 10**6 + chance
        if chance % 4 == 0:
            return invented
        return self.new_bot() if name == "bot_id" and chance % 4 == 1 else self.scene.ids[name]

    def new_token(self) -> int:
        owner = self.scene.site.store.users.find("owner")
        assert owner
        self.made += 1
        token = self.scene.site.store.tokens.add(owner.id, "x", f"agon_{self.made}", NOON)
        return token.id

    def new_bot(self) -> int:
        store = self.scene.site.store
        owner = store.users.find("owner")
        assert owner
        self.made += 1
        bot = store.bots.add(NewBot("hive", f"bot {self.made}", NOON, owner_id=owner.id))
        files = {"bot.py": NewFile(b"")}
        store.versions.add(bot.id, NewVersion(NOON, run="python3 bot.py", files=files))
        return bot.id


@pytest.fixture(scope="module")
def described(scene: Scene) -> Iterator[Described]:
    with serving(scene.site) as address:
        yield Described(scene, address)


def load_schema() -> schemathesis.BaseSchema:
    """The description, as the routes themselves give it."""
    app = FastAPI()
    for router in ROUTERS:
        app.include_router(router)
    return schemathesis.openapi.from_dict(app.openapi())


zips = st.binary(max_size=100) | st.sampled_from([pack(tiny_files()), pack({"bot.py": b""})])
schemathesis.openapi.media_type("application/zip", zips)
schema = load_schema().exclude(path_regex="/events$")
# The tool does not expect these of requests that are as described.
schema.config.checks.positive_data_acceptance.expected_statuses += ["400", "409", "422", "429"]


def could_be_real(name: str, invented: object) -> bool:
    """Whether something invented is as described; what is not so on purpose must stay so."""
    if name in WORDS:
        return isinstance(invented, str) and 0 < len(invented) <= SHORT
    return type(invented) is int and 1 <= invented <= LARGEST_ID


def shows_token(case: Any) -> bool:
    """Whether the token is to be shown; not where the head of a request is wrong on purpose."""
    head = None if case.meta is None else case.meta.components.get(ParameterLocation.HEADER)
    return head is None or head.mode is not GenerationMode.NEGATIVE


@schema.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_the_site_does_what_its_description_says(case: Any, described: Described) -> None:
    for name, invented in (case.path_parameters or {}).items():
        if name in described.scene.ids and could_be_real(name, invented):
            chance = zlib.crc32(str(invented).encode())
            case.path_parameters[name] = described.real(name, invented, chance)
    headers = {"Authorization": f"Bearer {TOKEN}"} if shows_token(case) else {}
    case.call_and_validate(base_url=described.address, headers=headers)
