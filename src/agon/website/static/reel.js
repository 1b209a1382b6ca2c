// The pictures of a whole match: reads what src/agon/website/replay/reels.py describes.
//
// Things in the picture are casts: a mould, numbers for its holes, and by how much those rise in the
// steps of a stage. What is in here never changes, it is only replaced; so a reel can be copied
// cheaply, and goes on from there. Whatever is foreseen here src/agon/website/replay/casts.py foresees, too.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Map([...LETTERS].map((letter, value) => [letter, value]));
const MORE = 32;
const RISING = new Set(["kept", "gone", "born", "recast", "jump", "steer"]);
const SIGNED = new Set(["fill", "jump_by", "steer_by"]);
const COLUMNS = [...RISING, ...SIGNED, "recast_as", "jump_at", "steer_at", "put", "put_at"];
const UNITS = { scale: 1e6 };
const PLACE_UNITS = 100; // in hundredths
const ROOT = -1; // the number of the group that holds everything
const PLAIN = "/"; // how ids begin that are only known here
const NONE = [];

/** The numbers of a column in one step. */
function readNumbers(name, text) {
  const found = [];
  let number = 0;
  let worth = 1;
  for (const letter of text) {
    const value = VALUES.get(letter);
    number += (value % MORE) * worth;
    worth *= MORE;
    if (value >= MORE) continue;
    if (SIGNED.has(name)) number = number % 2 ? -(number + 1) / 2 : number / 2;
    else if (RISING.has(name)) number += found.at(-1) ?? 0;
    found.push(number);
    number = 0;
    worth = 1;
  }
  return found;
}

/** The columns of each step of a message, as they were written. */
export function splitSteps(message) {
  const names = COLUMNS.filter((name) => name in message);
  const texts = names.map((name) => message[name].split(" "));
  return message.steps.map((_, place) => {
    const told = names.map((name, column) => [name, texts[column][place]]);
    return Object.fromEntries(told.filter(([, text]) => text));
  });
}

function countHoles(words) {
  return Array.isArray(words) ? words.length - 1 : 0;
}

/** A text whose numbers come one after the other. */
function fillWords(words, next) {
  if (!Array.isArray(words)) return words;
  let text = words[0];
  for (let i = 1; i < words.length; i += 1) text += next() + words[i];
  return text;
}

function fillForm(form, next) {
  const body = {};
  for (const [name, value] of Object.entries(form)) {
    if (name === "parts") body.parts = value.map((part) => fillForm(part, next));
    else if (value === null) body[name] = next() / (UNITS[name] ?? 100);
    else body[name] = fillWords(value, next);
  }
  return body;
}

function countFormHoles(form) {
  let count = 0;
  fillForm(form, () => (count += 1));
  return count;
}

/** A node with holes for its numbers. */
class Mould {
  constructor(number, form, [id, tip, , ...twins]) {
    Object.assign(this, { number, form, id, tip });
    this.idHoles = countHoles(id);
    this.idKey = JSON.stringify(id);
    this.bodies = new Map();
    this.length = 0; // of the numbers that are told
    this.sources = []; // for each hole, which of them it shows
    const twinOf = new Map();
    for (let i = 0; i < twins.length; i += 2) twinOf.set(twins[i + 1], twins[i]);
    const holes = this.idHoles + 2 + countHoles(tip) + countFormHoles(form);
    for (let hole = 0; hole < holes; hole += 1) {
      if (twinOf.has(hole)) this.sources.push(this.sources[twinOf.get(hole)]);
      else this.sources.push(this.length++);
    }
  }

  /** The node that has these numbers; nodes that look the same have the same body. */
  cast(numbers) {
    let hole = 0;
    const next = () => numbers[this.sources[hole++]];
    const id = fillWords(this.id, next);
    const [x, y] = [next() / PLACE_UNITS, next() / PLACE_UNITS];
    const tip = fillWords(this.tip, next);
    const key = this.sources.slice(hole).map((source) => numbers[source]).join();
    if (!this.bodies.has(key)) this.bodies.set(key, fillForm(this.form, next));
    return { id, body: this.bodies.get(key), x, y, tip };
  }
}

/** All forms and moulds of a match, in the order in which they were told. */
export class Moulds {
  constructor() {
    this.forms = [];
    this.all = [];
  }

  learn({ forms = [], moulds = [] }) {
    for (const form of forms) {
      if (form.parts) form.parts = form.parts.map((part) => this.forms[part]);
      this.forms.push(form);
    }
    for (const told of moulds) this.all.push(new Mould(this.all.length, this.forms[told[2]], told));
  }
}

const UNKNOWN = { numbers: null, turn: 0, speeds: new Map(), oldest: 0, last: null };

/** The picture at one step, and all that is needed to go on to the next one. */
export class Reel {
  constructor(moulds) {
    this.moulds = moulds;
    this.step = 0;
    this.beats = new Map(); // how often each stage has come
    this.casts = new Map(); // by the numbers under which they came
    this.came = 0;
    this.memories = new Map(); // what is known of the casts of each mould
    this.paces = new Map();
    this.byLength = new Map();
    this.rows = new Map([[ROOT, []]]); // what groups hold, from back to front, and places kept in them
    this.holders = new Map();
  }

  /** Another one that goes on from here. */
  copy() {
    const copy = Object.assign(new Reel(this.moulds), this);
    const names = ["casts", "memories", "paces", "byLength", "rows", "holders"];
    for (const name of names) copy[name] = new Map(this[name]);
    return copy;
  }

  /** Go on to the next step: its turn, its stage, and what could not be foreseen. */
  read(turn, stage, columns) {
    const told = (name) => (columns[name] ? readNumbers(name, columns[name]) : NONE);
    this.turn = turn;
    this.edited = new Set();
    this.stage = stage.replace(/[0-9]+/g, "");
    this.bury(new Set(told("kept")), new Set(told("gone")));
    this.beats = new Map(this.beats).set(this.stage, (this.beats.get(this.stage) ?? 0) + 1);
    const fillings = told("fill")[Symbol.iterator]();
    const fresh = told("born").map((number) => this.bear(this.moulds.all[number], fillings));
    const keys = [...this.casts.keys()];
    const recast = told("recast").map((place) => keys[place]);
    told("recast_as").forEach((number, i) => this.recast(recast[i], number, fillings));
    this.correct(keys, told("jump"), told("jump_at"), told("jump_by"), false);
    this.correct(keys, told("steer"), told("steer_at"), told("steer_by"), true);
    for (const key of [...fresh, ...recast]) {
      const cast = this.casts.get(key);
      this.learn(cast.mould, this.numbersOf(cast));
    }
    this.arrange(fresh, keys, told("put"), told("put_at"));
    this.step += 1;
  }

  memory(mould) {
    return this.memories.get(mould) ?? UNKNOWN;
  }

  remember(mould, change) {
    this.memories.set(mould, { ...this.memory(mould), ...change });
  }

  /** What the numbers of a cast have become since they were told. */
  numbersOf(cast) {
    let numbers = cast.numbers;
    for (const [stage, speeds] of cast.speeds) {
      const times = (this.beats.get(stage) ?? 0) - (cast.since.get(stage) ?? 0);
      if (times) numbers = numbers.map((one, i) => one + times * speeds[i]);
    }
    return numbers;
  }

  bury(kept, gone) {
    let place = 0;
    for (const [key, cast] of this.casts) {
      const memory = this.memory(cast.kind);
      const age = this.step - cast.born;
      const isDue = !cast.isSpared && memory.oldest === age;
      if (kept.has(place)) this.casts.set(key, { ...cast, isSpared: true });
      else if (isDue || gone.has(place)) {
        this.casts.delete(key);
        this.remember(cast.kind, { oldest: Math.max(memory.oldest, age) });
        this.close(key);
        if (memory.last !== key) this.leave(key);
      }
      place += 1;
    }
  }

  /** A new cast of a mould, and its number. */
  bear(mould, fillings) {
    const memory = this.memory(mould);
    const expected = this.expect(mould);
    const numbers = memory.numbers ? expected : this.fill(mould, expected, fillings);
    const key = this.came;
    this.came += 1;
    const { speeds } = memory;
    this.casts.set(key, { mould, numbers, speeds, since: this.beats, born: this.step, kind: mould, isSpared: false });
    return key;
  }

  fill(mould, expected, fillings) {
    const numbers = expected.map((one) => one + fillings.next().value);
    this.learn(mould, numbers);
    return numbers;
  }

  recast(key, told, fillings) {
    const cast = this.casts.get(key);
    const mould = this.moulds.all[Math.floor(told / 2)];
    let numbers = this.numbersOf(cast);
    if (told % 2 === 0) {
      const isFirst = !this.memory(mould).numbers;
      const expected = this.expect(mould);
      numbers = isFirst ? this.fill(mould, expected, fillings) : expected;
    }
    this.casts.set(key, { ...cast, mould, numbers, speeds: new Map(), since: this.beats });
  }

  /** Numbers are more than was foreseen; those that are steered rise by so much more from now on. */
  correct(keys, places, which, more, isSteered) {
    places.forEach((place, i) => {
      const cast = this.casts.get(keys[place]);
      const numbers = [...this.numbersOf(cast)];
      numbers[which[i]] += more[i];
      let { speeds } = cast;
      if (isSteered) {
        const faster = [...(speeds.get(this.stage) ?? numbers.map(() => 0))];
        faster[which[i]] += more[i];
        speeds = new Map(speeds).set(this.stage, faster);
        this.remember(cast.mould, { speeds });
      }
      this.casts.set(keys[place], { ...cast, numbers, speeds, since: this.beats });
    });
  }

  /** The numbers of the next cast of a mould. */
  expect(mould) {
    const known = this.memory(mould);
    const like = known.numbers ? known : this.byLength.get(mould.length);
    const { numbers, turn } = like ?? { numbers: Array(mould.length).fill(0), turn: this.turn };
    const paces = this.paces.get(mould.idKey) ?? NONE;
    return numbers.map((one, i) => (paces[i] ? one + this.turn - turn : one));
  }

  learn(mould, numbers) {
    const { turn } = this;
    const known = this.memory(mould);
    if (known.numbers && turn > known.turn) {
      const ids = numbers.slice(0, mould.idHoles);
      this.paces.set(mould.idKey, ids.map((one, i) => one - known.numbers[i] === turn - known.turn));
    }
    this.remember(mould, { numbers, turn });
    this.byLength.set(mould.length, { numbers, turn });
  }

  arrange(fresh, keys, put, where) {
    for (const key of fresh) {
      const { kind } = this.casts.get(key);
      const { last } = this.memory(kind);
      const holder = this.holders.get(last);
      if (holder !== undefined) {
        this.insert(key, holder, this.rows.get(holder).indexOf(last));
        if (!this.casts.has(last)) this.leave(last);
      }
      this.remember(kind, { last: key });
    }
    put.forEach((place, i) => {
      const key = keys[place];
      this.leave(key);
      if (where[i] % 2 === 0) {
        const after = keys[where[i] / 2];
        const holder = this.holders.get(after);
        this.insert(key, holder, this.rows.get(holder).indexOf(after) + 1);
      } else this.insert(key, where[i] === 1 ? ROOT : keys[(where[i] - 3) / 2], 0);
    });
  }

  /** A row that may be changed: copies of this reel have the old one. */
  edit(holder) {
    if (!this.edited.has(holder)) this.rows.set(holder, [...(this.rows.get(holder) ?? NONE)]);
    this.edited.add(holder);
    return this.rows.get(holder);
  }

  insert(key, holder, at) {
    this.edit(holder).splice(at, 0, key);
    this.holders.set(key, holder);
  }

  leave(key) {
    const holder = this.holders.get(key);
    if (holder === undefined) return;
    const row = this.edit(holder);
    row.splice(row.indexOf(key), 1);
    this.holders.delete(key);
  }

  close(holder) {
    for (const key of this.rows.get(holder) ?? NONE) this.holders.delete(key);
    this.rows.delete(holder);
    this.edited.delete(holder);
  }

  /** All nodes of the picture, as a board shows them. */
  nodes() {
    const nodes = new Map();
    const ids = new Map();
    for (const [key, cast] of this.casts) {
      const node = this.nodeOf(cast);
      ids.set(key, node.id);
      nodes.set(node.id, node);
    }
    nodes.set("", { id: "", kids: [] });
    for (const [holder, row] of this.rows) {
      const node = nodes.get(holder === ROOT ? "" : ids.get(holder));
      const kids = row.filter((key) => ids.has(key)).map((key) => ids.get(key));
      nodes.set(node.id, { ...node, kids });
    }
    return nodes;
  }

  /** The node of a cast: the same one as long as nothing about it changes. */
  nodeOf(cast) {
    const { mould } = cast;
    const numbers = this.numbersOf(cast);
    if (cast.made?.mould !== mould || cast.made.numbers !== numbers) {
      const node = mould.cast(numbers);
      cast.made = { mould, numbers, node: { ...node, isPlain: node.id.startsWith(PLAIN) } };
    }
    return cast.made.node;
  }
}
