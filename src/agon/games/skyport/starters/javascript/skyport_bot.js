// A whole Skyport bot: it connects, chooses its weapons, and answers every turn of its own.
//
//     node skyport_bot.js NAME HOST PORT
//
// Make it yours in choose, in the middle: for now it shoots at whom it can hit, and else walks to the
// nearest place where it can mine or shoot. `agon bot check .` tries the bot out,
// `agon match skyport . random --watch` lets it play.
"use strict";

const net = require("node:net");
const readline = require("node:readline");

const STEPS = { // j grows to the lower left, k to the lower right
  "up": [-1, -1],
  "down": [1, 1],
  "right-up": [-1, 0],
  "right-down": [0, 1],
  "left-up": [0, -1],
  "left-down": [1, 0],
};
const LOADOUT = ["laser", "mortar"]; // two of laser, mortar and droid
const LASER_RANGE = [0, 5, 6, 7]; // by level
const MORTAR_RANGE = [0, 2, 3, 4];
const UPGRADE_COST = [0, 4, 5]; // from level 1, from level 2
const TOP_LEVEL = 3;
const FUEL = { laser: "R", mortar: "E", droid: "C" }; // what a weapon's upgrades are made of
const ACTIONS = 3; // in a turn
const UNITS = 2; // in a mine that nobody has touched

// How many steps two hexes are apart.
function distance([j, k], [otherJ, otherK]) {
  const [dj, dk] = [otherJ - j, otherK - k];
  return Math.max(Math.abs(dj), Math.abs(dk), Math.abs(dj - dk));
}

// The next hex in a direction.
function beside([j, k], direction) {
  return [j + STEPS[direction][0], k + STEPS[direction][1]];
}

// --- Actions ---

const MINE = { type: "mine" };
const PASS = { type: "pass" }; // gives up the rest of the turn
const move = (direction) => ({ type: "move", direction });
const upgrade = (weapon) => ({ type: "upgrade", weapon });
const laser = (direction) => ({ type: "laser", direction }); // like every shot, it ends the turn
const mortar = (j, k) => ({ type: "mortar", coordinates: `${j},${k}` }); // counted from where we are

// What we have mined. The arena tells what was carried out, and nothing else: we count.
class Purse {
  constructor() {
    this.units = { R: 0, E: 0, C: 0 };
    this.dug = new Map(); // how much of it came from where
    this.asked = [];
    this.levels = {};
  }

  // These actions are about to be sent: where do they mine?
  expect(board, actions) {
    let here = board.here;
    this.asked = [];
    this.levels = board.levels;
    for (const action of actions) {
      if (action.type === "move") here = beside(here, action.direction);
      else if (action.type === "mine") this.asked.push([`${here}`, board.tile(here)]);
    }
  }

  // One of them was carried out.
  count(done) {
    if (done.type === "mine" && this.asked.length > 0) {
      const [place, kind] = this.asked.shift();
      this.units[kind] += 1;
      this.dug.set(place, (this.dug.get(place) ?? 0) + 1);
    } else if (done.type === "upgrade") {
      this.units[FUEL[done.weapon]] -= UPGRADE_COST[this.levels[done.weapon]];
    }
  }
}

// What a gamestate tells, and what we have counted ourselves.
class Board {
  constructor(state, name, purse) {
    this.tiles = state.map.data;
    this.purse = purse;
    this.robots = new Set(); // where they stand, dead ones too: bodies block the way
    this.targets = [];
    this.here = [0, 0];
    this.levels = {};
    for (const player of state.players) {
      const place = player.position.split(",").map(Number);
      this.robots.add(`${place}`);
      if (player.name === name) {
        this.here = place;
        for (const weapon of [player["primary-weapon"], player["secondary-weapon"]]) {
          this.levels[weapon.name] = weapon.level;
        }
      } else if (player.health > 0 && this.tile(place) !== "S") { // nobody is hurt on a spawn
        this.targets.push(place);
      }
    }
  }

  // G, R, E, C, V, O or S; nothing off the map.
  tile([j, k]) {
    return this.tiles[j]?.[k] ?? "";
  }

  // Whether we could step there.
  isFree(place) {
    return ["G", "R", "E", "C"].includes(this.tile(place)) && !this.robots.has(`${place}`);
  }

  // Whether there is something to mine that we can use.
  wants(place) {
    const useful = Object.keys(this.levels).filter((weapon) => this.levels[weapon] < TOP_LEVEL);
    return useful.some((weapon) => FUEL[weapon] === this.tile(place));
  }

  // How much is left in a mine, as far as we know: others do not say where they mine.
  left(place) {
    return Math.max(1, UNITS - (this.purse.dug.get(`${place}`) ?? 0));
  }

  // A weapon that we can pay an upgrade for.
  upgrade() {
    return Object.keys(this.levels).find((weapon) => this.levels[weapon] < TOP_LEVEL
      && this.purse.units[FUEL[weapon]] >= UPGRADE_COST[this.levels[weapon]]);
  }

  // A shot from this place that hits somebody else, and not us.
  shot(place) {
    if (this.tile(place) === "S") return undefined;
    for (const direction of Object.keys(STEPS)) {
      if (this.laserHits(place, direction)) return laser(direction);
    }
    const reach = MORTAR_RANGE[this.levels.mortar ?? 0];
    for (const target of this.targets) {
      const steps = distance(place, target);
      if (steps >= 2 && steps <= reach) { // its neighbours are hurt as well
        return mortar(target[0] - place[0], target[1] - place[1]);
      }
    }
    return undefined;
  }

  // Whether a ray from this place hits somebody.
  laserHits(place, direction) {
    for (let left = LASER_RANGE[this.levels.laser ?? 0]; left > 0; left -= 1) {
      place = beside(place, direction);
      if (["", "O"].includes(this.tile(place))) return false;
      if (this.targets.some((target) => `${target}` === `${place}`)) return true;
    }
    return false;
  }

  // The first step to the nearest place where we can mine or shoot, if there is one.
  wayToWork(start, done) {
    const first = new Map([[`${start}`, ""]]);
    const queue = [start];
    for (let next = 0; next < queue.length; next += 1) {
      const place = queue[next];
      const isMine = this.wants(place) && !done.has(`${place}`);
      if (next > 0 && (isMine || this.shot(place))) return first.get(`${place}`);
      for (const direction of Object.keys(STEPS)) {
        const near = beside(place, direction);
        if (first.has(`${near}`) || !this.isFree(near)) continue;
        first.set(`${near}`, first.get(`${place}`) || direction);
        queue.push(near);
      }
    }
    return undefined;
  }
}

// --- What to do ---

// The actions of a turn, three at most. This is where your bot begins.
// A shot does a fifth more damage for each action that it leaves unused.
function choose(board) {
  const actions = [];
  const done = new Set();
  let [here, mined, weapon] = [board.here, 0, board.upgrade()];
  while (actions.length < ACTIONS) {
    const shot = board.shot(here);
    if (shot) return [...actions, shot];
    if (weapon) {
      actions.push(upgrade(weapon));
      weapon = undefined;
    } else if (board.wants(here) && !done.has(`${here}`)) {
      actions.push(MINE);
      mined += 1;
      if (mined === board.left(here)) done.add(`${here}`);
    } else {
      const step = board.wayToWork(here, done) ?? wander(board, here);
      if (!step) return [...actions, PASS];
      actions.push(move(step));
      [here, mined] = [beside(here, step), 0];
    }
  }
  return actions;
}

// A step anywhere: it costs ten points to do nothing, and ten to stay on one's spawn.
function wander(board, here) {
  const free = Object.keys(STEPS).filter((direction) => board.isFree(beside(here, direction)));
  return free[Math.floor(Math.random() * free.length)];
}

// --- Talking to the arena ---

// What we say to a message; most need no answer.
function answer(message, name, purse) {
  if ("error" in message) {
    console.error("the arena says:", message.error);
  } else if (message.message === "action" && message.from === name) {
    purse.count(message);
  } else if (message.message === "gamestate" && message.turn > 0) { // turn 0 is for the weapons
    if (message.players[0].name !== name) return []; // whose turn it is comes first
    const board = new Board(message, name, purse);
    const actions = choose(board);
    purse.expect(board, actions);
    return actions.map((action) => ({ message: "action", ...action }));
  }
  return [];
}

// Connect, and answer line by line, until the arena closes the connection.
function play(name, host, port) {
  const purse = new Purse();
  const connection = net.connect(port, host);
  const send = (messages) => {
    connection.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  };
  connection.setNoDelay(true);
  connection.on("connect", () => {
    const [primary, secondary] = LOADOUT; // may come as early as the handshake
    send([
      { message: "connect", revision: 1, name },
      { message: "loadout", "primary-weapon": primary, "secondary-weapon": secondary },
    ]);
  });
  connection.on("error", (error) => {
    if (error.code === "ECONNREFUSED") { // else the match is over, and we were about to speak
      console.error(`nobody listens at ${host}:${port}`);
      process.exitCode = 1;
    }
  });
  readline
    .createInterface({ input: connection })
    .on("line", (line) => send(answer(JSON.parse(line), name, purse)))
    .on("close", () => connection.end());
}

if (process.argv.length !== 5) {
  console.error("usage: node skyport_bot.js NAME HOST PORT");
  process.exitCode = 1;
} else {
  const [name, host, port] = process.argv.slice(2);
  play(name, host, Number(port));
}
