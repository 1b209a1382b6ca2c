// A whole match, step by step: reads the document that src/agon/website/replay/documents.py describes.

import { Moulds, Reel, splitSteps } from "./reel.js";

const LETTERS_BETWEEN_SNAPSHOTS = 12_000; // so much is read again in a moment
const LONGEST_WORK_MS = 30; // then the page gets its turn

/** The lines of an answer as they come. */
async function* lines(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const parts = rest.split("\n");
    rest = parts.pop();
    yield* parts;
    if (done) return;
  }
}

export class Replay {
  constructor() {
    this.head = null;
    this.steps = [];
    this.isWhole = false;
    this.moulds = new Moulds();
    this.reading = new Reel(this.moulds);
    this.snapshots = [this.reading.copy()];
    this.letters = 0;
    this.shown = this.reading.copy();
  }

  /** Read the document; `onStep` is called after each step, and `onHead` before the first. */
  async load(response, onHead, onStep) {
    let resting = performance.now();
    for await (const line of lines(response)) {
      const message = JSON.parse(line);
      if (!this.head) {
        this.head = message;
        onHead(message);
        continue;
      }
      this.moulds.learn(message);
      const columns = splitSteps(message);
      for (const [place, told] of message.steps.entries()) {
        this.add(told, columns[place]);
        onStep();
        if (performance.now() - resting < LONGEST_WORK_MS) continue;
        await new Promise((done) => setTimeout(done));
        resting = performance.now();
      }
    }
    this.isWhole = true;
    onStep();
  }

  add({ turn, stage = "", title, played = [], notes = [] }, columns) {
    const spent = [...(this.steps.at(-1)?.spent ?? this.head.players.map(() => 0))];
    for (const [seat, , ns] of played) spent[seat] += ns;
    this.steps.push({ turn, stage, title, played, notes, spent, columns });
    this.reading.read(turn, stage, columns);
    for (const text of Object.values(columns)) this.letters += text.length;
    if (this.letters < LETTERS_BETWEEN_SNAPSHOTS) return;
    this.snapshots.push(this.reading.copy());
    this.letters = 0;
  }

  /** All nodes at a step. */
  seek(step) {
    const nearest = this.snapshots.findLast((one) => one.step <= step + 1);
    if (this.shown.step > step + 1 || this.shown.step < nearest.step) this.shown = nearest.copy();
    while (this.shown.step <= step) {
      const { turn, stage, columns } = this.steps[this.shown.step];
      this.shown.read(turn, stage, columns);
    }
    return this.shown.nodes();
  }

  /** The last step of a turn: where its outcome is seen. */
  stepOfTurn(turn) {
    return this.steps.findLastIndex((step) => step.turn === turn);
  }
}
