"""What the page of a match shows to the authors of its bots: their own logs, at one turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.match.wording import seat_title
from agon.website.replay.author_log import read_author_log

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.datastore.matches import StoredMatch
    from agon.datastore.users import User
    from agon.match.transcript import Transcript
    from agon.website.replay.author_log import LogPage
    from agon.website.site import Site


@dataclass(frozen=True, slots=True)
class AuthorsPart:
    """What the page of a match shows to the author of one of its bots, at one turn."""

    seat: int
    title: str
    bot: str
    page: LogPage
    address: str


def own_seats(site: Site, user: User | None, match: StoredMatch) -> list[int]:
    """The seats of a match that bots of the user had."""
    if user is None:
        return []
    owners = {seat.bot_id: site.store.bots.get(seat.bot_id).owner_id for seat in match.seats}
    return [number for number, seat in enumerate(match.seats) if owners[seat.bot_id] == user.id]


def authors_parts(
    site: Site, user: User | None, match: StoredMatch, turn: int, load: Callable[[], Transcript]
) -> list[AuthorsPart]:
    """The logs of the user's own bots at a turn; the transcript is read only if there are any."""
    seats = own_seats(site, user, match)
    if not seats:
        return []
    transcript = load()
    return [
        AuthorsPart(
            seat,
            seat_title(transcript.game, seat),
            match.seats[seat].bot,
            read_author_log(transcript, seat).page(turn),
            f"/matches/{match.id}/log",
        )
        for seat in seats
    ]
