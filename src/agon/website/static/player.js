// The controls of a replay: step, play, speed, slider, keyboard, link to a turn, views.

import { Board } from "./scene.js";
import { Replay } from "./replay.js";

const STEP_MS = 900;
const LONGEST_MOTION_MS = 400;
const AHEAD_MS = 1500; // a visitor who only looks in and goes on costs the server no long piece

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

/** What fetches pieces from an address that says where the turn belongs. */
export function fetcher(address) {
  return (turn, seat, isLong) => {
    const view = (seat === null ? "" : `&seat=${seat}`) + (isLong ? "&long=1" : "");
    return fetch(address.replace("{turn}", turn) + view, { headers: { Accept: "application/json" } });
  };
}

/** An element with a class, some text and other elements inside. */
function make(tag, className, ...inside) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...inside);
  return element;
}

export class Player {
  /** `fetchPiece(turn, seat, isLong)` gives the answer that holds the piece of a turn as that seat sees it. */
  constructor(root, fetchPiece) {
    this.root = root;
    this.fetchPiece = fetchPiece;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.turns = Number(root.dataset.turns);
    this.seat = root.dataset.seat ? Number(root.dataset.seat) : null;
    this.replay = this.view(this.seat);
    this.piece = null; // what is shown is a step of it, at this place
    this.place = 0;
    this.wish = null; // what is to be shown as soon as its piece is there
    this.timer = 0;
    this.listen();
  }

  view(seat) {
    return new Replay((turn, isLong) => this.fetchPiece(turn, seat, isLong));
  }

  /** Show the match at that turn. */
  async start(turn) {
    await this.show({ turn });
    this.root.dataset.ready = "yes";
  }

  get step() {
    return this.piece?.steps[this.place];
  }

  /**
   * Show a turn: its last step, or its first one, or the one at a place in its piece. If the piece is not there it
   * is fetched, one at a time; meanwhile the last wish counts.
   */
  async show(wish) {
    this.wish = { ...wish, turn: Math.min(Math.max(0, wish.turn), this.turns) };
    if (this.isFetching) return;
    this.isFetching = true;
    try {
      while (this.wish) {
        const wanted = this.wish;
        if (this.replay.find(wanted.turn)) {
          this.wish = null;
          this.adopt(wanted);
        } else {
          this.root.classList.add("loading");
          await this.replay.load(wanted.turn);
        }
      }
    } finally {
      this.wish = null;
      this.isFetching = false;
      this.root.classList.remove("loading");
    }
  }

  /** The same for what a visitor does: says where it fails. */
  async seek(wish) {
    try {
      await this.show(wish);
    } catch (error) {
      this.pause();
      this.part("place").textContent = `This turn could not be loaded: ${error.message}`;
    }
  }

  /** Show a step that is there; views of the same match keep the place. */
  adopt({ turn, isFirst = false, place = null, motion = 0, andThen = null }) {
    const piece = this.replay.find(turn);
    const isNew = this.piece === null;
    this.place = place ?? (isFirst ? piece.steps.findIndex((step) => step.turn === turn) : piece.endOf(turn));
    this.piece = piece;
    if (isNew) {
      this.board = new Board(this.part("board"), piece);
      this.part("slider").disabled = false;
    }
    this.draw(motion);
    if (!this.isPlaying && !isNew) this.keepAddress();
    andThen?.();
    this.fetchNeighbours(piece);
  }

  /** Fetch what is probably looked at next. */
  async fetchNeighbours({ first, last }) {
    const { replay } = this;
    await new Promise((done) => setTimeout(done, AHEAD_MS));
    for (const turn of [last + 1, first - 1]) {
      const isWanted = replay === this.replay && this.piece.first === first && !this.isFetching;
      if (isWanted && turn >= 0 && turn <= this.turns) await replay.load(turn, true).catch(() => {});
    }
  }

  /** Do something from the step that is shown, or, while one is fetched, from that one. */
  whenThere(act) {
    if (this.wish) {
      const { andThen } = this.wish;
      this.wish.andThen = () => {
        andThen?.();
        this.whenThere(act);
      };
    } else if (this.piece) act();
    else this.seek({ turn: Number(this.root.dataset.turn), andThen: act });
  }

  listen() {
    const acts = {
      first: () => this.seek({ turn: 0 }),
      back: () => this.whenThere(() => this.move(-1)),
      next: () => this.whenThere(() => this.move(1)),
      last: () => this.seek({ turn: this.turns }),
    };
    for (const link of this.root.querySelectorAll("[data-step]")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.pause();
        acts[link.dataset.step]();
      });
    }
    for (const part of this.root.querySelectorAll("[data-scripted]")) part.hidden = false;
    this.part("play").addEventListener("click", () => this.toggle());
    this.part("speed").addEventListener("change", () => this.restart());
    this.part("slider").addEventListener("input", (event) => {
      this.pause();
      this.seek({ turn: Number(event.target.value) });
    });
    this.part("turns")?.addEventListener("click", (event) => this.onTurnClick(event));
    for (const view of this.root.querySelectorAll("[data-view]")) {
      view.addEventListener("click", (event) => this.onViewClick(event, view));
    }
    document.addEventListener("keydown", (event) => this.onKey(event, acts));
    window.addEventListener("hashchange", () => {
      const turn = turnOfHash();
      if (turn !== null) this.seek({ turn });
    });
  }

  onTurnClick(event) {
    const row = event.target.closest("[data-turn]");
    if (!row) return;
    event.preventDefault();
    this.pause();
    this.seek({ turn: Number(row.dataset.turn) });
  }

  async onViewClick(event, view) {
    event.preventDefault();
    const before = { seat: this.seat, replay: this.replay };
    this.seat = view.dataset.view === "" ? null : Number(view.dataset.view);
    this.replay = this.view(this.seat);
    this.markView();
    const { step, place } = this;
    try {
      await this.show(step ? { turn: step.turn, place } : { turn: Number(this.root.dataset.turn) });
    } catch (error) {
      Object.assign(this, before);
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
      acts[keys[event.key]]();
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
    else this.whenThere(() => this.play());
  }

  play() {
    if (this.isAtEnd) this.seek({ turn: 0 });
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
    if (this.isFetching) return;
    if (this.isAtEnd) this.pause();
    else this.move(1);
  }

  get isAtEnd() {
    return this.step.turn === this.turns && this.place === this.piece.steps.length - 1;
  }

  /** Go to the next step, or to the one before. */
  move(by) {
    const place = this.place + by;
    const motion = Math.min(LONGEST_MOTION_MS, this.stepMs * 0.8);
    if (place in this.piece.steps) this.seek({ turn: this.piece.steps[place].turn, place, motion });
    else if (by > 0 && !this.isAtEnd) this.seek({ turn: this.piece.last + 1, isFirst: true, motion });
    else if (by < 0 && this.piece.first > 0) this.seek({ turn: this.piece.first - 1, motion });
  }

  draw(motion) {
    this.board.show(this.piece.nodesAt(this.place), { title: this.step.title, motion });
    this.part("slider").value = this.step.turn;
    this.tellPlace();
    this.tellStep(this.step);
  }

  tellPlace() {
    const { turn, stage = "" } = this.step;
    const place = stage === "" || stage === `turn ${turn}` ? "" : `, ${stage}`;
    const told = `Turn ${turn} of ${this.turns}${place}`;
    this.part("place").textContent = told;
    this.part("slider").setAttribute("aria-valuetext", told);
  }

  tellStep(step) {
    const caption = this.part("caption");
    const said = step.played.map(([seat, text, ns]) =>
      make("p", "", make("b", "", this.piece.players[seat]), ` ${text} `, make("i", "", ns ? seconds(ns) : "")),
    );
    const noted = step.notes.map(([kind, seat, text]) => {
      const who = seat === null ? "" : `${this.piece.players[seat]}: `;
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
    history.replaceState(null, "", `${location.pathname}${view}#turn=${this.step.turn}`);
  }
}

export { turnOfHash };
