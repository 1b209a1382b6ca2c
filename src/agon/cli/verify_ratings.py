"""`agon verify --ratings`: scores, ratings and the table again, from the stored matches alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import typer

from agon.cli.console import JsonValue, print_json, progress_bar, progress_console
from agon.cli.stored import open_stored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arena.verify_stored import Verification


def verify_ratings(games: Sequence[str], data: str | None, as_json: bool) -> None:
    """Look at the stored matches of these games; status 1 if something differs."""
    from agon.arena.verify_stored import verify_stored
    from agon.arena.verify_table import verify_table
    from agon.datastore.matches import MatchFilter

    verified, tables = [], []
    with open_stored(data) as store, progress_bar(progress_console()) as bar:
        for game in games:
            total = store.matches.count(MatchFilter(game=game))
            show = partial(bar.update, bar.add_task(game, total=total))
            verified.append(verify_stored(store, game, lambda done: show(completed=done)))  # noqa: B023
            tables.append(verify_table(store, game))
    found = [verification_json(*one) for one in zip(verified, tables, strict=True)]
    if as_json:
        print_json({"ok": all(one["ok"] for one in found), "games": found})
    else:
        for one, table in zip(verified, tables, strict=True):
            print(format_verification(one))
            for line in table:
                print(f"differs {one.game}  table: {line}")
    if not all(one["ok"] for one in found):
        raise typer.Exit(1)


def format_verification(found: Verification) -> str:
    counts = f"{found.matches} matches and {found.ratings} ratings checked"
    if found.difference is None:
        return f"ok      {found.game}  {counts}"
    return f"differs {found.game}  {found.difference} ({counts})"


def verification_json(found: Verification, table: list[str]) -> dict[str, JsonValue]:
    return {
        "game": found.game,
        "ok": found.difference is None and not table,
        "matches": found.matches,
        "ratings": found.ratings,
        "difference": found.difference,
        "table_differences": list(table),
    }
