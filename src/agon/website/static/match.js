// The page of a stored match.

import { Player, turnOfHash } from "./player.js";

const root = document.querySelector("[data-player]");
const player = new Player(root, (seat) => {
  const view = seat === null ? "" : `&seat=${seat}`;
  return fetch(root.dataset.frames + view, { headers: { Accept: "application/json" } });
});
const shown = root.dataset.turn === root.dataset.turns ? null : Number(root.dataset.turn);
player.start(turnOfHash() ?? shown).catch((error) => {
  root.querySelector('[data-part="place"]').textContent = `The replay could not be loaded: ${error.message}`;
});
