"""Check the official table: what the stored counts give must be what the matches alone give.

All matches of a game are read and counted, and the table is made of them. It must be equal to the
table of the counts in every digit.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from agon.arena.official_table import table_from_counts, version_key
from agon.arena.version_names import version_titles
from agon.datastore.result_counts import compare_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.datastore.store import Store
    from agon.ranker.table import RankingTable


def verify_table(store: Store, game: str) -> list[str]:
    """What differs, a line for each count and each row of the table; nothing if all is well."""
    stored, counted = store.result_counts.compare(game)
    found = [
        f"{result}: {number} counted, {matches} matches are stored"
        for result, number, matches in compare_counts(stored, counted)
    ]
    names = {version_key(version): title for version, title in version_titles(store, game).items()}
    for rules_version in sorted({result.rules_version for result in stored | counted}):
        tables = (table_from_counts(counts, rules_version) for counts in (stored, counted))
        found += [
            f"rules {rules_version}, {names.get(what, what)}: {said}"
            for what, said in compare_tables(*tables)
        ]
    return found


def compare_tables(stored: RankingTable, computed: RankingTable) -> Iterator[tuple[str, str]]:
    """The rows and figures that differ: the bot or the figure, and both values."""
    rows = {row.bot: row for row in stored.rows}
    for row in computed.rows:
        known = rows.pop(row.bot, None)
        if known is None:
            yield row.bot, "no row by the counts, one by the matches"
        elif known != row:
            values, others = asdict(known), asdict(row)
            yield (
                row.bot,
                ", ".join(
                    f"{name} {values[name]} by the counts, {others[name]} by the matches"
                    for name in values
                    if values[name] != others[name]
                ),
            )
    for bot in rows:
        yield bot, "a row by the counts, none by the matches"
    for name in ("matches", "seats", "draw_rate", "groups"):
        one, other = getattr(stored, name), getattr(computed, name)
        if one != other:
            yield name, f"{one} by the counts, {other} by the matches"
    if stored.to_json()["head_to_head"] != computed.to_json()["head_to_head"]:
        yield "head to head", "not the same by the counts and by the matches"
