// A MebiPenny bot that asks the arena for the legal moves, and chooses one of them.
//
// Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match mebipenny . greedy
// --watch` lets it play.
"use strict";

const readline = require("node:readline");

let owners = new Map(); // of claimed tiles, by "row,col"; null is a wall
let me = "";

// Pick a move. This is where your bot begins. This likes tiles beside its own claims.
function choose(moves) {
  const friends = (move) => {
    if (move === "PASS") return -1;
    const { row, col } = move.tile;
    const beside = [[row - 1, col], [row + 1, col], [row, col - 1], [row, col + 1]];
    return beside.filter((tile) => owners.get(tile.join()) === me).length;
  };
  const most = Math.max(...moves.map(friends));
  const liked = moves.filter((move) => friends(move) === most);
  return liked[Math.floor(Math.random() * liked.length)];
}

console.log("legal"); // our first line: we want the legal moves with every question
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const news = JSON.parse(line);
  if (news.legal) {
    console.log(JSON.stringify(choose(news.legal)));
    return;
  }
  if ("rows" in news) {
    owners = new Map(); // a new match
    me = news.player_id;
  }
  for (const { tile, owner } of news.claims) owners.set(`${tile.row},${tile.col}`, owner);
});
