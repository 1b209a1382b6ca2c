// A match in pieces of some turns each: reads what src/agon/website/replay/pieces.py describes.

import { Scenes } from "./scene.js";

const MOST_PIECES = 5;

/** Some turns of a match: what happens in them, and the picture of the step that was asked for last. */
class Piece {
  constructor(told) {
    Object.assign(this, told);
    this.scenes = new Scenes();
    this.changes = []; // of each step that was read: the nodes that it changes, after and before
    this.at = -1;
    let spent = told.spent;
    for (const step of this.steps) {
      step.played ??= [];
      step.notes ??= [];
      spent = [...spent];
      for (const [seat, , ns] of step.played) spent[seat] += ns;
      step.spent = spent;
    }
  }

  /** The place of the last step of a turn, where its outcome is seen. */
  endOf(turn) {
    return this.steps.findLastIndex((step) => step.turn === turn);
  }

  /** All nodes at a step. */
  nodesAt(place) {
    const { nodes } = this.scenes;
    const put = (id, node) => (node ? nodes.set(id, node) : nodes.delete(id));
    for (; this.at > place; this.at -= 1) for (const [id, , before] of this.changes[this.at]) put(id, before);
    while (this.at < place) {
      this.at += 1;
      if (this.at < this.changes.length) for (const [id, after] of this.changes[this.at]) put(id, after);
      else this.changes.push(this.scenes.read(this.steps[this.at]));
    }
    return nodes;
  }
}

/** One view of a match; `fetchPiece(turn, isLong)` gives the answer that holds the piece of a turn. */
export class Replay {
  constructor(fetchPiece) {
    this.fetchPiece = fetchPiece;
    this.pieces = []; // the nearest to the last one that was asked for first
    this.coming = new Map(); // by the turns that were asked for
  }

  /** The piece of a turn, if it is there. */
  find(turn) {
    return this.pieces.find(({ first, last }) => first <= turn && turn <= last);
  }

  /** Fetch the piece of a turn, unless it is there or on its way; those that are far from it are dropped. */
  load(turn, isLong = false) {
    if (this.find(turn)) return Promise.resolve();
    if (!this.coming.has(turn)) {
      const fetched = this.fetch(turn, isLong).finally(() => this.coming.delete(turn));
      this.coming.set(turn, fetched);
    }
    return this.coming.get(turn);
  }

  async fetch(turn, isLong) {
    const response = await this.fetchPiece(turn, isLong);
    const told = await response.json();
    if (!response.ok) throw new Error(told.error);
    const away = ({ first }) => Math.abs(first - told.first);
    this.pieces = [new Piece(told), ...this.pieces].sort((one, other) => away(one) - away(other));
    this.pieces.length = Math.min(this.pieces.length, MOST_PIECES);
  }
}
