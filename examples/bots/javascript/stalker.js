// Stalker, a Hive bot: it goes where the other queen is, and takes the last cells beside her.
//
// The rules are the starter's (`agon bot new hive --language javascript`); what is its own begins
// at `choose`. It tries every move on its board and takes it back again.
"use strict";

// A cell is a number: +1 is one to the right, +64 one to the lower right. Numbers wrap around at
// 4096, which no hive is long enough to notice. These are the steps to the six neighbours,
// clockwise, by the point of contact that names each: wG1/*bA1 puts wG1 at bA1's upper left.
const CONTACTS = { "/*": -64, "*\\": -63, "*|": 1, "*/": 64, "\\*": 63, "|*": -1 };
const STEPS = Object.values(CONTACTS);
const CELLS = 4096;
const START = 2080;
const BASE_SET = { Q: 1, S: 2, B: 2, G: 3, A: 3 };

// The cell that far away.
const add = (cell, step) => (cell + step + CELLS) % CELLS;

// The six neighbours, clockwise: the two that a cell shares with number i are i-1 and i+1.
const around = (cell) => STEPS.map((step) => add(cell, step));

// The board, and what the rules say about it. A move is { tile: "wG1", target: cell }.
class Hive {
  constructor(options) {
    const expansions = (options.variant ?? "Base").split("+")[1] ?? "";
    this.tiles = { ...BASE_SET };
    for (const kind of expansions) this.tiles[kind] = 1;
    this.queenFirst = options.queen_first === "on";
    this.stacks = new Map(); // the tiles on each occupied cell, bottom to top
    this.turn = 0;
    this.moved = ""; // the tile that the last turn moved: no pillbug throws it now
  }

  // --- The board ---

  side() {
    return "wb"[this.turn % 2];
  }

  height(cell) {
    return this.stacks.get(cell)?.length ?? 0;
  }

  // The visible tile of an occupied cell.
  top(cell) {
    return this.stacks.get(cell).at(-1);
  }

  // Where a tile lies; undefined: in the hand.
  find(tile) {
    for (const [cell, stack] of this.stacks) if (stack.includes(tile)) return cell;
    return undefined;
  }

  put(tile, cell) {
    if (!this.stacks.has(cell)) this.stacks.set(cell, []);
    this.stacks.get(cell).push(tile);
  }

  lift(cell) {
    const tile = this.stacks.get(cell).pop();
    if (this.height(cell) === 0) this.stacks.delete(cell);
    return tile;
  }

  // How many tiles, such as wG, are on the board.
  count(kind) {
    return [...this.stacks.values()].flat().filter((tile) => tile.startsWith(kind)).length;
  }

  // The visible tiles around a cell.
  touching(cell) {
    return around(cell).filter((near) => this.stacks.has(near)).map((near) => this.top(near));
  }

  // Whether all tiles hang together.
  isOneHive() {
    const waiting = [...this.stacks.keys()].slice(0, 1);
    const seen = new Set(waiting);
    while (waiting.length > 0) {
      for (const near of around(waiting.pop())) {
        if (this.stacks.has(near) && !seen.has(near)) {
          seen.add(near);
          waiting.push(near);
        }
      }
    }
    return seen.size === this.stacks.size;
  }

  // --- Moves as text ---

  // The move that a text of the arena stands for; null: a pass.
  read(text) {
    if (text === "pass") return null;
    const tile = text.slice(0, 3);
    const reference = this.find(text.slice(5));
    if (reference === undefined) return { tile, target: START }; // the first tile of the match
    return { tile, target: add(reference, CONTACTS[text.slice(3, 5)] ?? 0) }; // =* is on top
  }

  // A move as text. Any tile beside the target will do, but not the one that moves.
  write(move) {
    if (move === null) return "pass";
    const { tile, target } = move;
    if (this.stacks.has(target)) return `${tile}=*${this.top(target)}`;
    for (const [contact, step] of Object.entries(CONTACTS)) {
      const beside = this.stacks.get(add(target, -step)) ?? [];
      const others = beside.filter((other) => other !== tile);
      if (others.length > 0) return tile + contact + others.at(-1);
    }
    return tile;
  }

  // Bring the board up to date after a turn of either side.
  play(move) {
    this.turn += 1;
    this.moved = "";
    if (move === null) return;
    const origin = this.find(move.tile);
    if (origin !== undefined) this.moved = this.lift(origin);
    this.put(move.tile, move.target);
  }

  // --- Which moves are legal ---

  // All moves of the side whose turn it is; with none of them it has to pass.
  legalMoves() {
    const moves = this.placements();
    if (this.find(this.side() + "Q1") !== undefined) moves.push(...this.tileMoves());
    const once = new Map(moves.map((move) => [move.tile + move.target, move]));
    return [...once.values()]; // what can be done in two ways counts once
  }

  // New tiles touch own tiles only; the queen comes second to fourth.
  placements() {
    const side = this.side();
    const ownTurn = Math.floor(this.turn / 2) + 1;
    let left = Object.keys(this.tiles).filter((k) => this.count(side + k) < this.tiles[k]);
    if (ownTurn === 1 && !this.queenFirst) left = left.filter((kind) => kind !== "Q");
    if (ownTurn >= 4 && left.includes("Q")) left = ["Q"];
    let cells = [...this.stacks.keys()].flatMap(around).filter((cell) => !this.stacks.has(cell));
    if (this.turn === 0) cells = [START];
    if (this.turn > 1) {
      cells = cells.filter((cell) => this.touching(cell).every((tile) => tile[0] === side));
    }
    const fresh = left.map((kind) => side + kind + (this.count(side + kind) + 1));
    return fresh.flatMap((tile) => cells.map((target) => ({ tile, target })));
  }

  // What tiles on the board do: walk by themselves, or be thrown by an own pillbug.
  tileMoves() {
    const moves = [];
    const occupied = [...this.stacks.keys()];
    const throwers = occupied.filter((cell) => this.canThrow(cell));
    for (const cell of occupied) {
      const tile = this.lift(cell); // all rules look at the hive without the tile that moves
      if (tile !== this.moved && this.isOneHive()) {
        const targets = tile[0] === this.side() ? this.walks(tile[1], cell) : [];
        if (!this.stacks.has(cell)) targets.push(...this.throws(cell, throwers)); // no stacks
        for (const target of targets) moves.push({ tile, target });
      }
      this.put(tile, cell);
    }
    return moves;
  }

  // Where a tile of that kind gets from its cell, from which it is lifted.
  walks(kind, start) {
    const occupied = (cell) => this.stacks.has(cell);
    const empty = (cell) => !this.stacks.has(cell);
    switch (kind) {
      case "S":
        return this.crawls([start]);
      case "A":
        return this.marches(start);
      case "G":
        return this.jumps(start);
      case "B":
        if (occupied(start)) return this.climbs(start);
        return [...this.slides(start), ...this.climbs(start).filter(occupied)];
      case "L": { // up, along the top, down
        const up = this.climbs(start).filter(occupied);
        const along = up.flatMap((cell) => this.climbs(cell).filter(occupied));
        const down = along.flatMap((cell) => this.climbs(cell).filter(empty));
        return down.filter((cell) => cell !== start);
      }
      case "M": { // a beetle on top, else whatever it touches
        const kinds = occupied(start) ? ["B"] : this.touching(start).map((tile) => tile[1]);
        const others = [...new Set(kinds)].filter((other) => other !== "M");
        return others.flatMap((other) => this.walks(other, start));
      }
      default: // the queen and the pillbug
        return this.slides(start);
    }
  }

  // One step on the ground: of the two cells beside the way just one is occupied.
  slides(start) {
    const near = around(start);
    const taken = near.map((cell) => this.stacks.has(cell));
    return near.filter((cell, i) => !taken[i] && taken[(i + 5) % 6] !== taken[(i + 1) % 6]);
  }

  // One step up, along or down: not between two stacks that are higher than both ends.
  climbs(start) {
    const near = around(start);
    const high = near.map((cell) => this.height(cell));
    const level = this.height(start);
    return near.filter(
      (cell, i) => Math.min(high[(i + 5) % 6], high[(i + 1) % 6]) <= Math.max(level, high[i]),
    );
  }

  // The spider: three slides, and no cell twice.
  crawls(path) {
    if (path.length === 4) return [path[3]];
    const steps = this.slides(path.at(-1)).filter((cell) => !path.includes(cell));
    return steps.flatMap((step) => this.crawls([...path, step]));
  }

  // The ant: as many slides as it likes.
  marches(start) {
    const seen = [start];
    for (let i = 0; i < seen.length; i++) {
      for (const cell of this.slides(seen[i])) if (!seen.includes(cell)) seen.push(cell);
    }
    return seen.slice(1);
  }

  // The grasshopper: straight over one or more tiles to the first empty cell.
  jumps(start) {
    const ends = [];
    for (const step of STEPS) {
      let cell = add(start, step);
      if (!this.stacks.has(cell)) continue;
      while (this.stacks.has(cell)) cell = add(cell, step);
      ends.push(cell);
    }
    return ends;
  }

  // Whether an own pillbug lies there, or a mosquito on the ground that touches one.
  canThrow(cell) {
    const tile = this.top(cell);
    if (tile[0] !== this.side() || tile === this.moved || this.height(cell) > 1) return false;
    const touchesOne = this.touching(cell).some((near) => near[1] === "P");
    return tile[1] === "P" || (tile[1] === "M" && touchesOne);
  }

  // Where the tile lifted from `start` can be thrown: onto a pillbug, and down again.
  throws(start, throwers) {
    const over = this.climbs(start).filter((cell) => throwers.includes(cell));
    const down = over.flatMap((cell) => this.climbs(cell));
    return down.filter((cell) => !this.stacks.has(cell) && cell !== start);
  }
}

// The move after which it likes the position best; among equals, chance decides.
function choose(hive, moves) {
  const side = hive.side();
  const rated = moves.map((move) => {
    const undo = tryOut(hive, move);
    const score = like(hive, side) - distance(hive, move, side) / 10 + Math.random() / 10;
    undo();
    return { move, score };
  });
  return rated.reduce((best, next) => (next.score > best.score ? next : best)).move;
}

// Play a move; what comes back takes it back.
function tryOut(hive, move) {
  const { moved } = hive;
  const origin = hive.find(move.tile);
  hive.play(move);
  return () => {
    hive.lift(move.target);
    if (origin !== undefined) hive.put(move.tile, origin);
    hive.turn -= 1;
    hive.moved = moved;
  };
}

const other = (side) => (side === "w" ? "b" : "w");

// How good a position is for a side: free cells around queens are what counts.
function like(hive, side) {
  const own = crowd(hive, side);
  const theirs = crowd(hive, other(side));
  if (theirs === 6) return own === 6 ? 0 : 1000;
  return own === 6 ? -1000 : theirs * theirs - own * own;
}

// How many tiles stand around a side's queen.
function crowd(hive, side) {
  const cell = hive.find(side + "Q1");
  return cell === undefined ? 0 : hive.touching(cell).length;
}

// How far from the other queen a move ends; a beetle that climbs onto her is there.
function distance(hive, move, side) {
  const queen = hive.find(other(side) + "Q1");
  if (queen === undefined || move.tile[1] === "Q") return 0;
  const [dq, dr] = [(move.target % 64) - (queen % 64), (move.target >> 6) - (queen >> 6)];
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}

// Read a line, do what it says, answer if it is our turn; until there is no more input.
let hive = new Hive({});
let colour = "?";
require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [word, ...rest] = line.trim().split(" ");
    if (word === "options") { // a new match: options variant=Base queen_first=off turn_ms=1000
      hive = new Hive(Object.fromEntries(rest.map((pair) => pair.split("="))));
    } else if (word === "colour") { // colour white
      colour = rest[0][0];
    } else if (word === "end") { // end black white queen surrounded
      colour = "?";
    } else { // a move of the other side
      hive.play(hive.read(word));
    }
    if (hive.side() === colour) {
      const moves = hive.legalMoves();
      const move = moves.length > 0 ? choose(hive, moves) : null;
      process.stdout.write(hive.write(move) + "\n");
      hive.play(move);
    }
  });
