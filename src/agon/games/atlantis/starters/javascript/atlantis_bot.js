// A whole Atlantis bot: it reads what the arena says, keeps the board, and answers with moves.
//
// Make it yours in choose, near the end: for now it moves at random. `agon bot check .` tries the
// bot out, `agon match atlantis . greedy --watch` lets it play.
"use strict";

// Neighbours of a field, clockwise from the one above: letters count x, numbers y.
const STEPS = [[1, 1], [1, 0], [0, -1], [-1, -1], [-1, 0], [0, 1]];
const OPEN = 0;
const GROWING = 1;
const DEAD = 2;
const NOBODY = -1;

// From b3 to [2, 3], and back.
function parsePlace(name) {
  const [, letters, number] = name.match(/^([a-z]+)([0-9]+)$/);
  let x = 0;
  for (const letter of letters) x = 26 * x + letter.charCodeAt(0) - 96;
  return [x, Number(number)];
}

function formatPlace(x, y) {
  let letters = "";
  for (; x > 0; x = Math.floor((x - 1) / 26)) {
    letters = String.fromCharCode(97 + ((x - 1) % 26)) + letters;
  }
  return letters + y;
}

// The board, and what the rules say about it. A field knows its neighbours by direction; a move is
// { source, direction, steps }, and takes as many stones as steps.
class Island {
  constructor(transcript) {
    this.players = transcript.players.length;
    this.turn = 0;
    this.fields = new Map(); // by name
    transcript.segments.forEach((names, segment) => {
      for (const name of names) {
        this.fields.set(name, { name, segment, kind: OPEN, owner: NOBODY, stones: 0 });
      }
    });
    for (const field of this.fields.values()) {
      const [x, y] = parsePlace(field.name);
      field.near = STEPS.map(([dx, dy]) => this.fields.get(formatPlace(x + dx, y + dy)));
    }
    transcript.players.forEach((player, seat) => {
      for (const [name, stones] of Object.entries(player.stacks)) {
        const kind = stones > 0 ? OPEN : stones < 0 ? GROWING : DEAD;
        Object.assign(this.fields.get(name), { owner: seat, stones: Math.abs(stones), kind });
      }
    });
  }

  // Whose turn it is.
  seat() {
    return this.turn % this.players;
  }

  // The open fields that lie ahead, up to the first that is none.
  line(source, direction) {
    const found = [];
    let field = source.near[direction];
    for (; field && field.kind === OPEN; field = field.near[direction]) found.push(field);
    return found;
  }

  openAround(field) {
    return field.near.filter((near) => near && near.kind === OPEN);
  }

  // All moves of the seat whose turn it is, by segment: a turn has at most one of each.
  legalMoves() {
    const moves = new Map();
    for (const source of this.fields.values()) {
      if (source.kind !== OPEN || source.owner !== this.seat()) continue;
      for (let direction = 0; direction < 6; direction++) {
        const most = Math.min(source.stones, this.line(source, direction).length);
        for (let steps = 1; steps <= most; steps++) {
          if (!moves.has(source.segment)) moves.set(source.segment, []);
          moves.get(source.segment).push({ source, direction, steps });
        }
      }
    }
    return [...moves.values()];
  }

  // --- Moves as text ---

  read([from, to]) {
    const [x, y] = parsePlace(from);
    const [toX, toY] = parsePlace(to);
    const steps = Math.max(Math.abs(toX - x), Math.abs(toY - y));
    const direction = STEPS.findIndex(
      ([dx, dy]) => x + steps * dx === toX && y + steps * dy === toY,
    );
    return { source: this.fields.get(from), direction, steps };
  }

  write({ source, direction, steps }) {
    return [source.name, this.line(source, direction)[steps - 1].name];
  }

  // --- What a turn does ---

  // Bring the board up to date after a turn: moves, explosions, growth.
  play(moves) {
    for (const move of moves) this.carryOut(move);
    const exploding = [...this.fields.values()];
    while (exploding.length > 0) {
      const field = exploding.pop();
      if (this.isVolatile(field)) exploding.push(...this.explode(field));
    }
    for (const field of this.fields.values()) {
      if (field.kind === GROWING && field.owner === this.seat()) field.stones += 1;
    }
    this.turn += 1;
  }

  // Stones go field by field, and fall with the stones of others that they meet.
  carryOut({ source, direction, steps }) {
    const way = this.line(source, direction).slice(0, steps);
    let moving = steps;
    this.take(source, moving);
    for (const field of way) {
      if (!this.isOthers(field)) continue;
      const fallen = Math.min(moving, field.stones);
      this.take(field, fallen);
      moving -= fallen;
      if (moving === 0) return;
    }
    this.add(way.at(-1), moving);
  }

  isOthers(field) {
    return field.owner !== NOBODY && field.owner !== this.seat();
  }

  // Whether a field of the seat holds at least as many stones as it has open neighbours.
  isVolatile(field) {
    if (field.kind === DEAD || field.owner !== this.seat()) return false;
    return field.stones >= this.openAround(field).length;
  }

  // A stone for each open neighbour; returns the fields that may be volatile now.
  explode(field) {
    field.kind += 1; // open, growing, dead
    field.stones = 0;
    for (const near of this.openAround(field)) {
      if (this.isOthers(near)) this.take(near, 1);
      else this.add(near, 1);
    }
    return [field, ...field.near.filter((near) => near)];
  }

  add(field, stones) {
    field.owner = this.seat();
    field.stones += stones;
  }

  // A field is nobody's when no stone is left.
  take(field, stones) {
    field.stones -= stones;
    if (field.stones === 0) field.owner = NOBODY;
  }
}

// Pick a move from some of the segments, or none at all. This is where your bot begins.
function choose(island, segments) {
  const some = segments.filter(() => Math.random() < 0.5);
  return some.map((moves) => moves[Math.floor(Math.random() * moves.length)]);
}

// Read a line, do what it says; until there is no more input.
let island = null;
require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.format) { // a new match; message.you is our seat
      island = new Island(message);
    } else if (message.type === "turn") { // of anybody, our own among them
      island.play(message.moves.map((move) => island.read(move)));
    } else if (message.type === "your-turn") {
      const moves = choose(island, island.legalMoves()).map((move) => island.write(move));
      process.stdout.write(JSON.stringify({ moves }) + "\n");
    }
  });
