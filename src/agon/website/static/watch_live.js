// The page of a match under way.

import { LiveBoard, follow } from "./live.js";

const root = document.querySelector("[data-live]");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const board = new LiveBoard(part("board"));

const events = {
  scene(message) {
    if (!board.read(message)) return;
    root.dataset.turns = message.turns;
    part("turns").textContent = message.turns;
    if (message.verdict) part("verdict").textContent = message.verdict;
    if (message.stored === undefined) return;
    leave();
    part("state").textContent = "over";
    root.dataset.over = "yes";
    if (message.stored) {
      part("stored").href = message.stored;
      part("stored").hidden = false;
    }
  },
  hidden() {
    leave();
    location.reload(); // it shows the match to users who may still see it, and says so to others
  },
};

const leave = follow(root.dataset.live, events, (isSlow) => (part("slow").hidden = !isSlow));
