"""A whole match as small data: whoever reads it is told only what could not be foreseen.

A step has these columns of numbers. Things are called by their places among all that there are, the
oldest first; numbers of a thing by their places in it.

    kept      things that were to be gone, and are not: they are as old as any like them got
    gone      things that are gone, and were not to be
    born      the moulds of things that come, with the numbers of the last one that came from them
    recast    things that come from other moulds now;
    recast_as   twice the number of the mould, and 1 if their numbers stay, else as if they came
    fill      the numbers of things that are the first ones of their moulds, less those foreseen
    jump      things that have a number other than foreseen;
    jump_at     which number;
    jump_by     by how much it is more
    steer, steer_at, steer_by   the same; and in steps of this stage it goes on to do so
    put       things that stand elsewhere than foreseen;
    put_at      after which thing, times 2; or at the back of which group, times 2 and 3 more; 1
                is at the back of the picture

Many steps are one message, with their columns as `columns.py` writes them, and with the forms and
moulds that are new in it. `static/reel.js` reads these messages.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from agon.website.live.frames import nodes_of
from agon.website.replay.casts import Cast, Memories
from agon.website.replay.columns import write_column
from agon.website.replay.moulds import NUMBER, Moulds, take_apart
from agon.website.replay.rows import ROOT, Rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.games.scene import Scene
    from agon.website.live.frames import Message
    from agon.website.replay.moulds import Drawn, Mould

Columns: TypeAlias = "defaultdict[str, list[int]]"

PLAIN = "/"
"""How ids begin that only the reader of a reel sees: those of shapes in a group that have none."""
UNSEEN = 100
"""So many ten thousandths of a place nobody sees: scenes are about a thousand wide."""
AS_FAST = 3
"""Steps of a march that differ by no more come from rounding."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A scene taken apart."""

    turn: int
    stage: str
    drawn: Mapping[str, Drawn]
    kids: Mapping[str, Sequence[str]]


def make_frame(scene: Scene, turn: int, stage: str, last: Frame | None) -> Frame:
    """A scene for the reel; quicker if the last one is much the same."""
    nodes = nodes_of(scene)
    shapes = {id_: node.shape for id_, node in nodes.items() if id_ != ROOT}
    kids: dict[str, list[str]] = {}
    for id_, node in nodes.items():
        names = kids[id_] = []
        for place, kid in enumerate(node.kids):
            if not isinstance(kid, str):
                named = replace(kid, id=f"{PLAIN}{id_}{PLAIN}{place}")
                shapes[named.id] = named
                kid = named.id
            names.append(kid)
    before = last.drawn if last is not None else {}
    drawn = {id_: take_apart(shape, before.get(id_)) for id_, shape in shapes.items()}
    return Frame(turn, NUMBER.sub("", stage), drawn, {id_: row for id_, row in kids.items() if row})


class Reel:
    """Tells frames that follow each other."""

    def __init__(self) -> None:
        """Nothing is told yet."""
        self._moulds = Moulds()
        self._memories = Memories()
        self._casts: list[Cast] = []
        self._by_id: dict[str, Cast] = {}
        self._rows = Rows()
        self._step = 0
        self._last: Frame | None = None

    def tell(self, frame: Frame, ahead: Sequence[Frame]) -> Columns:
        """What of this frame could not be foreseen; the next ones say what will go on."""
        columns: Columns = defaultdict(list)
        self._bury(frame, columns)
        for cast in self._casts:
            cast.move(frame.stage)
        old = len(self._casts)
        self._bear(frame, columns)
        new = self._casts[old:]
        recast = [self._casts[place] for place in range(old) if self._recast(place, frame, columns)]
        unknown = {*new, *recast}
        for place, cast in enumerate(self._casts):
            self._correct(place, frame, () if cast in unknown else ahead, columns)
        for cast in (*new, *recast):
            self._memories.learn(cast.mould, cast.numbers, frame.turn)
        self._arrange(frame, old, columns)
        self._step += 1
        self._last = frame
        return columns

    def take_new(self) -> Message:
        """The forms and moulds that are new since this was last asked."""
        moulds = self._moulds
        new: Message = {"forms": moulds.new_forms, "moulds": moulds.new_moulds}
        moulds.new_forms, moulds.new_moulds = [], []
        return {key: value for key, value in new.items() if value}

    def _bury(self, frame: Frame, columns: Columns) -> None:
        """Take away what is gone."""
        casts, self._casts = self._casts, []
        for place, cast in enumerate(casts):
            age = self._step - cast.born
            is_due = not cast.is_spared and cast.kind.oldest == age
            if cast.id in frame.drawn:
                self._casts.append(cast)
                if is_due:
                    columns["kept"].append(place)
                    cast.is_spared = True
                continue
            if not is_due:
                columns["gone"].append(place)
            cast.kind.oldest = max(cast.kind.oldest, age)
            cast.is_gone = True
            del self._by_id[cast.id]
            self._rows.close(cast.id)
            if cast.kind.last is not cast:
                self._rows.leave(cast)

    def _bear(self, frame: Frame, columns: Columns) -> None:
        """Add what comes; of one mould those first that stand before the others."""
        coming = [
            (self._moulds.find(drawn, None), id_)
            for id_, drawn in reversed([*frame.drawn.items()])
            if id_ not in self._by_id
        ]
        for mould, id_ in sorted(coming, key=lambda pair: pair[0].number):
            columns["born"].append(mould.number)
            memory = self._memories.of(mould)
            numbers = self._memories.expect(mould, frame.turn)
            if memory.numbers is None:
                numbers = self._fill(mould, numbers, frame.drawn[id_], frame.turn, columns)
            cast = Cast(id_, mould, numbers, memory.speeds, self._step, memory)
            self._casts.append(cast)
            self._by_id[id_] = cast

    def _fill(
        self, mould: Mould, expected: list[int], drawn: Drawn, turn: int, columns: Columns
    ) -> list[int]:
        """The numbers of the first thing of a mould."""
        numbers = mould.numbers_of(drawn)
        columns["fill"] += (one - other for one, other in zip(numbers, expected, strict=True))
        self._memories.learn(mould, numbers, turn)
        return numbers

    def _recast(self, place: int, frame: Frame, columns: Columns) -> bool:
        """Whether a thing comes from another mould now."""
        cast = self._casts[place]
        drawn = frame.drawn[cast.id]
        mould = self._moulds.find(drawn, cast.mould)
        if mould is cast.mould:
            return False
        wanted = mould.numbers_of(drawn)
        expected = self._memories.expect(mould, frame.turn)
        stays = len(wanted) == len(cast.numbers) and (
            _count_other(cast.numbers, wanted) < _count_other(expected, wanted)
        )
        columns["recast"].append(place)
        columns["recast_as"].append(2 * mould.number + stays)
        if not stays:
            cast.numbers = expected
            if self._memories.of(mould).numbers is None:
                cast.numbers = self._fill(mould, expected, drawn, frame.turn, columns)
        cast.mould, cast.speeds = mould, {}
        return True

    def _correct(self, place: int, frame: Frame, ahead: Sequence[Frame], columns: Columns) -> None:
        """Say which numbers of a thing are not as foreseen."""
        cast = self._casts[place]
        wanted = cast.mould.numbers_of(frame.drawn[cast.id])
        if wanted == cast.numbers:
            return
        for number, (one, other) in enumerate(zip(wanted, cast.numbers, strict=True)):
            more = one - other
            if not more or (abs(more) <= UNSEEN and number in cast.mould.place):
                continue
            name = "jump"
            if self._goes_on(cast, number, frame, ahead):
                name = "steer"
                cast.steer(frame.stage, number, more)
                self._memories.of(cast.mould).speeds = cast.speeds
            columns[name].append(place)
            columns[f"{name}_at"].append(number)
            columns[f"{name}_by"].append(more)
            cast.numbers[number] = one

    def _goes_on(self, cast: Cast, number: int, frame: Frame, ahead: Sequence[Frame]) -> bool:
        """Whether a number will have risen by the same again when the same stage comes again."""
        before, hole = self._last, cast.mould.own[number]
        for last, later in pairwise((frame, *ahead)):
            if later.stage == frame.stage:
                now, then = _rise(before, frame, cast, hole), _rise(last, later, cast, hole)
                room = AS_FAST if number in cast.mould.place else 0
                return now is not None and then is not None and abs(now - then) <= room
        return False

    def _arrange(self, frame: Frame, old: int, columns: Columns) -> None:
        """Say what stands elsewhere than foreseen."""
        for cast in self._casts[old:]:
            self._rows.come(cast, cast.kind.last)
            cast.kind.last = cast
        place = {cast: number for number, cast in enumerate(self._casts)}
        for cast, holder, after in self._rows.arrange(frame.kids, self._by_id):
            columns["put"].append(place[cast])
            if after is not None:
                columns["put_at"].append(2 * place[after])
            else:
                group = -1 if holder == ROOT else place[self._by_id[holder]]
                columns["put_at"].append(2 * group + 3)


def _count_other(some: Sequence[int], others: Sequence[int]) -> int:
    return sum(one != other for one, other in zip(some, others, strict=True))


def _rise(earlier: Frame | None, later: Frame, cast: Cast, hole: int) -> int | None:
    """By how much a number of a thing rises from one frame to the other; None: it is recast."""
    before = earlier.drawn.get(cast.id) if earlier is not None else None
    after = later.drawn.get(cast.id)
    skeleton = cast.mould.skeleton
    if before is None or after is None or not before.skeleton == after.skeleton == skeleton:
        return None
    return after.numbers[hole] - before.numbers[hole]


def format_steps(steps: Sequence[Columns]) -> Message:
    """Steps as columns; those that are empty are left out."""
    names = dict.fromkeys(name for step in steps for name in step)
    return {name: write_column(name, steps) for name in names}
