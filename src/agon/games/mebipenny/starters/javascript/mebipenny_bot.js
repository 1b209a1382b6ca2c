// A whole MebiPenny bot: it talks to a server over HTTP, keeps the board, and chooses moves.
//
// Make it yours in choose, near the middle: for now it moves at random. `agon bot check .` tries the
// bot out, `agon match mebipenny . greedy --watch` lets it play. On a server it plays one game:
//
//   node mebipenny_bot.js http://HOST:PORT mybot       against whoever comes
//   node mebipenny_bot.js http://HOST:PORT/GAME mybot  in the game that has this address
"use strict";

const http = require("node:http");
const https = require("node:https");

// The match as this player knows it. A cell is the number row * cols + col.
class Board {
  // A new match, from the Game object that comes with the first turn.
  constructor(game) {
    this.rows = game.rows;
    this.cols = game.cols;
    this.me = game.player_id;
    this.owners = new Map(); // of claims, by cell; a wall's owner is null
    this.hand = []; // cells
    this.scores = {}; // by player
    this.update(game);
  }

  // Bring everything up to date: claims and players are those that have changed.
  update(news) {
    this.drawSize = news.draw_size;
    for (const { tile, owner } of news.claims) this.owners.set(this.cell(tile), owner);
    for (const player of news.players) {
      this.scores[player.id] = player.score;
      if (player.id === this.me) this.hand = player.hand.map((tile) => this.cell(tile));
    }
  }

  cell({ row, col }) {
    return row * this.cols + col;
  }

  tile(cell) {
    return { row: Math.floor(cell / this.cols), col: cell % this.cols };
  }

  // The claims beside a cell; walls and free cells are none.
  around(cell) {
    const { row, col } = this.tile(cell);
    const beside = [];
    if (row > 0) beside.push(cell - this.cols);
    if (row < this.rows - 1) beside.push(cell + this.cols);
    if (col > 0) beside.push(cell - 1);
    if (col < this.cols - 1) beside.push(cell + 1);
    return beside.filter((other) => this.owners.get(other) != null);
  }

  // The cell and all claims that would be connected with it.
  army(cell) {
    const found = new Set([cell]);
    for (const member of found) { // a set's loop comes to what is added on the way
      for (const other of this.around(member)) found.add(other);
    }
    return found;
  }

  // Who takes the army if this player plays the tile: several in a tie.
  takers(cell) {
    const counts = new Map([[this.me, 1]]); // the new tile counts for the one who plays it
    for (const member of this.army(cell)) {
      if (member === cell) continue;
      const owner = this.owners.get(member);
      counts.set(owner, (counts.get(owner) || 0) + 1);
    }
    const most = Math.max(...counts.values());
    return [...counts.keys()].filter((player) => counts.get(player) === most);
  }

  // All moves but the pass; without a tie it does not matter who is favoured.
  legalMoves() {
    return this.hand.flatMap((cell) =>
      this.takers(cell).map((favor) => ({ tile: this.tile(cell), favor })),
    );
  }
}

// Pick a move; "PASS" is one too. This is where your bot begins.
function choose(board, moves) {
  return moves.length > 0 ? moves[Math.floor(Math.random() * moves.length)] : "PASS";
}

// Make a request and wait for the answer, however long: its JSON, and its headers.
function ask(method, url, document, token) {
  const body = document === undefined ? "" : JSON.stringify(document);
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  if (token) headers["X-Turn-Token"] = token;
  return new Promise((resolve, reject) => {
    const { request } = url.startsWith("https:") ? https : http;
    request(url, { method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part) => (text += part));
      answer.on("error", reject);
      answer.on("end", () => {
        if (answer.statusCode < 400) resolve([JSON.parse(text || "null"), answer.headers]);
        else reject(new Error(`${method} ${url}: ${answer.statusCode} ${text}`));
      });
    })
      .on("error", reject)
      .end(body);
  });
}

// Find a game and join it; then each answer is a turn, until one has no token.
async function main(url, name) {
  if (new URL(url).pathname === "/") { // a server, not a game on it
    const [, found] = await ask("GET", new URL("/match", url).href);
    url = new URL(found.location, url).href;
  }
  let [news, headers] = await ask("POST", `${url}/players`, { name });
  const board = new Board(news);
  while (headers["x-turn-token"]) {
    const move = choose(board, board.legalMoves());
    [news, headers] = await ask("POST", `${url}/moves`, move, headers["x-turn-token"]);
    board.update(news);
  }
  console.error("the end:", board.scores);
}

main(process.argv[2].replace(/\/$/, ""), process.argv[3] || "starter").catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
