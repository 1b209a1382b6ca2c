"""The starter bots play whole matches, as real processes, without a fault."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.entrant import find_entrant, launch_on_host, make_seat
from agon.arbiter.limits import Limits
from agon.arbiter.sandboxed import launch_in_sandbox
from agon.arbiter.seat import BotSeat
from agon.arbiter.starter import starter_languages, write_starter
from agon.games.bot import Budget, no_time
from agon.games.dialogue import Briefing
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.protocol import seat_players
from agon.games.mebipenny.wire import format_delta, format_game, parse_new_move
from agon.games.random_bot import RandomBot
from agon.servers.mebipenny import MatchStore, MebiPennyServer, MebiPennySettings, open_lobby
from tests.examples.toolchain import present

if TYPE_CHECKING:
    from agon.arbiter.entrant import Launch
    from agon.match.result import MatchResult
    from agon.servers.mebipenny.match_store import StoredGame

HTTP_TOOLS = {"javascript": "node", "python": "python3"}
SHORT = "python-short"
PATIENT = Limits(turn_ns=120 * 10**9)
MATCHES = [
    MebiPennyOptions(),
    MebiPennyOptions(3, 4),
    MebiPennyOptions(9, 6, 4, "0.2"),
    MebiPennyOptions(5, 30, 3),
    MebiPennyOptions(2, 2, 2, "0.9"),
]


def test_every_starter_is_tested() -> None:
    assert starter_languages(GAME) == (*HTTP_TOOLS, SHORT)


# --- Over HTTP -----------------------------------------------------------------------------------


def play_http(folder: Path, options: MebiPennyOptions, launch: Launch) -> MatchResult:
    """A match of the bot in that folder, on the last seat."""
    entrant = find_entrant(GAME, str(folder))
    program = make_seat(GAME, entrant, 0, no_time, launch)
    others = options.seats_for(None) - 1
    bots = [BotSeat("random", GAME.bots()["random"], n, no_time) for n in range(others)]
    try:
        return Arbiter(GAME, options, [*bots, program], PATIENT, time.monotonic_ns).play(7)
    finally:
        program.close()


@pytest.mark.parametrize("language", present(HTTP_TOOLS))
def test_it_plays_on_every_board(tmp_path: Path, language: str) -> None:
    write_starter(GAME, language, "novice", tmp_path / "novice")
    for options in MATCHES:
        match = play_http(tmp_path / "novice", options, launch_on_host)
        assert match.faults == (None,) * options.seats_for(None)


@pytest.mark.parametrize("language", present(HTTP_TOOLS))
def test_it_plays_in_the_sandbox(language: str) -> None:
    with tempfile.TemporaryDirectory(prefix="agon-bot-") as made:
        Path(made).chmod(0o755)
        write_starter(GAME, language, "novice", Path(made) / "novice")
        match = play_http(Path(made) / "novice", MebiPennyOptions(), launch_in_sandbox)
    assert match.faults == (None, None)
    assert match.outcome.reason in ("no tiles left", "all passed")


async def run_bot(*command: str, folder: Path) -> tuple[int | None, str]:
    """How a program ended, and the last line that it wrote to its standard error."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _, printed = await process.communicate()
    return process.returncode, printed.decode().strip()


async def play_on_a_server(folders: dict[str, Path], status: int) -> list[StoredGame]:
    """Two programs are matched on a public server; then they meet in a game of ours."""
    ended: list[StoredGame] = []
    keeper = MatchStore(on_kept=ended.append)
    lobby = open_lobby(MebiPennySettings(match_status=status), keeper, chance=Random(4))  # noqa: S311
    server = MebiPennyServer(lobby, "127.0.0.1", 0)
    await server.start()
    try:
        base = f"http://127.0.0.1:{server.port}"
        game = f"{base}/{lobby.create(MebiPennyOptions(4, 5, 2)).id}"
        for url in (base, game):
            runs = (run_bot(*RUN[name], url, name, folder=folders[name]) for name in folders)
            for code, printed in await asyncio.gather(*runs):
                assert printed.startswith("the end: ")
                assert code == 0
    finally:
        await server.close()
        keeper.close()
    return ended


RUN = {"python": ("python3", "mebipenny_bot.py"), "javascript": ("node", "mebipenny_bot.js")}


@pytest.mark.parametrize("status", [302, 201])
def test_both_play_unchanged_on_a_public_server(tmp_path: Path, status: int) -> None:
    folders = {name: tmp_path / name for name in RUN}
    for language, folder in folders.items():
        write_starter(GAME, language, "novice", folder)
    ended = asyncio.run(play_on_a_server(folders, status))
    assert [kept.match.faults for kept in ended] == [(None, None)] * 2


@pytest.mark.parametrize("language", present(HTTP_TOOLS))
def test_without_a_server_it_says_so(tmp_path: Path, language: str) -> None:
    write_starter(GAME, language, "novice", tmp_path / "novice")
    nowhere = "http://127.0.0.1:9"  # a port that is for throwing away
    run = run_bot(*RUN[language], nowhere, folder=tmp_path / "novice")
    code, printed = asyncio.run(run)
    assert code == 1
    assert "refused" in printed.lower()


# --- Over pipes ----------------------------------------------------------------------------------


def play(process: subprocess.Popen[str], options: MebiPennyOptions) -> str:
    """A match of the program against others by chance; why it ended. Bad answers raise."""
    assert process.stdin is not None
    assert process.stdout is not None
    dialogue, position = GAME.dialogue("json"), GAME.start(options, 7)
    seat, others = position.seats - 1, RandomBot(3)

    def send(lines: list[str]) -> None:
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()

    names = tuple(f'bot "{number}" \\ ]}},' for number in range(position.seats))
    send(dialogue.open(position, seat, Briefing(10**9, names=names)))
    while position.to_act:
        mover = position.next_seat
        if mover == seat:
            send(dialogue.ask(position))
            text = dialogue.read(process.stdout.readline().strip())
            move = dialogue.parse(position, seat, text or "")
        else:
            move = others.choose(position, mover, Budget())
        after = position.play_move(move)
        send(dialogue.tell(position, {mover: move}, after))
        position = after
    send(dialogue.close(position.outcome))
    assert position.outcome is not None
    return position.outcome.reason


def test_the_short_one_plays_many_matches(tmp_path: Path) -> None:
    program = write_starter(GAME, SHORT, "novice", tmp_path / "novice").program
    process = subprocess.Popen(
        program.run,
        cwd=program.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        reasons = {play(process, options) for options in MATCHES}
    assert process.returncode == 0
    assert reasons <= {"no tiles left", "all passed"}


# --- What the Python one knows -------------------------------------------------------------------


def load_python_starter(tmp_path: Path) -> Any:
    write_starter(GAME, "python", "novice", tmp_path / "novice")
    path = tmp_path / "novice" / "mebipenny_bot.py"
    spec = importlib.util.spec_from_file_location("mebipenny_novice", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("options", MATCHES, ids=str)
def test_the_python_starter_knows_the_board_and_the_legal_moves(
    tmp_path: Path, options: MebiPennyOptions
) -> None:
    bot, chance = load_python_starter(tmp_path), RandomBot(5)
    position = GAME.start(options, 2)
    players = seat_players(position.seats)
    first = json.loads(json.dumps(format_game(position, players, 0)))
    board = bot.Board(first)
    while position.to_act:
        if position.next_seat == 0:
            texts = [json.loads(bot.format_move(move)) for move in [*board.legal_moves(), None]]
            read = [parse_new_move(position, text, players) for text in texts]
            assert sorted(read) == sorted(position.moves)
        seat = position.next_seat
        after = position.play_move(chance.choose(position, seat, Budget()))
        board.update(json.loads(json.dumps(format_delta(position, after, players, 0))))
        position = after
        owners = {tile: None if o is None else f"p{o}" for tile, o in position.claims()}
        assert board.owners == owners
        assert board.hand == [*position.hands[0]]
        assert board.scores == {f"p{s}": n for s, n in enumerate(position.scores)}
