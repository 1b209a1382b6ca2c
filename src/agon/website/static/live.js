// A match under way: the board follows the stream of the page's address.

import { Board, Scenes } from "./scene.js";

const SLOWLY = 4000; // ms between two looks of a page that got no stream
const LOOKS = 5; // after so many it asks for a stream again

/**
 * Events of a stream while the page is seen; a hidden page needs no connection.
 *
 * A page that is refused a stream, because too many are open, asks again later. Where `look` is
 * given it looks meanwhile every few seconds how things stand, and is told when that begins (true)
 * and ends (false). `away` is told when the site does not answer (true), and when it does again.
 */
export function follow(url, listeners, look = null, away = () => {}) {
  let source = null;
  let timer = 0;
  let looks = 0;
  let isOver = false;
  const close = () => {
    source?.close();
    source = null;
    clearTimeout(timer);
    timer = 0;
  };
  const open = () => {
    if (source || timer || isOver || document.hidden) return;
    const opened = new EventSource(url);
    source = opened;
    opened.addEventListener("open", () => {
      look?.(false);
      away(false);
    });
    opened.addEventListener("error", () => {
      if (opened !== source) return;
      if (opened.readyState !== EventSource.CLOSED) {
        away(true);
        return;
      }
      close();
      looks = 0;
      look?.(true);
      timer = setTimeout(lookAgain, look ? 0 : SLOWLY);
    });
    for (const [name, listener] of Object.entries(listeners)) {
      opened.addEventListener(name, (event) => listener(JSON.parse(event.data)));
    }
  };
  const lookAgain = async () => {
    const begun = timer;
    if (!look || (looks += 1) > LOOKS) {
      timer = 0;
      open();
      return;
    }
    const events = await fetchEvents(url);
    if (timer !== begun || isOver) return; // it was left meanwhile
    for (const [name, data] of events) listeners[name]?.(data);
    if (!isOver) timer = setTimeout(lookAgain, SLOWLY);
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

/** How things stand at this moment, as [name, data] of events; none if that is not to be had. */
async function fetchEvents(url) {
  const response = await fetch(`${url}${url.includes("?") ? "&" : "?"}once=yes`).catch(() => null);
  if (!response?.ok) return [];
  const blocks = (await response.text()).trim().split("\n\n");
  return blocks.map((block) => {
    const [name, data] = block.split("\n");
    return [name.slice("event: ".length), JSON.parse(data.slice("data: ".length))];
  });
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
