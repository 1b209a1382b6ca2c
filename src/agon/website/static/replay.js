// A whole match, step by step: reads the document that src/agon/website/replays.py describes.

import { Scenes } from "./scene.js";

const BETWEEN_SNAPSHOTS = 25;

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
    this.scenes = new Scenes();
    this.snapshots = [new Map()];
    this.nodes = new Map();
    this.at = -1;
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
      this.add(message);
      onStep();
      if (performance.now() - resting > 30) {
        await new Promise((done) => setTimeout(done)); // the page stays alive meanwhile
        resting = performance.now();
      }
    }
    this.isWhole = true;
    onStep();
  }

  add(message) {
    const before = this.steps.at(-1);
    const spent = [...(before?.spent ?? this.head.players.map(() => 0))];
    for (const [seat, , ns] of message.played ?? []) spent[seat] += ns;
    const { turn, stage = "", title, played = [], notes = [] } = message;
    this.steps.push({ turn, stage, title, played, notes, spent, changes: this.scenes.read(message) });
    if (this.steps.length % BETWEEN_SNAPSHOTS === 0) this.snapshots.push(new Map(this.scenes.nodes));
  }

  /** All nodes at a step. */
  seek(step) {
    if (step < this.at || step - this.at > BETWEEN_SNAPSHOTS) {
      const key = Math.floor((step + 1) / BETWEEN_SNAPSHOTS);
      this.nodes = new Map(this.snapshots[key]);
      this.at = key * BETWEEN_SNAPSHOTS - 1;
    }
    while (this.at < step) {
      this.at += 1;
      for (const [id, node] of this.steps[this.at].changes) {
        if (node) this.nodes.set(id, node);
        else this.nodes.delete(id);
      }
    }
    return this.nodes;
  }

  /** The last step of a turn: where its outcome is seen. */
  stepOfTurn(turn) {
    return this.steps.findLastIndex((step) => step.turn === turn);
  }
}
