// The page of a contest: boards move, and what has become of it is fetched again.

import { LiveBoard, follow } from "./live.js";

const EVERY_MS = 5000;
const SOON_MS = 700; // after a match, for its result to be counted
const OVER = "finished";
const GONE = "This contest is not shown any more.";
const boards = new Map();
let isFetching = false;
let timer = 0;

/** Let every card follow its match; cards that have gone leave their streams. */
function adopt() {
  const cards = new Map();
  for (const card of document.querySelectorAll("#progress .card")) cards.set(card.dataset.key, card);
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

/** Put the new part in the place of the old one; a visitor who has scrolled in it stays there. */
function replace(old, progress) {
  const [before, after] = [old, progress].map((part) => part.querySelector(".scroll"));
  const place = { left: before?.scrollLeft ?? 0, top: before?.scrollTop ?? 0 };
  const hasFocus = before !== null && before === document.activeElement;
  old.replaceWith(progress);
  after?.scrollTo(place);
  if (hasFocus) after?.focus({ preventScroll: true });
}

/** Bring what else moves up to date, unless the visitor is about to use it. */
function replaceOthers(page) {
  for (const old of document.querySelectorAll("[data-moves]")) {
    const part = page.getElementById(old.id);
    const isInUse = old.querySelector(":focus-visible, details[open]") !== null;
    if (part && !isInUse && !old.isEqualNode(part)) replace(old, part);
  }
}

/** The contest was hidden or deleted: say so, and ask no more. */
function end(progress) {
  clearInterval(timer);
  for (const { leave } of boards.values()) leave();
  boards.clear();
  progress.dataset.state = OVER;
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.setAttribute("role", "status");
  notice.textContent = GONE;
  progress.replaceChildren(notice);
}

/** The same page as it is now; boards that still move stay as they are. */
async function refresh() {
  const old = document.getElementById("progress");
  if (isFetching || document.hidden || old.dataset.state === OVER) return;
  isFetching = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.status === 404) end(old);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const progress = page.getElementById("progress");
    if (!progress || old.querySelector("a:focus-visible")) return; // who is about to follow a link
    for (const card of progress.querySelectorAll(".card")) {
      const known = boards.get(card.dataset.key);
      if (known) card.replaceWith(known.card);
    }
    const hasMoved = progress.dataset.state !== old.dataset.state;
    replace(old, progress);
    adopt();
    replaceOthers(page);
    if (hasMoved && !document.body.classList.contains("screen")) location.replace(answer.url);
  } catch {
    // the site is away for a moment: the next time will do
  } finally {
    isFetching = false;
  }
}

adopt();
timer = setInterval(refresh, EVERY_MS);
