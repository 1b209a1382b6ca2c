"""What an organiser can do with a contest: create, edit, publish, delete, change its state."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agon.arena.contests.dates import is_past
from agon.arena.contests.lineup import is_gone, load_lineup
from agon.arena.contests.terms import load_terms
from agon.arena.ladder.participants import is_playable
from agon.datastore.contests import NOT_BEGUN, NewContest
from agon.datastore.enums import AuditAction, ContestState
from agon.errors import SettingError
from agon.games.registry import find_game
from agon.ranker.formats import Format, new_schedule
from agon.website.contests.proposal import check_proposal, find_invited

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.datastore.contests import Contest
    from agon.datastore.store import Store
    from agon.datastore.users import User
    from agon.website.contests.proposal import Proposal
    from agon.website.site import Site


@dataclass(frozen=True, slots=True)
class StateButton:
    """A state that an organiser can bring about, in the words of a button."""

    state: ContestState
    words: str
    hint: str
    sure: str = ""
    """What the button says that asks once more; empty: no confirmation."""


OPEN = StateButton(ContestState.OPEN, "Open for entries", "Users can enter bots.")
END = StateButton(
    ContestState.FINISHED,
    "End now",
    "Played matches count, the others are cancelled. You cannot undo this.",
    "Yes, end the contest",
)
STATE_BUTTONS: Mapping[ContestState, tuple[StateButton, ...]] = {
    ContestState.DRAFT: (OPEN,),
    ContestState.OPEN: (
        StateButton(
            ContestState.CLOSED,
            "Close entry",
            "No new entries; only organisers can remove bots.",
        ),
        StateButton(
            ContestState.DRAFT, "Back to a draft", "Entries stay; no new ones until it opens again."
        ),
    ),
    ContestState.CLOSED: (
        StateButton(ContestState.RUNNING, "Start", "After that nothing can be changed."),
        StateButton(ContestState.OPEN, "Reopen entry", "A closing date in the past is removed."),
    ),
    ContestState.RUNNING: (
        StateButton(
            ContestState.PAUSED,
            "Pause",
            "Running matches stop and are replayed later.",
        ),
        END,
    ),
    ContestState.PAUSED: (
        StateButton(ContestState.RUNNING, "Resume", "Continues where it stopped."),
        END,
    ),
    ContestState.FINISHED: (),
}
"""What an organiser can do in each state, the usual thing first."""


def add_contest(site: Site, organiser: User, proposal: Proposal) -> Contest:
    """A new draft. SettingError says what cannot be, TakenError that the name is taken."""
    new, invited = check_proposal(proposal), find_invited(site.store, proposal.invited)
    _check_closing(site, proposal)
    contest = site.store.contests.add(new, organiser.id, site.now_ns())
    site.store.contests.set_invited(contest.id, invited)
    site.note(organiser, AuditAction.ADD_CONTEST, contest.name, contest.id)
    return contest


def edit_contest(site: Site, organiser: User, contest: Contest, proposal: Proposal) -> Contest:
    """Choose everything anew, as long as the contest has not begun."""
    new, invited = check_proposal(proposal), find_invited(site.store, proposal.invited)
    if new.game != contest.game and site.store.contests.entries(contest.id):
        raise SettingError(
            f"the bots that have entered play {contest.game}: take them out first,"
            " or make another contest"
        )
    if contest.state is not ContestState.CLOSED:
        _check_closing(site, proposal)
    changed = site.store.contests.edit(contest.id, new)
    site.store.contests.set_invited(contest.id, invited)
    ring(site)
    site.note(organiser, AuditAction.EDIT_CONTEST, changed.name, contest.id)
    return changed


def change_state(site: Site, organiser: User, contest: Contest, state: ContestState) -> Contest:
    """SettingError or DatastoreError if the contest cannot go to that state."""
    store = site.store
    if state is ContestState.RUNNING and contest.state is ContestState.CLOSED:
        _check_beginning(store, contest)
    if contest.state in NOT_BEGUN and state in NOT_BEGUN:
        _take_dates(site, contest, state)
    changed = store.contests.set_state(contest.id, state)
    ring(site)
    site.note(organiser, AuditAction.MOVE_CONTEST, contest.name, contest.id, state)
    return changed


def publish(site: Site, organiser: User, contest: Contest, published: bool) -> None:
    """Show it to all visitors, or to organisers alone."""
    site.store.contests.publish(contest.id, published)
    ring(site)
    action = AuditAction.PUBLISH_CONTEST if published else AuditAction.HIDE_CONTEST
    site.note(organiser, action, contest.name, contest.id)


def remove_contest(site: Site, organiser: User, contest: Contest) -> None:
    """Delete a contest that has not begun."""
    site.store.contests.remove(contest.id)
    site.note(organiser, AuditAction.REMOVE_CONTEST, contest.name, contest.id)


def ring(site: Site) -> None:
    """Have the contest scheduler look at once."""
    if site.contests is not None:
        site.contests.ring()


def _check_beginning(store: Store, contest: Contest) -> None:
    """Bots that cannot play any more go; enough must be left."""
    game = find_game(contest.game)
    for entry in store.contests.entries(contest.id):
        version = store.versions.get(entry.version_id)
        bot = store.bots.get(version.bot_id)
        if is_gone(store, version.id) or not is_playable(game, bot, version):
            store.contests.leave(contest.id, version.id)
    terms, lineup = load_terms(contest.settings), load_lineup(store, contest)
    if len(lineup) < terms.seats:
        raise SettingError(
            f"it needs {terms.seats} bots or more to begin: there"
            f" {'is' if len(lineup) == 1 else 'are'} {len(lineup)} that can play"
        )
    names = [place.name for place in lineup]
    new_schedule(Format(contest.format), names, terms.seed, terms.seats, terms.rounds)


def _check_closing(site: Site, proposal: Proposal) -> None:
    """A date that has passed would close entry in the moment in which it opens."""
    if is_past(proposal.closes_ns, site.now_ns()):
        raise SettingError("Closes: this date has passed; expected one to come, or none")


def _take_dates(site: Site, contest: Contest, state: ContestState) -> None:
    """A date that has passed would undo at once what the organiser does by hand."""
    new = as_new(contest)
    if state is ContestState.DRAFT and is_past(contest.opens_ns, site.now_ns()):
        site.store.contests.edit(contest.id, replace(new, opens_ns=None))
    if state is ContestState.OPEN and is_past(contest.closes_ns, site.now_ns()):
        site.store.contests.edit(contest.id, replace(new, closes_ns=None))


def as_new(contest: Contest) -> NewContest:
    """What an organiser has chosen of a contest."""
    return NewContest(
        contest.name,
        contest.game,
        contest.format,
        contest.options,
        contest.settings,
        contest.description,
        contest.who_may_enter,
        contest.opens_ns,
        contest.closes_ns,
    )
