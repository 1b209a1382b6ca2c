// The page of a contest: boards move, and what has become of it is fetched again.

import { LiveBoard, follow } from "./live.js";

const EVERY_MS = 5000;
const SOON_MS = 700; // after a match, for its result to be counted
const MOVING = ["running", "paused", "closed", "open"];
const boards = new Map();
let isFetching = false;

/** Let every card follow its match; cards that have gone leave their streams. */
function adopt() {
  const cards = new Map();
  for (const card of document.querySelectorAll("#course .card")) cards.set(card.dataset.key, card);
  for (const [key, { leave }] of boards) {
    if (cards.has(key)) continue;
    leave();
    boards.delete(key);
  }
  for (const [key, card] of cards) {
    if (!boards.has(key)) watch(key, card);
  }
}

function watch(key, card) {
  const board = new LiveBoard(card.querySelector(".board"));
  const leave = follow(`/live/${key}/events`, {
    scene(message) {
      if (!board.read(message)) return;
      card.querySelector(".turns").textContent = `turn ${message.turns}`;
      if (message.verdict) card.querySelector(".state").textContent = message.verdict;
      if (message.stored === undefined) return;
      leave();
      if (message.stored) card.querySelector("a").href = message.stored;
      setTimeout(refresh, SOON_MS);
    },
  });
  boards.set(key, { card, leave });
}

/** Put the new part in the place of the old one; whoever has scrolled in it stays there. */
function replace(old, course) {
  const [before, after] = [old, course].map((part) => part.querySelector(".scroll"));
  const place = { left: before?.scrollLeft ?? 0, top: before?.scrollTop ?? 0 };
  const hasFocus = before !== null && before === document.activeElement;
  old.replaceWith(course);
  after?.scrollTo(place);
  if (hasFocus) after?.focus({ preventScroll: true });
}

/** The same page as it is now; boards that still move stay as they are. */
async function refresh() {
  const old = document.getElementById("course");
  if (isFetching || document.hidden || !MOVING.includes(old.dataset.state)) return;
  isFetching = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const course = page.getElementById("course");
    if (!course || old.querySelector("a:focus-visible")) return; // who is about to follow a link
    for (const card of course.querySelectorAll(".card")) {
      const known = boards.get(card.dataset.key);
      if (known) card.replaceWith(known.card);
    }
    const hasMoved = course.dataset.state !== old.dataset.state;
    replace(old, course);
    adopt();
    if (hasMoved && !document.body.classList.contains("screen")) location.reload();
  } catch {
    // the site is away for a moment: the next time will do
  } finally {
    isFetching = false;
  }
}

adopt();
setInterval(refresh, EVERY_MS);
