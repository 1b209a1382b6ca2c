// A Hive bot that asks the arena for the legal moves, and chooses one of them.
//
// Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match hive . greedy --watch`
// lets it play.
"use strict";

const readline = require("node:readline");

// Pick a move. This is where your bot begins. `wG2/*bA1` puts wG2 beside bA1, `wB1=*bQ1` on top of
// bQ1, `wS1` begins a match: a move ends with the tile that it is described by. So this prefers
// moves that are said to end at the enemy queen.
function choose(moves, enemyQueen) {
  const close = moves.filter((move) => move.length > 3 && move.endsWith(enemyQueen));
  const liked = close.length ? close : moves;
  return liked[Math.floor(Math.random() * liked.length)];
}

let enemyQueen = "";
console.log("legal"); // our first line: we want the legal moves with every question
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.split(" ");
  if (word === "colour") {
    enemyQueen = rest[0] === "white" ? "bQ1" : "wQ1";
  } else if (word === "legal") {
    console.log(choose(rest, enemyQueen));
  }
  // other lines: the options of the match, the moves of the other side, the end
});
