// A Battlebots bot that asks the arena for the orders that it may give, and chooses some of them.
//
// Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match battlebots . greedy
// --watch` lets it play.
"use strict";

const readline = require("node:readline");

// Pick an order for one of our forts. This is where your bot begins. `roads` are all ways out, with
// all soldiers that we have there; `forts` is what we see. This takes the weakest fort that it can.
function choose(roads, forts) {
  const me = forts.get(roads[0].origin).owner;
  const weaker = roads
    .filter((road) => forts.get(road.target).owner !== me)
    .filter((road) => forts.get(road.target).soldiers < road.soldiers)
    .sort((one, other) => forts.get(one.target).soldiers - forts.get(other.target).soldiers);
  if (weaker.length) return weaker[0];
  const road = roads[Math.floor(Math.random() * roads.length)];
  return { ...road, soldiers: 1 + Math.floor(Math.random() * road.soldiers) };
}

async function main() {
  console.log("legal"); // our first line: we want the legal orders with every question
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value;
  for (let header = await next(); header !== undefined; header = await next()) {
    const sections = []; // forts, roads, marches: a header with a number, and as many lines
    for (let section = 0; section < 3; section++) {
      if (section) header = await next();
      sections.push([]);
      for (let n = parseInt(header, 10); n; n--) sections[section].push((await next()).split(" "));
    }
    const forts = new Map();
    for (const [name, x, y, owner, soldiers] of sections[0]) {
      forts.set(name, { x: Number(x), y: Number(y), owner, soldiers: Number(soldiers) });
    }
    const words = (await next()).split(" ").slice(1); // legal, and three words for each order
    const ways = new Map();
    for (let i = 0; i < words.length; i += 3) {
      const [origin, target, soldiers] = words.slice(i, i + 3);
      if (!ways.has(origin)) ways.set(origin, []);
      ways.get(origin).push({ origin, target, soldiers: Number(soldiers) });
    }
    const orders = [...ways.values()].map((roads) => choose(roads, forts));
    const texts = orders.map((order) => `${order.origin} ${order.target} ${order.soldiers}`);
    console.log([`${orders.length} marches:`, ...texts].join("\n"));
  }
}

main();
