// A Skyport bot that asks the arena what it may do, and chooses: node skyport_bot.js NAME HOST PORT
//
// Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match skyport . random
// --watch` lets it play.
"use strict";

const net = require("node:net");
const readline = require("node:readline");

// A hex is [j, k]: j grows to the lower left, k to the lower right.
const STEPS = { up: [-1, -1], down: [1, 1], "left-up": [0, -1], "right-down": [0, 1] };
Object.assign(STEPS, { "right-up": [-1, 0], "left-down": [1, 0] });
const add = ([j, k], [stepJ, stepK]) => [j + stepJ, k + stepK];

// Where a shot goes from here; terrain is left out. No other action goes anywhere.
function aimsAt(action, here) {
  if (action.type === "laser") {
    const hexes = [here];
    while (hexes.length < 6) hexes.push(add(hexes.at(-1), STEPS[action.direction]));
    return hexes.slice(1);
  }
  if (action.type === "mortar") return [add(here, action.coordinates.split(",").map(Number))];
  if (action.type === "droid") return [action.sequence.map((step) => STEPS[step]).reduce(add, here)];
  return [];
}

// Pick one of the messages that we may send now. This is where your bot begins.
function choose(legal, here, enemies) {
  const isHit = (hex) => enemies.some((enemy) => enemy.join() === hex.join());
  const shots = legal.filter((action) => aimsAt(action, here).some(isHit));
  const work = legal.filter((action) => ["mine", "upgrade"].includes(action.type));
  const moves = legal.filter((action) => action.type === "move");
  const liked = [shots, work, moves, legal].find((actions) => actions.length);
  return liked[Math.floor(Math.random() * liked.length)];
}

const [name, host, port] = process.argv.slice(2);
const arena = net.connect(Number(port), host);
let here = [0, 0];
let enemies = [];
arena.write(`legal\n${JSON.stringify({ message: "connect", revision: 1, name })}\n`);
arena.on("error", () => process.exit()); // the match is over, and we were about to say something
readline.createInterface({ input: arena }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.message === "gamestate") {
    const hex = (player) => player.position.split(",").map(Number);
    here = hex(message.players.find((player) => player.name === name));
    enemies = message.players.filter((player) => player.name !== name).map(hex);
  } else if (message.message === "legal") {
    const action = choose(message.legal, here, enemies);
    if (action.type === "move") here = add(here, STEPS[action.direction]);
    arena.write(`${JSON.stringify(action)}\n`);
  }
});
