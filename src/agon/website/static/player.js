// The controls of a replay: step, play, speed, slider, keyboard, link to a turn, views.

import { Board, loadLook } from "./scene.js";
import { Replay } from "./replay.js";

const STEP_MS = 900;
const LONGEST_MOTION_MS = 400;

export function seconds(ns) {
  if (ns <= 0) return "0 s";
  if (ns < 1e6) return `${Math.round(ns / 1e3)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toFixed(ns < 1e7 ? 1 : 0)} ms`;
  if (ns < 60e9) return `${(ns / 1e9).toFixed(2)} s`;
  const whole = Math.floor(ns / 1e9);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function turnOfHash() {
  const found = /^#turn=(\d{1,6})$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/** An element with a class, some text and other elements inside. */
function make(tag, className, ...inside) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...inside);
  return element;
}

export class Player {
  /** `fetchFrames(seat)` gives the answer that holds the document as that seat sees it. */
  constructor(root, fetchFrames) {
    this.root = root;
    this.fetchFrames = fetchFrames;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.step = 0;
    this.timer = 0;
    this.seat = root.dataset.seat ? Number(root.dataset.seat) : null;
    this.listen();
  }

  /** Show the match; at that turn, or at its end. */
  async start(turn) {
    await this.load(turn);
    this.root.dataset.ready = "yes";
  }

  /** Load the match as the seat sees it, and go to that step, or that turn; null: to the end. */
  async load(turn, step = null) {
    const replay = (this.loading = new Replay());
    this.root.classList.add("loading");
    const wanted = () => {
      if (step !== null) return replay.steps.length > step ? step : -1;
      return turn === null ? -1 : replay.stepOfTurn(turn);
    };
    let board = null;
    const onHead = async (head) => {
      this.seats = head.players;
      board = loadLook(head.look, { css: `/looks/${head.look}.css` });
    };
    const onStep = () => {
      if (this.loading !== replay) return;
      const isThere = replay.isWhole || (wanted() >= 0 && (step !== null || replay.steps.at(-1).turn > turn));
      if (isThere && this.replay !== replay) this.adopt(replay, wanted());
      if (this.replay === replay) this.stretch();
      this.comply();
    };
    const response = await this.fetchFrames(this.seat);
    if (!response.ok) throw new Error((await response.json()).error);
    await replay.load(response, onHead, onStep);
    await board;
  }

  /** From now on this replay is shown; views of the same match keep the step. */
  adopt(replay, step) {
    this.replay = replay;
    this.board = new Board(this.part("board"), replay.head);
    this.step = step < 0 ? replay.steps.length - 1 : step;
    this.draw(0);
  }

  /** Do something as soon as that turn has come; null: all of them. The last wish counts. */
  wish(turn, act) {
    this.wished = { turn, act };
    this.comply();
  }

  comply() {
    const { turn, act } = this.wished ?? {};
    if (!act || !this.isReady(turn)) return;
    this.wished = null;
    act();
  }

  /** Whether there is something to go through; who cannot wait gets what has come, at that turn. */
  isReady(turn) {
    const step = this.replay || turn === null ? -1 : (this.loading?.stepOfTurn(turn) ?? -1);
    if (step >= 0) {
      this.adopt(this.loading, step);
      this.stretch();
    }
    return Boolean(this.replay);
  }

  stretch() {
    const slider = this.part("slider");
    slider.max = this.replay.steps.length - 1;
    slider.value = this.step;
    slider.disabled = false;
    this.root.classList.toggle("loading", !this.replay.isWhole);
    this.tellPlace();
  }

  listen() {
    const acts = { first: () => this.go(0), back: () => this.go(this.step - 1), next: () => this.go(this.step + 1) };
    acts.last = () => this.go(this.replay.steps.length - 1);
    for (const link of this.root.querySelectorAll("[data-step]")) {
      link.addEventListener("click", (event) => {
        const turn = link.dataset.step === "first" ? 0 : null;
        if (link.href && !this.isReady(turn)) return; // it leads to a page, which is quicker
        event.preventDefault();
        this.pause();
        this.wish(turn, acts[link.dataset.step]);
      });
    }
    for (const part of this.root.querySelectorAll("[data-scripted]")) part.hidden = false;
    this.part("play").addEventListener("click", () => this.toggle());
    this.part("speed").addEventListener("change", () => this.restart());
    this.part("slider").addEventListener("input", (event) => {
      this.pause();
      this.go(Number(event.target.value), 0);
    });
    this.part("turns")?.addEventListener("click", (event) => this.onTurnClick(event));
    for (const view of this.root.querySelectorAll("[data-view]")) {
      view.addEventListener("click", (event) => this.onViewClick(event, view));
    }
    document.addEventListener("keydown", (event) => this.onKey(event, acts));
    window.addEventListener("hashchange", () => {
      const turn = turnOfHash();
      if (turn !== null && this.replay) this.goToTurn(turn);
    });
  }

  onTurnClick(event) {
    const row = event.target.closest("[data-turn]");
    const turn = Number(row?.dataset.turn);
    if (!row || (row.querySelector("a") && !this.isReady(turn))) return;
    event.preventDefault();
    this.pause();
    this.wish(turn, () => this.goToTurn(turn));
  }

  async onViewClick(event, view) {
    event.preventDefault();
    const before = this.seat;
    this.seat = view.dataset.view === "" ? null : Number(view.dataset.view);
    try {
      this.markView();
      await this.load(null, this.replay ? this.step : null);
      if (!this.isPlaying) this.keepAddress();
    } catch (error) {
      this.seat = before;
      this.markView();
      this.part("place").textContent = `This view could not be loaded: ${error.message}`;
    }
  }

  markView() {
    for (const view of this.root.querySelectorAll("[data-view]")) {
      if (view.dataset.view === String(this.seat ?? "")) view.setAttribute("aria-current", "true");
      else view.removeAttribute("aria-current");
    }
  }

  onKey(event, acts) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isButton = event.target.closest("button, a, summary") && (event.key === " " || event.key === "Enter");
    if (isButton || event.target.closest("input, select, textarea, [role=button]")) return;
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
    if (event.key === " ") this.toggle();
    else if (keys[event.key]) {
      this.pause();
      this.wish(event.key === "Home" ? 0 : null, acts[keys[event.key]]);
    } else return;
    event.preventDefault();
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  get stepMs() {
    return STEP_MS / Number(this.part("speed").value);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.wish(0, () => this.play());
  }

  play() {
    if (this.step >= this.replay.steps.length - 1 && this.replay.isWhole) this.go(0);
    this.timer = setInterval(() => this.tick(), this.stepMs);
    this.part("play").setAttribute("aria-pressed", "true");
    this.part("play").setAttribute("aria-label", "Pause");
    this.part("caption").setAttribute("aria-live", "off");
  }

  pause() {
    if (!this.isPlaying) return;
    clearInterval(this.timer);
    this.timer = 0;
    this.part("play").setAttribute("aria-pressed", "false");
    this.part("play").setAttribute("aria-label", "Play");
    this.part("caption").setAttribute("aria-live", "polite");
    this.keepAddress();
  }

  restart() {
    if (!this.isPlaying) return;
    clearInterval(this.timer);
    this.timer = setInterval(() => this.tick(), this.stepMs);
  }

  tick() {
    if (this.step < this.replay.steps.length - 1) this.go(this.step + 1);
    else if (this.replay.isWhole) this.pause();
  }

  goToTurn(turn) {
    const step = this.replay.stepOfTurn(turn);
    if (step >= 0) this.go(step);
  }

  go(step, motion = null) {
    const last = this.replay.steps.length - 1;
    const wanted = Math.min(Math.max(0, step), last);
    if (wanted === this.step) return;
    const isNext = Math.abs(wanted - this.step) === 1;
    this.step = wanted;
    this.draw(motion ?? (isNext ? Math.min(LONGEST_MOTION_MS, this.stepMs * 0.8) : 0));
    if (!this.isPlaying) this.keepAddress();
  }

  draw(motion) {
    const step = this.replay.steps[this.step];
    this.board.show(this.replay.seek(this.step), { title: step.title, motion });
    this.part("slider").value = this.step;
    this.tellPlace();
    this.tellStep(step);
  }

  tellPlace() {
    const { turn, stage } = this.replay.steps[this.step];
    const place = stage === "" || stage === `turn ${turn}` ? "" : `, ${stage}`;
    const told = `Turn ${turn} of ${this.replay.head.turns}${place}`;
    this.part("place").textContent = told;
    this.part("slider").setAttribute("aria-valuetext", told);
  }

  tellStep(step) {
    const caption = this.part("caption");
    const said = step.played.map(([seat, text, ns]) =>
      make("p", "", make("b", "", this.seats[seat]), ` ${text} `, make("i", "", ns ? seconds(ns) : "")),
    );
    const noted = step.notes.map(([kind, seat, text]) => {
      const who = seat === null ? "" : `${this.seats[seat]}: `;
      return make("p", `note ${kind}`, who + text);
    });
    caption.replaceChildren(...said, ...noted);
    step.spent.forEach((ns, seat) => {
      const clock = this.part(`clock-${seat}`);
      if (clock) clock.textContent = seconds(ns);
    });
    this.tellTurn(step.turn);
    this.root.dataset.turn = step.turn;
    this.root.dispatchEvent(new CustomEvent("turn", { detail: step.turn }));
    const picture = this.part("picture");
    if (picture) {
      const view = this.seat === null ? "" : `?seat=${this.seat}`;
      picture.href = `${this.root.dataset.downloads}/turn-${step.turn}.svg${view}`;
    }
  }

  tellTurn(turn) {
    const list = this.part("turns");
    if (!list) return;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = list.querySelector(`[data-turn="${turn}"]`);
    if (!row) return;
    row.setAttribute("aria-current", "step");
    const above = row.offsetTop - list.offsetTop;
    if (above < list.scrollTop || above + row.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = above - list.clientHeight / 2;
    }
  }

  /** The address leads back to this turn, and to this view where it has one. */
  keepAddress() {
    const view = this.root.dataset.downloads && this.seat !== null ? `?seat=${this.seat}` : "";
    history.replaceState(null, "", `${location.pathname}${view}#turn=${this.replay.steps[this.step].turn}`);
  }
}

export { turnOfHash };
