"""What an organiser wants a contest to be, checked before it is stored."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from agon.arena.contests.terms import Terms, check_terms, save_terms, settle_turns
from agon.datastore.contests import NewContest
from agon.datastore.enums import WhoMayEnter
from agon.errors import AgonError, SettingError
from agon.games.registry import find_game
from agon.ranker.formats import Format
from agon.website.accounts.names import is_user_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agon.datastore.store import Store
    from agon.games.game import Game, Options

LONGEST_NAME = 80
LONGEST_DESCRIPTION = 10_000
MOST_INVITED = 1000
SHOWN = 40
LATEST_NS = 7_258_118_400 * 10**9
"""The year 2200: times are kept in 64 bits."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """All that can be chosen, as a form or a program says it."""

    name: str
    game: str
    format: Format = Format.ROUND_ROBIN
    terms: Terms = field(default_factory=Terms)
    options: Mapping[str, str] = field(default_factory=dict)
    """The game's options as texts; what is not given has its default."""
    description: str = ""
    who_may_enter: WhoMayEnter = WhoMayEnter.EVERYONE
    invited: tuple[str, ...] = ()
    """The names of the users who may enter a contest for invited users."""
    opens_ns: int | None = None
    closes_ns: int | None = None


def check_proposal(proposal: Proposal) -> NewContest:
    """The contest for the datastore; SettingError says what cannot be."""
    game = find_game(proposal.game)
    terms = check_terms(game, proposal.format, proposal.terms)
    options = game.parse_options(proposal.options, terms.seats)
    terms = settle_turns(game, terms, options)
    _check_start(game, options, terms)
    _check_dates(proposal)
    if proposal.who_may_enter is WhoMayEnter.INVITED and not proposal.invited:
        raise SettingError("no user is invited: expected the names of the users who may enter")
    return NewContest(
        _check_name(proposal.name),
        game.name,
        proposal.format.value,
        asdict(options),
        save_terms(terms),
        _check_description(proposal.description),
        proposal.who_may_enter,
        proposal.opens_ns,
        proposal.closes_ns,
    )


def find_invited(store: Store, names: Iterable[str]) -> list[int]:
    """The users of these names; SettingError for one who does not exist."""
    wanted = list(dict.fromkeys(names))
    if len(wanted) > MOST_INVITED:
        raise SettingError(f"{len(wanted)} users: expected at most {MOST_INVITED}")
    found = []
    for name in wanted:
        user = store.users.find(name) if is_user_name(name) else None
        if user is None or user.removed_ns is not None:
            raise SettingError(f"user {name[:SHOWN]!r}: there is none of that name")
        found.append(user.id)
    return found


def _check_start(game: Game, options: Options, terms: Terms) -> None:
    """Have it told now, and not in the contest, if options do not fit together, or a map is bad."""
    try:
        game.start(options, terms.seed, terms.seats)
    except AgonError as error:
        raise SettingError(str(error)) from error


def _check_name(text: str) -> str:
    name = text.strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise SettingError(
            f"name {text[:SHOWN]!r}: expected 1 to {LONGEST_NAME} printable characters"
        )
    return name


def _check_description(text: str) -> str:
    description = text.replace("\r\n", "\n").strip()
    if len(description) > LONGEST_DESCRIPTION or "\0" in description:
        raise SettingError(
            f"description of {len(description)} characters: expected at most {LONGEST_DESCRIPTION}"
        )
    return description


def _check_dates(proposal: Proposal) -> None:
    opens, closes = proposal.opens_ns, proposal.closes_ns
    for date_ns in (opens, closes):
        if date_ns is not None and not 0 <= date_ns <= LATEST_NS:
            raise SettingError("a date of another age: expected one from 1970 to 2200")
    if opens is not None and closes is not None and closes <= opens:
        raise SettingError("entry closes before it opens: expected the later date to close it")
