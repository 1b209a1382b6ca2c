// A whole Battlebots bot: every turn it reads what it sees, and answers with orders.
//
// Make it yours in choose, near the end: for now it marches at random. `agon bot check .` tries the
// bot out, `agon match battlebots . greedy --watch` lets it play.
"use strict";

// What we see in a turn: our forts, their neighbours, and what is between them.
class View {
  constructor(me, [forts, roads, marches]) {
    this.me = me;
    this.forts = new Map(); // by name; owner "neutral" if it is nobody's
    for (const [name, x, y, owner, soldiers] of forts) {
      const fort = { name, x: Number(x), y: Number(y), owner, soldiers: Number(soldiers) };
      this.forts.set(name, { ...fort, near: [] });
    }
    for (const [one, other] of roads) {
      this.forts.get(one).near.push(other);
      this.forts.get(other).near.push(one);
    }
    this.marches = marches.map(([origin, target, owner, soldiers, steps]) => (
      { origin, target, owner, soldiers: Number(soldiers), steps: Number(steps) } // steps to go
    ));
  }

  // The forts that we may send soldiers from.
  ownForts() {
    return [...this.forts.values()].filter((fort) => fort.owner === this.me);
  }

  // How many turns the march between two forts takes.
  steps(one, other) {
    const [a, b] = [this.forts.get(one), this.forts.get(other)];
    return Math.ceil(Math.hypot(a.x - b.x, a.y - b.y));
  }
}

function below(bound) {
  return Math.floor(Math.random() * bound);
}

// Send some soldiers from some forts. This is where your bot begins.
function choose(view) {
  const orders = [];
  for (const fort of view.ownForts()) {
    if (fort.near.length === 0 || fort.soldiers === 0 || below(2) === 0) continue;
    const target = fort.near[below(fort.near.length)];
    orders.push({ origin: fort.name, target, soldiers: 1 + below(fort.soldiers) });
  }
  return orders;
}

// --- Talking to the arena ---

let home = "";
let me = "";

function answer(sections) {
  for (const [name, x, y, owner] of sections[0]) {
    // Our home, where we began, is at 0 0. If it is a new one, this is the first turn of a match.
    if (x === "0" && y === "0" && name !== home) [home, me] = [name, owner];
  }
  const orders = choose(new View(me, sections));
  const lines = orders.map(({ origin, target, soldiers }) => `${origin} ${target} ${soldiers}`);
  process.stdout.write([`${orders.length} marches:`, ...lines].join("\n") + "\n");
}

// Forts, roads, marches: each a header with a number, and as many lines. Until there is no input.
let sections = [];
let left = 0;
require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    if (left > 0) {
      sections.at(-1).push(line.split(" "));
      left -= 1;
    } else {
      sections.push([]);
      left = Number(line.split(" ")[0]);
    }
    if (left === 0 && sections.length === 3) {
      answer(sections);
      sections = [];
    }
  });
