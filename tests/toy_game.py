"""A game for tests only: simultaneous turns, hidden hands, chance from the seed, 2 to 8 seats.

Every seat is dealt a few cards and knows its own alone. In each round all seats play one card at
the same time; the highest card whose value no other seat played wins a point (in the variant `low`
the lowest one does). The match ends when all cards are played.

The deck has two cards of each value from 1 to 12, written `1a`, `1b` ... `12b`; card number n has
the value n // 2 + 1. A hand is a mask of card numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NewType

import numpy as np

from agon.errors import AgonError, IllegalMoveError, NotationError, SettingError
from agon.games.clicks import Choice, Draft, Step, check_seat, take_step
from agon.games.dialogue import Briefing, Dialogue
from agon.games.game import Game, JsonObject, Options, Outcome, Position, option
from agon.games.scene import Scene
from agon.games.shapes import Box, Label, Look, Shape, Style
from agon.games.simulation import Simulation
from agon.kernel import (
    IntArray,
    Record,
    as_int,
    bit_count,
    kernel,
    lowest_bit,
    new_records,
    random_below,
    u64,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random

    from rich.text import Text

    from agon.games.bot import Bot, Budget
    from agon.games.clicks import Clicks

Card = NewType("Card", int)

MOST_SEATS = 8
DECK = 24
NO_CARD = -1
NO_SEAT = -1

SETUP = np.dtype([("seats", np.int64), ("rounds", np.int64), ("low", np.int64)], align=True)
STATE = np.dtype(
    [
        ("random", np.uint64),
        ("played", np.int64),
        ("hands", np.int64, MOST_SEATS),
        ("table", np.int64, MOST_SEATS),
        ("points", np.int64, MOST_SEATS),
    ],
    align=True,
)
WORK = np.dtype([("cards", np.int64, MOST_SEATS)], align=True)


@kernel
def nth_card(hand: int, number: int) -> int:
    """The card of that number in the hand, from the lowest."""
    for _ in range(number):
        hand &= hand - 1
    return lowest_bit(hand)


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    """Deal."""
    state.random = u64(seed)
    state.played = 0
    rest = (1 << DECK) - 1
    for seat in range(MOST_SEATS):
        state.hands[seat] = 0
        state.table[seat] = NO_CARD
        state.points[seat] = 0
    for seat in range(as_int(setup.seats)):
        for _ in range(as_int(setup.rounds)):
            card = nth_card(rest, random_below(state, bit_count(rest)))
            rest &= ~(1 << card)
            state.hands[seat] |= 1 << card


@kernel
def is_over(setup: Record, state: Record) -> bool:
    """Whether all cards are played."""
    return as_int(state.played) == as_int(setup.rounds)


@kernel
def winning_seat(setup: Record, cards: IntArray) -> int:
    """The seat whose card wins the round, or NO_SEAT."""
    winner = NO_SEAT
    highest = 0
    for seat in range(as_int(setup.seats)):
        value = as_int(cards[seat]) >> 1
        alone = True
        for other in range(as_int(setup.seats)):
            if other != seat and as_int(cards[other]) >> 1 == value:
                alone = False
        worth = DECK - value if as_int(setup.low) else value
        if alone and (winner == NO_SEAT or worth > highest):
            winner = seat
            highest = worth
    return winner


@kernel
def play_cards(setup: Record, state: Record, cards: IntArray) -> None:
    """Play the cards of all seats, which are in their hands."""
    for seat in range(as_int(setup.seats)):
        state.hands[seat] &= ~(1 << as_int(cards[seat]))
        state.table[seat] = cards[seat]
    winner = winning_seat(setup, cards)
    if winner != NO_SEAT:
        state.points[winner] += 1
    state.played += 1


@kernel
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Every seat plays one of its cards, each with the same chance."""
    for seat in range(as_int(setup.seats)):
        hand = as_int(state.hands[seat])
        work.cards[seat] = nth_card(hand, random_below(state, bit_count(hand)))
    play_cards(setup, state, work.cards)


@kernel
def score(setup: Record, state: Record, seat: int) -> int:
    """The rounds that a seat has won."""
    return as_int(state.points[seat])


@dataclass(frozen=True, slots=True)
class ToyOptions(Options):
    """One option of every type that there is."""

    seats: int = option(3, "how many play, 2 to 8")
    rounds: int = option(3, "cards that each seat is dealt")
    variant: str = option("high", "which card wins", ("high", "low"))
    open_hands: bool = option(default=False, help_text="all seats see all cards")

    def __post_init__(self) -> None:
        """Refuse more cards than the deck has."""
        if not 2 <= self.seats <= MOST_SEATS:
            raise SettingError(f"seats {self.seats}: expected 2 to {MOST_SEATS}")
        if not 1 <= self.rounds <= DECK // self.seats:
            raise SettingError(f"rounds {self.rounds}: expected 1 to {DECK // self.seats}")

    def setup(self) -> Any:
        """The options as the kernels take them."""
        setup = new_records(SETUP)
        setup[0].seats, setup[0].rounds = self.seats, self.rounds
        setup[0].low = self.variant == "low"
        return setup


def parse_card(text: str) -> Card:
    if not re.fullmatch("([1-9]|1[0-2])[ab]", text):
        raise NotationError(f"card {text[:40]!r}: expected 1a to 12b")
    return Card(2 * int(text[:-1]) - 2 + "ab".index(text[-1]))


def format_card(card: Card) -> str:
    return f"{card // 2 + 1}{'ab'[card % 2]}"


class ToyPosition(Position[Card]):
    """A moment between two rounds."""

    options: ToyOptions

    def __init__(
        self,
        options: ToyOptions,
        seed: int,
        state: Record,
        out: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self.options = options
        self.seed = seed
        self.seats = options.seats
        self.out = out
        """The seats that failed, and how."""
        self._state = state
        self.turn = int(state.played)
        self.outcome = self._ending()
        self.to_act = () if self.outcome else tuple(range(self.seats))
        self.forced = {seat: self.legal_moves(seat)[0] for seat in out if self.to_act}

    def _ending(self) -> Outcome | None:
        """All cards are played, or no two are left."""
        points = tuple(-1 if seat in self.out else p for seat, p in enumerate(self.points))
        if int(self._state.played) == self.options.rounds:
            return Outcome(points, "all cards played")
        if len(self.out) >= self.seats - 1:
            scores = tuple(int(seat not in self.out) for seat in range(self.seats))
            reasons = [f"seat {seat}: {self.out[seat]}" for seat in sorted(self.out)]
            return Outcome(scores, ", ".join(reasons))
        return None

    @property
    def points(self) -> list[int]:
        return [int(points) for points in self._state.points[: self.seats]]

    @property
    def table(self) -> tuple[Card, ...]:
        """The cards of the round before, by seat; none before the first."""
        cards = self._state.table[: self.seats]
        return tuple(Card(int(card)) for card in cards if card != NO_CARD)

    def legal_moves(self, seat: int) -> Sequence[Card]:
        if seat not in self.to_act:
            return ()
        hand = int(self._state.hands[seat])
        return tuple(Card(card) for card in range(DECK) if hand >> card & 1)

    def random_turn(self, seat: int, rng: Random) -> Card:
        return rng.choice(self.legal_moves(seat))

    def play(self, turns: Mapping[int, Card]) -> ToyPosition:
        self.check_turns(turns)
        if self.outcome:
            raise SettingError("no turns: the match is over")
        cards = np.full(MOST_SEATS, NO_CARD, np.int64)
        for seat, card in turns.items():
            if card not in self.legal_moves(seat):
                raise IllegalMoveError(f"card {card!r}: not in the hand of seat {seat}")
            cards[seat] = card
        state = self._copy_state()
        play_cards(self.options.setup()[0], state, cards)
        return ToyPosition(self.options, self.seed, state, self.out)

    def drop(self, faults: Mapping[int, str]) -> ToyPosition:
        """Who failed plays its lowest card from now on, and comes last."""
        return ToyPosition(self.options, self.seed, self._copy_state(), {**self.out, **faults})

    def with_hand(self, seat: int, cards: Iterable[Card]) -> ToyPosition:
        """The same position, had the seat been dealt these cards: what others cannot tell."""
        state = self._copy_state()
        state.hands[seat] = sum(1 << card for card in cards)
        return ToyPosition(self.options, self.seed, state, self.out)

    def _copy_state(self) -> Record:
        copy = new_records(STATE)
        copy[0] = self._state
        return copy[0]

    def parse_turn(self, seat: int, text: str) -> Card:
        card = parse_card(text)
        if card not in self.legal_moves(seat):
            raise IllegalMoveError(f"card {text!r}: not in the hand of seat {seat}")
        return card

    def format_turn(self, seat: int, turn: Card) -> str:
        return format_card(turn)

    def hand_text(self, viewer: int | None, seat: int) -> str:
        """The hand as the viewer sees it."""
        cards = self.legal_moves(seat)
        if self.options.open_hands or viewer in (None, seat):
            return " ".join(map(format_card, cards))
        return " ".join("?" * len(cards))

    def observe(self, seat: int | None) -> JsonObject:
        return {
            "round": int(self._state.played),
            "to_act": list(self.to_act),
            "hands": [self.hand_text(seat, other) for other in range(self.seats)],
            "table": [format_card(card) for card in self.table],
            "points": list(self.points),
            "over": self.outcome is not None,
        }

    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        shapes: list[Shape] = [Box("table", "table", 100, 90, width=200, height=180)]
        for other in range(self.seats):
            text = f"{self.points[other]}: {self.hand_text(seat, other)}"
            shapes.append(Label(f"seat {other}", "word", 100, 20 * other + 15, text=text, size=12))
        return Scene("Toy", 200, 180, Look("toy", (Style("table", fill="#dddddd"),)), tuple(shapes))


class RandomBot:
    """Any card, each with the same chance."""

    def __init__(self, seed: int) -> None:
        self._chance = new_records(STATE)[0]
        self._chance.random = seed % 2**64

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Card:
        cards = position.legal_moves(seat)
        card: Card = cards[random_below(self._chance, len(cards))]
        return card


class HighestBot:
    """Always the highest card."""

    def __init__(self, seed: int) -> None:
        """The seed changes nothing."""

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Card:
        card: Card = position.legal_moves(seat)[-1]
        return card


class LineDialogue(Dialogue):
    """The own hand, then a card a line."""

    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        hand = ToyPosition.of(start).hand_text(seat, seat)
        return [f"seat {seat} of {start.seats}", f"hand {hand}"]

    def is_ready(self) -> bool:
        return True

    def tell(
        self, before: Position[Any], turns: Mapping[int, Card], after: Position[Any]
    ) -> list[str]:
        return ["table " + " ".join(format_card(turns[seat]) for seat in sorted(turns))]

    def ask(self, position: Position[Any]) -> list[str]:
        return ["play"]

    def read(self, line: str) -> str | None:
        return line

    def parse(self, position: Position[Any], seat: int, text: str) -> Card:
        return ToyPosition.of(position).parse_turn(seat, text)

    def close(self, outcome: Outcome | None) -> list[str]:
        return ["end" if outcome is None else f"end {outcome.reason}"]

    def leave(self) -> list[str]:
        return []


@dataclass(frozen=True, slots=True)
class ToyDraft(Draft):
    """Press a card of the own hand."""

    position: ToyPosition
    seat: int
    card: Card | None = None

    @property
    def prompt(self) -> str:
        return "Choose a card" if self.card is None else "Send it"

    def choices(self) -> Sequence[Choice]:
        return ()

    def buttons(self) -> Sequence[Choice]:
        cards = () if self.card is not None else self.position.legal_moves(self.seat)
        return [Choice(format_card(card), f"Play {format_card(card)}") for card in cards]

    def pick(self, choice: str) -> tuple[Draft, str]:
        return ToyDraft(self.position, self.seat, parse_card(choice)), f"Play {choice}"

    def turn(self) -> str | None:
        return None if self.card is None else format_card(self.card)

    def scene(self) -> Scene:
        return self.position.scene(self.seat)


def click(
    position: Position[Any], seat: int, picks: Sequence[str], names: Sequence[str] = ()
) -> Step:
    check_seat(position, seat)
    return take_step(ToyDraft(ToyPosition.of(position), seat), picks)


class ToyGame(Game):
    """The highest card that no other seat matches."""

    name = "toy"
    title = "Toy"
    summary = "Cards played at the same time; the highest one that no other seat matches wins."
    seats = range(2, MOST_SEATS + 1)
    rules_version = 1
    options = ToyOptions
    bot_names: tuple[str, ...] = ("random", "highest")

    def start(
        self, options: Options | None = None, seed: int = 0, seats: int | None = None
    ) -> ToyPosition:
        chosen = ToyOptions.of(options)
        if seats not in (None, chosen.seats):
            raise SettingError(f"{seats} seats: the option says {chosen.seats}")
        state = new_records(STATE)[0]
        word: Any = np.uint64(seed % 2**64)  # the type that simulations have too
        start(chosen.setup()[0], state, word)
        return ToyPosition(chosen, seed, state)

    def bots(self) -> Mapping[str, Callable[[int], Bot[Any]]]:
        return MappingProxyType({"random": RandomBot, "highest": HighestBot})

    def dialogues(self) -> Mapping[str, Callable[[], Dialogue]]:
        return MappingProxyType({"lines": LineDialogue})

    def simulation(self, options: Options | None = None) -> Simulation:
        chosen = ToyOptions.of(options)
        return Simulation(
            options=chosen,
            seats=chosen.seats,
            setup=chosen.setup(),
            state=STATE,
            work=WORK,
            start=start,
            is_over=is_over,
            play_random_turn=play_random_turn,
            score=score,
        )

    def parse_match(self, text: str) -> Sequence[ToyPosition]:
        """Such as `seats=2 rounds=1 variant=high open_hands=off seed=7;3a 9b`."""
        head, *rounds = text.split(";")
        settings = dict(re.findall(r"(\w+)=(\w+)", head))
        seed = settings.pop("seed", "")
        if not (seed.isascii() and seed.isdigit() and len(seed) <= 20):
            raise NotationError(f"match {head[:60]!r}: expected options and a seed=NUMBER")
        try:
            positions = [self.start(self.parse_options(settings), int(seed))]
        except AgonError as error:
            raise NotationError(f"match {head[:60]!r}: {error}") from None
        for cards in rounds:
            last = positions[-1]
            texts = cards.split(" ")
            if len(texts) != len(last.to_act):
                raise NotationError(f"round {cards[:60]!r}: expected {len(last.to_act)} cards")
            turns = {seat: last.parse_turn(seat, texts[seat]) for seat in last.to_act}
            positions.append(last.play(turns))
        return positions

    def format_match(self, positions: Sequence[Position[Any]]) -> str:
        first, toy = ToyPosition.of(positions[0]), [ToyPosition.of(p) for p in positions]
        options = first.options
        parts = [
            f"seats={options.seats} rounds={options.rounds} variant={options.variant}"
            f" open_hands={'on' if options.open_hands else 'off'} seed={first.seed}"
        ]
        parts += [" ".join(map(format_card, after.table)) for _, after in pairwise(toy)]
        return ";".join(parts)

    def terminal_board(
        self, position: Position[Any], width: int = 80, names: Sequence[str] = ()
    ) -> Text:
        from rich.text import Text

        toy = ToyPosition.of(position)
        hands = (f"{seat}: {toy.hand_text(None, seat)}" for seat in range(toy.seats))
        return Text("\n".join(hands))

    def clicks(self) -> Clicks:
        return click


GAME = ToyGame()
