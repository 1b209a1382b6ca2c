// A person at the board. The server knows the rules: it is told what was picked so far, and says
// what may be picked next. Nothing is kept here but the picks of the turn in the making.

import { follow } from "./live.js";
import { Board, Scenes } from "./scene.js";

const root = document.querySelector("[data-play]");
const api = `/api/v1/plays/${root.dataset.play}`;
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const MOTION = 350;
const PLACES = "svg.scene, [data-part=buttons], [data-part=words], [data-part=sending]"; // where turns are made

let play = null;
let step = null;
let picks = [];
let board = null;
let sent = null;
let byKeys = false;
let asked = 0;
let isAway = false;
let lastPlace = null;
let arrived = 0;
const known = new Map();

/** The same object for what reads the same, so that the board sees what has not changed. */
function intern(thing) {
  const text = JSON.stringify(thing);
  if (!known.has(text)) known.set(text, thing);
  return known.get(text);
}

function show(scene) {
  const scenes = new Scenes();
  scenes.read(structuredClone(scene));
  if (known.size > 20000) known.clear();
  const nodes = new Map();
  for (const [id, node] of scenes.nodes) {
    if (node.body) node.body = intern(node.body);
    if (node.kids) node.kids = intern(node.kids.map((kid) => (typeof kid === "string" ? kid : intern(kid))));
    nodes.set(id, intern(node));
  }
  const size = `${scene.width} ${scene.height}`;
  const isNew = board?.size !== size;
  if (isNew) board = Object.assign(new Board(part("board"), scene), { size });
  board.show(nodes, { title: scene.title, motion: isNew ? 0 : MOTION });
}

async function call(path, body) {
  const settings = { headers: { Accept: "application/json" } };
  if (body !== undefined) {
    Object.assign(settings, { method: "POST", body: JSON.stringify(body) });
    settings.headers["Content-Type"] = "application/json";
  }
  const response = await fetch(api + path, settings);
  const answer = await response.json();
  if (!response.ok) {
    const wait = Number(response.headers.get("Retry-After")) || 5;
    throw Object.assign(new Error(answer.error), { status: response.status, wait });
  }
  return answer;
}

/** Only the answer to the last question counts: they may come in any order. */
async function ask(path, body, use) {
  const number = ++asked;
  root.setAttribute("aria-busy", "true");
  try {
    const answer = await call(path, body);
    if (number === asked) {
      problem("");
      use(answer);
    }
  } catch (error) {
    if (number !== asked) return;
    if (error.status === 409) refresh();
    else if (error.status === 429) {
      problem(`${error.message} It goes on by itself.`);
      setTimeout(() => number === asked && ask(path, body, use), error.wait * 1000);
    } else {
      picks = step ? [...step.picks] : [];
      problem(error.status ? error.message : "The site does not answer. Your picks are kept; try again.");
    }
  } finally {
    if (number === asked) root.removeAttribute("aria-busy");
  }
}

function problem(text) {
  part("problem").textContent = text;
  part("problem").hidden = !text;
}

part("words").open = false; // without scripts the choices are found there

const refresh = () => ask("", undefined, showPlay);

function showPlay(now) {
  const isSame = play?.moment === now.moment && now.may_act && step;
  play = now;
  arrived = performance.now();
  root.dataset.state = play.state;
  root.dataset.moment = play.moment;
  part("title").textContent = play.players.map((one) => one.name).join(" – ");
  part("status").textContent = play.status;
  part("invite").hidden = play.state !== "waiting";
  showResigning();
  showPlayers();
  showTurns();
  showEnd();
  document.title = `${play.may_act ? "● " : ""}${play.title}: ${play.status}`;
  if (isSame) return; // the turn in the making stays as it is
  if (board && !play.may_act && play.state === "playing" && play.moment === sent) {
    part("making").hidden = true; // the board shows what was sent, until it has been played
    return;
  }
  picks = [];
  showStep(play.step, play.scene);
}

/** To give up is asked for once more: the question stays open as long as it may be answered. */
function showResigning() {
  const isWaiting = play.state === "waiting";
  part("resigning").hidden = !play.may_resign;
  part("resigning").open &&= play.may_resign;
  part("resign").textContent = isWaiting ? "Withdraw …" : "Resign …";
  part("yes").textContent = isWaiting ? "Withdraw the invitation" : "Yes, resign";
  part("means").textContent = play.resigning;
}

function stay() {
  part("resigning").open = false;
  part("resign").focus();
}

function showStep(next, scene) {
  step = next;
  root.dataset.picks = step ? step.picks.length : "";
  const { activeElement } = document;
  const isLost = !activeElement || activeElement === document.body; // with what had it
  const where = isLost ? lastPlace : activeElement.closest(PLACES);
  lastPlace = byKeys ? where : null;
  part("making").hidden = !step;
  board?.setChoices([], () => {}); // what fades away is no choice any more
  show(step ? step.scene : scene);
  board.setChoices((step?.choices ?? []).map((one) => [one.id, one.label]), pick);
  if (!step) return;
  picks = [...step.picks];
  part("prompt").textContent = step.prompt;
  part("send").disabled = step.turn === null;
  part("text").textContent = step.turn ?? "";
  fill(part("buttons"), step.buttons.map((one) => pickButton(one)));
  fill(part("pick-words"), step.pick_words.map(pickLine));
  fill(part("choices"), step.choices.map((one) => wrap("li", pickButton(one, "link"))));
  part("count").textContent = step.choices.length;
  part("words").hidden = !step.choices.length;
  if (lastPlace?.isConnected) refocus(lastPlace);
}

/** Who came to the board with the keyboard finds something there to go on with. */
function refocus(where) {
  const next = where.matches("svg, [data-part=sending]") ? board.svg.querySelector("[role=button]") : where.querySelector("button");
  const { activeElement } = document;
  if (activeElement === document.body || !activeElement.isConnected || activeElement.disabled) {
    (step.turn !== null && !step.choices.length ? part("send") : next ?? part("send")).focus({ preventScroll: true });
  }
}

function fill(holder, children) {
  holder.replaceChildren(...children);
}

function wrap(tag, ...children) {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
}

function button(label, act, kind = "") {
  const made = wrap("button", label);
  made.type = "button";
  made.className = kind;
  made.addEventListener("click", act);
  return made;
}

function pickButton(one, kind = "") {
  const made = button(one.label, () => pick(one.id), kind);
  made.dataset.pick = one.id;
  return made;
}

function pickLine(words, number) {
  const back = button("Take back", () => takeBack(number));
  back.dataset.back = number;
  back.setAttribute("aria-label", `Take back: ${words}`);
  return wrap("li", wrap("span", words), " ", back);
}

function showPlayers() {
  const seats = [...part("players").rows].map((row) => row.cells[0]); // with their emblems
  const rows = play.players.map((one) => {
    const name = wrap("th", one.name);
    name.scope = "row";
    if (one.is_you) name.append(" ", wrap("small", "(you)"));
    if (one.out) name.append(" ", wrap("small", one.out));
    const time = wrap("td");
    time.className = "number";
    const row = wrap("tr", seats[one.seat] ?? wrap("td", one.title), name, time);
    row.classList.toggle("thinks", one.thinks);
    return row;
  });
  fill(part("players"), rows);
  tick();
}

/** Time used: what the server has counted, and what has passed since for players who think. */
function tick() {
  if (!play || isAway) return;
  const rows = part("players").rows;
  play.players.forEach((one, number) => {
    const since = one.thinks ? performance.now() - arrived : 0;
    rows[number].cells[2].textContent = clock(one.thought_ms + since);
  });
}

function clock(ms) {
  const all = Math.floor(ms / 1000);
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
}

function showTurns() {
  const rows = [...play.turns].reverse().map((one) => wrap("li", wrap("b", one.number), wrap("span", one.told.join("; "))));
  fill(part("turns"), rows);
}

function showEnd() {
  part("after").hidden = play.state !== "over";
  part("patience").hidden = play.state === "over";
  part("stored").hidden = !play.stored;
  if (play.stored) part("stored").href = play.stored;
  if (play.rematch) part("again").textContent = "The rematch is open: play it";
}

function pick(id) {
  if (!step) return;
  ask("/step", { moment: play.moment, picks: [...picks, id] }, showStep);
}

function takeBack(number) {
  if (!step || number < 0 || number >= picks.length) return;
  ask("/step", { moment: play.moment, picks: picks.slice(0, number) }, showStep);
}

function send() {
  if (!step || step.turn === null) return;
  const body = { moment: play.moment, picks: [...picks] };
  sent = play.moment;
  step = null;
  board.setChoices([], () => {});
  part("send").disabled = true;
  ask("/turn", body, showPlay);
}

/** The choice that lies in the direction of an arrow key from where the focus is. */
function neighbour(from, dx, dy) {
  const centre = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  let best = null;
  let shortest = Infinity;
  for (const one of board.svg.querySelectorAll("[role=button]")) {
    const [ox, oy] = centre(one);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (one === from || along <= 1) continue;
    const length = along + 2 * aside;
    if (length < shortest) [best, shortest] = [one, length];
  }
  return best;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

document.addEventListener("pointerdown", () => (byKeys = false), true);
document.addEventListener("keydown", () => (byKeys = true), true);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const focus = document.activeElement?.closest?.("svg.scene [role=button]");
  if (event.key in ARROWS && (focus || event.target === document.body)) {
    const next = focus ? neighbour(focus, ...ARROWS[event.key]) : board?.svg.querySelector("[role=button]");
    next?.focus();
  } else if (event.key === "Backspace") takeBack(picks.length - 1);
  else if (event.key === "s" || event.key === "S") send();
  else return;
  event.preventDefault();
});

part("sending").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
part("stay").addEventListener("click", stay);
part("resigning").addEventListener("toggle", () => part("resigning").open && part("stay").focus());
part("resigning").addEventListener("keydown", (event) => {
  if (event.key === "Escape" && part("resigning").open) stay();
});
part("copy").hidden = !navigator.clipboard;
part("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(part("link").value);
  part("copy").textContent = "Copied";
});
for (const element of root.querySelectorAll("[data-scripted]")) element.hidden = false;
setInterval(tick, 1000);
follow(`${api}/events`, { news: refresh }, null, (isGone) => {
  if (isGone === isAway || play?.state === "over") return;
  isAway = isGone;
  problem(isAway ? "The site does not answer. This page goes on by itself when it is back." : "");
  if (!isAway) refresh();
});
