// The front page: boards of matches under way come, move and go.

import { LiveBoard, follow } from "./live.js";
import { loadLook } from "./scene.js";

const list = document.getElementById("live");
const template = document.getElementById("card");
const none = document.getElementById("no-live");
const slow = document.getElementById("slow");
const cards = new Map();

function adopt(element) {
  cards.set(element.dataset.key, { element, board: new LiveBoard(element.querySelector(".board")) });
}

function make(match) {
  const element = template.content.firstElementChild.cloneNode(true);
  element.dataset.key = match.key;
  element.querySelector("a").href = `/live/${match.key}`;
  element.querySelector(".game").textContent = match.title;
  element.querySelector(".players").textContent = match.players.join(" – ");
  adopt(element);
  const { css, svg } = JSON.parse(list.dataset.looks)[match.game];
  loadLook(match.game, { css, svg });
}

for (const element of list.children) adopt(element);

const boards = {
  cards(matches) {
    const keys = new Set(matches.map((match) => match.key));
    for (const [key, card] of cards) {
      if (keys.has(key)) continue;
      card.element.remove();
      cards.delete(key);
    }
    for (const match of matches) {
      if (!cards.has(match.key)) make(match);
      const { element } = cards.get(match.key);
      if (element.parentElement !== list) list.append(element);
    }
    none.hidden = matches.length > 0;
  },
  scene(message) {
    const card = cards.get(message.key);
    if (!card?.board.read(message)) return;
    card.element.querySelector(".turns").textContent = `turn ${message.turns}`;
    if (message.verdict) {
      card.element.classList.add("over");
      card.element.querySelector(".state").textContent = `Just finished: ${message.verdict}`;
    }
    if (message.stored) card.element.querySelector("a").href = message.stored;
  },
};

follow("/live/events", boards, (isSlow) => (slow.hidden = !isSlow));
