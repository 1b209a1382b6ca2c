// The page of a check: its output grows as it comes.

import { follow } from "./live.js";

const root = document.querySelector("[data-check]");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const output = part("output");

function show({ from, text, state, words, over }) {
  const isAtEnd = output.scrollTop + output.clientHeight >= output.scrollHeight - 4;
  if (from === 0) output.textContent = text;
  else output.append(text);
  if (isAtEnd) output.scrollTop = output.scrollHeight;
  if (root.dataset.state !== state) {
    root.dataset.state = state;
    part("words").textContent = words;
    part("before")?.remove();
  }
  if (!over) return;
  leave();
  for (const actions of root.querySelectorAll("[data-when]")) {
    actions.hidden = actions.dataset.when !== state;
  }
}

const leave = root.dataset.check ? follow(root.dataset.check, { output: show }) : () => {};
