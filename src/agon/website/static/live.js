// A match under way: the board follows the stream of the page's address.

import { Board, Scenes } from "./scene.js";

/** Events of a stream while the page is seen; a page that nobody sees needs no connection. */
export function follow(url, listeners) {
  let source = null;
  let isOver = false;
  const close = () => {
    source?.close();
    source = null;
  };
  const open = () => {
    if (source || isOver || document.hidden) return;
    source = new EventSource(url);
    for (const [name, listener] of Object.entries(listeners)) {
      source.addEventListener(name, (event) => listener(JSON.parse(event.data)));
    }
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", open);
  open();
  return () => {
    isOver = true;
    close();
  };
}

/** One board that a stream moves. */
export class LiveBoard {
  constructor(holder) {
    this.holder = holder;
    this.scenes = null;
  }

  /** Show what a message says; one that tells of changes alone is of no use before a whole one. */
  read(message, motion = 400) {
    if (message.whole) this.scenes = new Scenes();
    if (!this.scenes) return false;
    this.scenes.forget();
    this.scenes.read(message);
    const isNew = !this.board;
    this.board ??= new Board(this.holder, message);
    this.board.show(this.scenes.nodes, { title: message.title, motion: isNew ? 0 : motion });
    return true;
  }
}
