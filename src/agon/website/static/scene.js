// One renderer for the boards of all games.
//
// `Scenes` reads the messages that src/agon/website/live/frames.py describes and knows all nodes of a
// picture; `Board` shows them as SVG, moves what moved, and can be clicked. The elements are the
// same as those of src/agon/games/svg.py.

const SVG = "http://www.w3.org/2000/svg";
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Numbers as the server writes them: at most two decimals. */
function num(value) {
  const text = value.toFixed(2).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}

/** Reads messages one after the other; nodes are never changed, only replaced. */
export class Scenes {
  constructor() {
    this.nodes = new Map();
    this.forget();
  }

  /** Numbers that were given so far mean nothing any more. */
  forget() {
    this.bodies = [];
    this.ids = [];
    this.next = 0;
  }

  /** What the message changes: ids with the node after it, or null, and the one before, or undefined. */
  read(message) {
    const changed = new Map();
    const edit = (number) => {
      const id = this.ids[number];
      if (!changed.has(id)) changed.set(id, { ...this.nodes.get(id) });
      return changed.get(id);
    };
    this.learn(message);
    for (const number of message.gone ?? []) changed.set(this.ids[number], null);
    this.add(message.new ?? [], changed);
    this.change(message, edit);
    for (const [number, from, out, put] of message.kids ?? []) {
      const node = edit(number);
      node.kids = [...(node.kids ?? [])];
      node.kids.splice(from, out, ...put.map((ref) => this.kid(ref)));
    }
    const found = [...changed].map(([id, node]) => [id, node, this.nodes.get(id)]);
    for (const [id, node] of found) {
      if (node) this.nodes.set(id, node);
      else this.nodes.delete(id);
    }
    return found;
  }

  learn(message) {
    for (const body of message.shapes ?? []) {
      if (body.parts) body.parts = body.parts.map((part) => this.bodies[part]);
      this.bodies.push(body);
    }
    const names = message.names ?? [];
    for (let i = 0; i < names.length; i += 2) this.ids[names[i]] = names[i + 1];
  }

  add(list, changed) {
    for (let i = 0; i < list.length; i += 5) {
      const [id, body, x, y, words] = list.slice(i, i + 5);
      while (this.ids[this.next] !== undefined) this.next += 1;
      this.ids[this.next] = id;
      changed.set(id, { id, body: this.bodies[body], x, y, words });
    }
  }

  change(message, edit) {
    const { set = [], move = [], words = [], count = [] } = message;
    for (let i = 0; i < set.length; i += 2) edit(set[i]).body = this.bodies[set[i + 1]];
    for (let i = 0; i < move.length; i += 3) {
      const node = edit(move[i]);
      node.x += move[i + 1];
      node.y += move[i + 2];
    }
    for (let i = 0; i < words.length; i += 2) edit(words[i]).words = words[i + 1];
    for (const [number, ...more] of count) {
      const node = edit(number);
      node.words = countOn(node.words, more);
    }
  }

  kid(ref) {
    return ref < 0 ? this.bodies[-1 - ref] : this.ids[ref];
  }
}

/** A text in which the first number is so much more wherever it stands, then the next different one, and so on. */
function countOn(words, more) {
  const became = new Map();
  return words.replace(/[0-9]+/g, (text) => {
    if (!became.has(text)) became.set(text, String(Number(text) + (more[became.size] ?? 0)));
    return became.get(text);
  });
}

/** Path data of a hexagon whose corners are rounded off. */
export function hexPath(size, flat = false, corner = 0) {
  const turn = flat ? 0 : Math.PI / 6;
  const points = [...Array(6).keys()].map((i) => {
    const angle = turn + (i * Math.PI) / 3;
    return [size * Math.cos(angle), size * Math.sin(angle)];
  });
  const towards = ([x, y], [ex, ey]) => {
    const share = corner / Math.hypot(ex - x, ey - y);
    return [x + (ex - x) * share, y + (ey - y) * share];
  };
  const pair = ([x, y]) => `${num(x)} ${num(y)}`;
  const steps = points.map((point, i) => {
    const enter = towards(point, points[(i + 5) % 6]);
    const leave = towards(point, points[(i + 1) % 6]);
    const round = corner ? `Q${pair(point)} ${pair(leave)}` : "";
    return `${i ? "L" : "M"}${pair(enter)}${round}`;
  });
  return `${steps.join("")}Z`;
}

const KINDS = {
  group: () => ["g", {}],
  hex: ({ size, flat, corner }) => ["path", { d: hexPath(size, flat, corner) }],
  disc: ({ radius }) => ["circle", { r: num(radius) }],
  box: ({ width, height, corner = 0 }) => [
    "rect",
    { x: num(-width / 2), y: num(-height / 2), width: num(width), height: num(height), rx: num(corner) },
  ],
  line: ({ dx, dy }) => ["line", { x2: num(dx), y2: num(dy) }],
  path: ({ d }) => ["path", { d }],
  stamp: ({ glyph }, look) => ["use", { href: `#${look}-glyph-${glyph}` }],
  label: ({ size, anchor = "middle" }) => [
    "text",
    { y: num(size * 0.35), "font-size": num(size), "text-anchor": anchor },
  ],
};

function transformOf(x, y, scale = 1) {
  const steps = [];
  if (x || y) steps.push(`translate(${num(x)} ${num(y)})`);
  if (scale !== 1) steps.push(`scale(${Number(scale.toPrecision(4))})`);
  return steps.join(" ");
}

const patterns = new WeakMap();

/** The element that shows a body, to be copied: many nodes have the same body. */
function patternOf(body, look) {
  if (!patterns.has(body)) {
    const [tag, attributes] = KINDS[body.kind](body, look);
    const element = document.createElementNS(SVG, tag);
    element.setAttribute("class", body.role ?? "");
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (body.kind === "label") element.append(body.text ?? "");
    for (const part of body.parts ?? []) element.append(buildPlain(part, look));
    patterns.set(body, element);
  }
  return patterns.get(body);
}

/** How many labels a body has. */
function countLabels(body) {
  body.labels ??= (body.parts ?? []).reduce((sum, part) => sum + countLabels(part), body.kind === "label" ? 1 : 0);
  return body.labels;
}

/** The words that `hint` tells of a node: what stands behind the texts of its labels. */
function tipOf(node) {
  return node.words.split("\n").slice(countLabels(node.body)).join("\n");
}

/** Write the texts of a node into the labels of the element that shows it, and its tip beside it. */
function letter(element, node) {
  const texts = node.words.split("\n");
  if (node.body.kind === "label") element.textContent = texts[0];
  else if (countLabels(node.body)) {
    element.querySelectorAll("text").forEach((label, i) => (label.textContent = texts[i]));
  }
  element.tip = tipOf(node);
}

function place(element, body, x, y) {
  const transform = transformOf(x, y, body.scale);
  if (transform) element.setAttribute("transform", transform);
  else element.removeAttribute("transform");
}

function buildPlain(body, look) {
  const element = patternOf(body, look).cloneNode(true);
  place(element, body, body.x ?? 0, body.y ?? 0);
  element.tip = body.tip;
  return element;
}

/** Words for who points at an element: many shapes have some, and few are ever pointed at. */
function hint(event) {
  for (let at = event.target; at instanceof SVGElement; at = at.parentElement) {
    if (at.tip !== undefined) tell(at, at.tip);
  }
}

/** The words that an element has from now on. */
function tell(element, tip) {
  const first = element.firstElementChild;
  const title = first?.tagName === "title" ? first : null;
  if (!tip) title?.remove();
  else if (title) title.textContent = tip;
  else {
    const made = document.createElementNS(SVG, "title");
    made.textContent = tip;
    element.prepend(made);
  }
}

/** The glyphs and styles of a game, fetched if the page has none of it yet. */
export async function loadLook(name, { css, svg } = {}) {
  if (css && !document.querySelector(`link[data-look="${name}"]`)) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: css });
    link.dataset.look = name;
    document.head.append(link);
  }
  if (!document.getElementById(`glyphs-${name}`)) {
    const text = await (await fetch(svg ?? `/looks/${name}.svg`)).text();
    if (document.getElementById(`glyphs-${name}`)) return;
    const holder = document.createElement("div");
    holder.innerHTML = text;
    document.body.append(holder.firstElementChild);
  }
}

/** A picture in the page. `holder` is the element whose SVG it takes the place of. */
export class Board {
  constructor(holder, { look, width, height }) {
    this.look = look;
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("viewBox", `0 0 ${num(width)} ${num(height)}`);
    this.svg.setAttribute("class", `scene scene-${look}`);
    this.svg.setAttribute("role", "img");
    this.records = new Map();
    this.going = new Set();
    this.choices = new Map();
    this.onPick = () => {};
    this.svg.addEventListener("pointerover", hint);
    this.svg.addEventListener("click", (event) => this.pick(event));
    this.svg.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.pick(event);
    });
    const old = holder.querySelector("svg.scene");
    if (old) old.replaceWith(this.svg);
    else holder.prepend(this.svg);
  }

  /** Show these nodes; `motion` is how many milliseconds it may take to get there. */
  show(nodes, { title = "", motion = 0 } = {}) {
    this.motion = still.matches ? 0 : motion;
    tell(this.svg, title);
    this.spare = new Map();
    for (const id of [...this.records.keys()]) if (!nodes.has(id)) this.drop(id);
    for (const [id, node] of nodes) if (id !== "") this.update(id, node);
    for (const elements of this.spare.values()) for (const element of elements) element.remove();
    for (const [id, node] of nodes) if (node.kids) this.arrange(id, node);
    this.applyChoices();
  }

  update(id, node) {
    const record = this.records.get(id);
    if (record?.node === node) return;
    const x = node.x / 100;
    const y = node.y / 100;
    if (!record || record.node.body !== node.body) this.rebuild(id, node, record, x, y);
    else {
      place(record.element, node.body, x, y);
      if (record.node.words !== node.words) letter(record.element, node);
      record.node = node;
    }
    const now = this.records.get(id);
    if (record && (record.x !== x || record.y !== y)) this.glide(now, record.x, record.y, x, y);
    Object.assign(now, { x, y });
  }

  rebuild(id, node, record, x, y) {
    const spare = record || node.kids ? undefined : this.spare.get(node.body)?.shift();
    const element = spare ?? patternOf(node.body, this.look).cloneNode(true);
    element.setAttribute("data-id", id);
    place(element, node.body, x, y);
    letter(element, node);
    if (record) record.element.replaceWith(element);
    else if (this.motion) element.animate([{ opacity: 0, offset: 0 }], { duration: this.motion, easing: "ease-out" });
    this.records.set(id, { element, node, x: record?.x ?? x, y: record?.y ?? y });
  }

  glide(record, fromX, fromY, x, y) {
    if (!this.motion) return;
    const scale = record.node.body.scale ?? 1;
    const at = (px, py) => ({ transform: `translate(${px}px, ${py}px) scale(${scale})` });
    record.element.animate([at(fromX, fromY), at(x, y)], { duration: this.motion, easing: "ease-in-out" });
  }

  drop(id) {
    const { element, node } = this.records.get(id);
    this.records.delete(id);
    if (!this.motion && !node.kids && !this.choices.size) {
      // To move what looks the same costs less than to make it.
      if (!this.spare.has(node.body)) this.spare.set(node.body, []);
      this.spare.get(node.body).push(element);
      return;
    }
    if (!this.motion || !element.isConnected) {
      element.remove();
      return;
    }
    this.going.add(element);
    element.removeAttribute("data-id");
    const fade = element.animate([{ opacity: 0, offset: 1 }], { duration: this.motion, fill: "forwards" });
    fade.finished.finally(() => {
      this.going.delete(element);
      element.remove();
    });
  }

  /** Bring what a group holds into its order, from back to front. */
  arrange(id, node) {
    const record = id === "" ? null : this.records.get(id);
    const holder = record?.element ?? this.svg;
    if (holder.arranged === node.kids) return;
    holder.arranged = node.kids;
    const spare = (holder.plain ??= []);
    const plain = [];
    const wanted = node.kids.map((kid) => {
      if (typeof kid === "string") return this.records.get(kid).element;
      const found = spare.findIndex((one) => one.body === kid);
      const one = found < 0 ? { body: kid, element: buildPlain(kid, this.look) } : spare.splice(found, 1)[0];
      plain.push(one);
      return one.element;
    });
    for (const one of spare) one.element.remove();
    holder.plain = plain;
    let cursor = holder.firstChild;
    const skip = () => {
      while (cursor && (cursor.tagName === "title" || this.going.has(cursor))) cursor = cursor.nextSibling;
    };
    for (const element of wanted) {
      skip();
      if (cursor === element) cursor = cursor.nextSibling;
      else holder.insertBefore(element, cursor);
    }
  }

  /** The shapes that may be clicked: ids and their words. */
  setChoices(choices, onPick) {
    for (const id of this.choices.keys()) this.mark(id, null);
    this.choices = new Map(choices);
    this.onPick = onPick ?? this.onPick;
    this.svg.setAttribute("role", this.choices.size ? "group" : "img");
    this.applyChoices();
  }

  applyChoices() {
    for (const [id, label] of this.choices) this.mark(id, label);
  }

  mark(id, label) {
    const element = this.records.get(id)?.element;
    if (!element) return;
    element.classList.toggle("choice", label !== null);
    if (label === null) for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
    else {
      element.setAttribute("tabindex", "0");
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", label || tipOf(this.records.get(id).node) || id);
    }
  }

  pick(event) {
    let element = event.target.closest("[data-id]");
    while (element && !this.choices.has(element.dataset.id)) {
      element = element.parentElement?.closest("[data-id]");
    }
    if (!element || !this.svg.contains(element)) return;
    event.preventDefault();
    this.onPick(element.dataset.id);
  }
}
