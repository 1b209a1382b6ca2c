"""Contests as JSON: what the API takes and gives."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  pydantic reads it
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AwareDatetime, BaseModel, Field

from agon.arena.contests.standing import load_standing
from agon.arena.contests.terms import MILLISECOND, Seeding, Terms, load_terms
from agon.datastore.enums import ContestState, WhoMayEnter
from agon.games.registry import find_game
from agon.ranker.formats import Format
from agon.website.contests.form import option_text
from agon.website.contests.pages import list_entries, live_matches_of
from agon.website.contests.proposal import Proposal
from agon.website.http.api_router import moment
from agon.website.http.lookup import LARGEST_ID

if TYPE_CHECKING:
    from agon.arena.contests.standing import ContestStanding, Round
    from agon.arena.roster import Contender
    from agon.datastore.contests import Contest
    from agon.website.site import Site

SECOND = 10**9
USUAL = Terms()
ROUNDS = (
    "round-robin, gauntlet: how often the bots meet; swiss: rounds; knockout: pairs of matches"
    " in a tie; ladder: batches. null: as many as are usual."
)
TURNS = (
    "A match ends after so many without a winner. null: as many as the game needs, 400 at least."
)
SEATS = "Players in a match. null: as few as the game is for."
Whole = Annotated[int, Field(ge=0, le=LARGEST_ID)]
Milliseconds = Annotated[int, Field(ge=0, le=10**9)]


class ContestTermsBody(BaseModel):
    """On what terms a contest is played; times in milliseconds."""

    rounds: Annotated[Whole | None, Field(description=ROUNDS)] = None
    seats: Annotated[Whole | None, Field(description=SEATS)] = None
    turn_ms: Milliseconds = USUAL.turn_ns // MILLISECOND
    bank_ms: Milliseconds = USUAL.bank_ns // MILLISECOND
    turns: Annotated[Whole | None, Field(description=TURNS)] = None
    pace_ms: Milliseconds = USUAL.pace_ns // MILLISECOND
    jobs: Annotated[Whole, Field(description="Matches at a time.")] = USUAL.jobs
    seed: Whole = USUAL.seed
    seeding: Seeding = USUAL.seeding
    bots_each: Annotated[Whole, Field(description="Bots per user, at most.")] = USUAL.bots_each


class NewContestBody(BaseModel):
    """A contest that is wanted, or what another one is to become."""

    name: str = Field(max_length=200)
    game: str = Field(max_length=40)
    format: Format = Format.ROUND_ROBIN
    options: dict[str, str | int | bool] = Field(
        default_factory=dict, description="Of the game; what is not given is as usual."
    )
    terms: ContestTermsBody = ContestTermsBody()
    description: str = Field("", max_length=20_000)
    who_may_enter: WhoMayEnter = WhoMayEnter.EVERYONE
    invited: list[str] = Field(
        default_factory=list,
        description="Names of the users who may enter a contest for invited users.",
    )
    opens: AwareDatetime | None = None
    closes: AwareDatetime | None = None


class ContestStateBody(BaseModel):
    """Where a contest is to go on to."""

    state: ContestState


class ContestPublishedBody(BaseModel):
    """Whether all visitors see a contest."""

    published: bool


class NewEntryBody(BaseModel):
    """A bot version that is to take part."""

    version_id: Annotated[int, Field(ge=1, le=LARGEST_ID)]


class ContestBody(BaseModel):
    """A contest in short."""

    id: int
    name: str
    game: str
    format: Format
    state: ContestState
    published: bool
    who_may_enter: WhoMayEnter
    opens: datetime | None
    closes: datetime | None
    description: str
    options: dict[str, Any]
    terms: ContestTermsBody


class EntrantBody(BaseModel):
    """A bot that takes part."""

    version_id: int
    bot_id: int
    bot: str
    version: int
    owner: str | None


class EnteredBody(EntrantBody):
    """A bot that has entered."""

    entered_by: str
    entered: datetime


class RankedBody(EntrantBody):
    """A row of the table."""

    rank: int
    points: float
    matches: int
    wins: int
    draws: int
    losses: int
    rating: float = Field(description="In Elo, from the matches of the contest alone.")


class SideBody(BaseModel):
    """One of two in a tie."""

    bot: EntrantBody | None = Field(description="null: not known yet, or no bot.")
    points: float
    is_winner: bool


class RoundBody(BaseModel):
    """A round of the bracket."""

    name: str
    ties: list[list[SideBody]]


class WholeContestBody(ContestBody):
    """A contest with all that there is to tell."""

    entries: list[EnteredBody]
    played: int
    total: int | None = Field(description="How many matches there are, as far as is known.")
    live: list[str] = Field(description="The keys of the matches under way: see /live/KEY.")
    table: list[RankedBody]
    bracket: list[RoundBody]
    winners: list[EntrantBody]


def read_proposal(body: NewContestBody) -> Proposal:
    return Proposal(
        body.name,
        body.game,
        body.format,
        _read_terms(body),
        {name: option_text(value) for name, value in body.options.items()},
        body.description,
        body.who_may_enter,
        tuple(body.invited),
        _read_date(body.opens),
        _read_date(body.closes),
    )


def _read_terms(body: NewContestBody) -> Terms:
    terms = body.terms
    return Terms(
        terms.rounds,
        find_game(body.game).seats[0] if terms.seats is None else terms.seats,
        terms.turn_ms * MILLISECOND,
        terms.bank_ms * MILLISECOND,
        terms.turns,
        terms.pace_ms * MILLISECOND,
        terms.jobs,
        terms.seed,
        terms.seeding,
        terms.bots_each,
    )


def _read_date(date: datetime | None) -> int | None:
    return None if date is None else int(date.timestamp()) * SECOND


def _terms_body(terms: Terms) -> ContestTermsBody:
    return ContestTermsBody(
        rounds=terms.rounds,
        seats=terms.seats,
        turn_ms=terms.turn_ns // MILLISECOND,
        bank_ms=terms.bank_ns // MILLISECOND,
        turns=terms.turns,
        pace_ms=terms.pace_ns // MILLISECOND,
        jobs=terms.jobs,
        seed=terms.seed,
        seeding=terms.seeding,
        bots_each=terms.bots_each,
    )


def short_body(contest: Contest) -> ContestBody:
    return ContestBody(**_facts(contest))


def _facts(contest: Contest) -> dict[str, Any]:
    """What is told of a contest wherever it is told of."""
    return {
        "id": contest.id,
        "name": contest.name,
        "game": contest.game,
        "format": Format(contest.format),
        "state": contest.state,
        "published": contest.published,
        "who_may_enter": contest.who_may_enter,
        "opens": None if contest.opens_ns is None else moment(contest.opens_ns),
        "closes": None if contest.closes_ns is None else moment(contest.closes_ns),
        "description": contest.description,
        "options": dict(contest.options),
        "terms": _terms_body(load_terms(contest.settings)),
    }


def whole_body(site: Site, contest: Contest) -> WholeContestBody:
    """A contest with all that there is to tell."""
    standing = load_standing(site.store, contest)
    return WholeContestBody(
        **_facts(contest),
        entries=[
            EnteredBody(
                **_entrant(one.contender).model_dump(),
                entered_by=one.user,
                entered=moment(one.entry.entered_ns),
            )
            for one in list_entries(site, contest, None)
        ],
        played=0 if standing is None else standing.played,
        total=None if standing is None else standing.total,
        live=[match.key for match in live_matches_of(site, contest)],
        table=[] if standing is None else _table(standing),
        bracket=[] if standing is None else [_round(one) for one in standing.rounds],
        winners=[] if standing is None else [_entrant(one) for one in standing.winners],
    )


def _table(standing: ContestStanding) -> list[RankedBody]:
    return [
        RankedBody(
            **_entrant(contender).model_dump(),
            rank=row.rank,
            points=row.points,
            matches=row.games,
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            rating=row.rating,
        )
        for row, contender in standing.rows
    ]


def _round(one: Round) -> RoundBody:
    return RoundBody(
        name=one.name,
        ties=[
            [
                SideBody(
                    bot=None if side.contender is None else _entrant(side.contender),
                    points=side.half_points / 2,
                    is_winner=side.is_winner,
                )
                for side in meeting.sides
            ]
            for meeting in one.meetings
        ],
    )


def _entrant(contender: Contender) -> EntrantBody:
    return EntrantBody(
        version_id=contender.version_id,
        bot_id=contender.bot_id,
        bot=contender.bot,
        version=contender.number,
        owner=contender.owner,
    )
