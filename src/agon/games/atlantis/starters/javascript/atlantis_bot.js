// An Atlantis bot that asks the arena for the legal moves, and chooses some of them.
//
// Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match atlantis . greedy
// --watch` lets it play.
"use strict";

const readline = require("node:readline");

// Pick one of the moves that start in a segment, or none. This is where your bot begins. A move
// says from where to where: ["a1", "c3"] takes two stones two steps.
function choose(moves) {
  return Math.random() < 0.5 ? moves[Math.floor(Math.random() * moves.length)] : null;
}

console.log("legal"); // our first line: we want the legal moves with every question
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "legal") {
    const chosen = message.moves.map(choose).filter((move) => move !== null);
    console.log(JSON.stringify({ moves: chosen }));
  }
  // other lines: the board at the beginning of a match, all players' turns, the end
});
