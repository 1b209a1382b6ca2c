"""The form in which an organiser describes a contest: what was typed, and what it says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agon.arena.contests.terms import LABELS, MILLISECOND, Seeding, Terms, load_terms
from agon.datastore.enums import WhoMayEnter
from agon.errors import SettingError
from agon.games.registry import find_game
from agon.ranker.formats import Format
from agon.website.contests.proposal import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from enum import Enum
    from typing import TypeVar

    from agon.datastore.contests import Contest

    Choice = TypeVar("Choice", bound=Enum)

SECOND = 10**9
OPTION = "option-"
DATE = "%Y-%m-%dT%H:%M"
LONGEST_NUMBER = 18
SHOWN = 40
IN_MS = ("turn", "bank", "pace")
"""Times are typed in milliseconds."""
PLAIN = ("rounds", "seats", "turns", "jobs", "seed", "bots_each")
"""Numbers are typed as they are."""


def format_date(ns: int | None) -> str:
    """A moment as the form has it, in universal time; empty if there is none.

    >>> format_date(60 * SECOND), format_date(None)
    ('1970-01-01T00:01', '')
    """
    return "" if ns is None else datetime.fromtimestamp(ns // SECOND, UTC).strftime(DATE)


def parse_date(name: str, text: str) -> int | None:
    """The moment that was typed; None if the field was left empty.

    >>> parse_date("Opens", "1970-01-01T00:01"), parse_date("Opens", " ")
    (60000000000, None)
    """
    if not text.strip():
        return None
    try:
        moment = datetime.strptime(text.strip(), DATE).replace(tzinfo=UTC)
    except ValueError:
        raise SettingError(
            f"{name}: expected a date and a time such as 2026-05-01T18:00, not {text[:SHOWN]!r}"
        ) from None
    return int(moment.timestamp()) * SECOND


def parse_names(text: str) -> tuple[str, ...]:
    """Names with commas, spaces or line breaks between them.

    >>> parse_names("ada, bob")
    ('ada', 'bob')
    """
    return tuple(text.replace(",", " ").split())


def form_of(proposal: Proposal) -> dict[str, str]:
    """What the fields of the form have in them."""
    terms = proposal.terms
    numbers = {
        name: "" if getattr(terms, name) is None else str(getattr(terms, name)) for name in PLAIN
    }
    times = {f"{name}_ms": str(getattr(terms, f"{name}_ns") // MILLISECOND) for name in IN_MS}
    options = {OPTION + name: text for name, text in proposal.options.items()}
    return {
        "name": proposal.name,
        "game": proposal.game,
        "format": proposal.format.value,
        "description": proposal.description,
        "who": proposal.who_may_enter.value,
        "invited": ", ".join(proposal.invited),
        "opens": format_date(proposal.opens_ns),
        "closes": format_date(proposal.closes_ns),
        "seeding": terms.seeding.value,
        **numbers,
        **times,
        **options,
    }


def filled_form(contest: Contest, invited: Iterable[str]) -> dict[str, str]:
    """What the fields have in them for a contest that is there."""
    return form_of(
        Proposal(
            contest.name,
            contest.game,
            Format(contest.format),
            load_terms(contest.settings),
            {name: option_text(value) for name, value in contest.options.items()},
            contest.description,
            contest.who_may_enter,
            tuple(invited),
            contest.opens_ns,
            contest.closes_ns,
        )
    )


def read_form(typed: Mapping[str, str]) -> Proposal:
    """What the fields say; SettingError for what cannot be read."""

    def text(name: str) -> str:
        return typed.get(name, "").strip()

    numbers = {"seats": find_game(text("game")).seats[0]}
    numbers |= {name: _number(name, text(name)) for name in PLAIN if text(name)}
    times = {
        f"{name}_ns": _number(f"{name}_ns", text(f"{name}_ms")) * MILLISECOND
        for name in IN_MS
        if text(f"{name}_ms")
    }
    seeding = _choice("Seeding", text("seeding") or Seeding.RATING, Seeding)
    options = {
        name.removeprefix(OPTION): value.strip()
        for name, value in typed.items()
        if name.startswith(OPTION)
    }
    return Proposal(
        text("name"),
        text("game"),
        _choice("Format", text("format"), Format),
        Terms(**numbers, **times, seeding=seeding),
        options,
        typed.get("description", ""),
        _choice("Who may enter", text("who") or WhoMayEnter.EVERYONE, WhoMayEnter),
        parse_names(text("invited")),
        parse_date("Opens", text("opens")),
        parse_date("Closes", text("closes")),
    )


def option_text(value: object) -> str:
    """An option of a game as it is typed.

    >>> option_text(True), option_text(15), option_text("Base+MLP")
    ('on', '15', 'Base+MLP')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        raise SettingError(f"{LABELS[name]}: expected a whole number, not {text[:SHOWN]!r}")
    return int(text)


def _choice(name: str, text: str, kind: type[Choice]) -> Choice:
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(str(one.value) for one in kind)
        raise SettingError(f"{name}: expected {known}, not {text[:SHOWN]!r}") from None
