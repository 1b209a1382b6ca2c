// The page of a stored match.

import { Player, fetcher, turnOfHash } from "./player.js";

const root = document.querySelector("[data-player]");
const player = new Player(root, fetcher(root.dataset.replay));
player.start(turnOfHash() ?? Number(root.dataset.turn)).catch((error) => {
  root.querySelector('[data-part="place"]').textContent = `The replay could not be loaded: ${error.message}`;
});
