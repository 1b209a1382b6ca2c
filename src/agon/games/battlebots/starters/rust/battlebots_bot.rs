//! A whole Battlebots bot: every turn it reads what it sees, and answers with orders.
//!
//! Make it yours in `choose`, near the end: for now it marches at random. `agon bot check .` tries
//! the bot out, `agon match battlebots . greedy --watch` lets it play.
#![allow(dead_code)] // the random bot does not use all that it is told

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// A fort that we see; its owner is "neutral" if it is nobody's.
struct Fort {
    name: String,
    x: i64,
    y: i64,
    owner: String,
    soldiers: u64,
    near: Vec<usize>, // the neighbours that we see: places in `forts`
}

/// An army on a road that we see, with the steps that it has to go.
struct March {
    origin: usize,
    target: usize,
    owner: String,
    soldiers: u64,
    steps: u64,
}

/// So many soldiers leave one of our forts for a neighbour.
struct Order {
    origin: usize,
    target: usize,
    soldiers: u64,
}

/// What we see in a turn: our forts, their neighbours, and what is between them.
struct View {
    me: String,
    forts: Vec<Fort>,
    marches: Vec<March>,
}

impl View {
    /// How many turns the march between two forts takes.
    fn steps(&self, one: usize, other: usize) -> u64 {
        let (a, b) = (&self.forts[one], &self.forts[other]);
        ((a.x - b.x) as f64).hypot((a.y - b.y) as f64).ceil() as u64
    }
}

/// Send some soldiers from some forts. This is where your bot begins.
fn choose(view: &View, chance: &mut Chance) -> Vec<Order> {
    let mut orders = Vec::new();
    for (origin, fort) in view.forts.iter().enumerate() {
        if fort.owner != view.me || fort.near.is_empty() || fort.soldiers == 0 {
            continue;
        }
        if chance.below(2) == 0 {
            let target = fort.near[chance.below(fort.near.len() as u64) as usize];
            orders.push(Order { origin, target, soldiers: 1 + chance.below(fort.soldiers) });
        }
    }
    orders
}

/// Random numbers; a crate would do better, but this needs none.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 24) % bound
    }
}

/// Where messages come from; our home, where we began, is at 0 0.
struct Arena<I: Iterator<Item = String>> {
    lines: I,
    home: String,
    me: String,
}

impl<I: Iterator<Item = String>> Arena<I> {
    /// The words of each line, after a header that says how many lines there are.
    fn read_section(&mut self) -> Option<Vec<Vec<String>>> {
        let header = self.lines.next()?;
        let count: usize = header.split(' ').next()?.parse().ok()?;
        let words = |line: String| line.split(' ').map(str::to_string).collect();
        Some((0..count).filter_map(|_| self.lines.next().map(words)).collect())
    }

    /// What we see now; nothing at the end of the match.
    fn read_view(&mut self) -> Option<View> {
        let mut forts = Vec::new();
        let mut by_name = HashMap::new();
        for w in self.read_section()? {
            let (x, y) = (w[1].parse().ok()?, w[2].parse().ok()?);
            if (x, y) == (0, 0) && w[0] != self.home {
                self.home = w[0].clone(); // the first turn of a match: this is us
                self.me = w[3].clone();
            }
            by_name.insert(w[0].clone(), forts.len());
            let soldiers = w[4].parse().ok()?;
            let (name, owner) = (w[0].clone(), w[3].clone());
            forts.push(Fort { name, x, y, owner, soldiers, near: Vec::new() });
        }
        for w in self.read_section()? {
            let (one, other) = (by_name[&w[0]], by_name[&w[1]]);
            forts[one].near.push(other);
            forts[other].near.push(one);
        }
        let mut marches = Vec::new();
        for w in self.read_section()? {
            marches.push(March {
                origin: by_name[&w[0]],
                target: by_name[&w[1]],
                owner: w[2].clone(),
                soldiers: w[3].parse().ok()?,
                steps: w[4].parse().ok()?,
            });
        }
        Some(View { me: self.me.clone(), forts, marches })
    }
}

/// Read what we see, and answer; until there is no more input.
fn main() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let mut chance = Chance(now.map_or(1, |time| time.as_nanos() as u64 | 1));
    let lines = io::stdin().lock().lines().map_while(Result::ok);
    let mut arena = Arena { lines, home: String::new(), me: String::new() };
    while let Some(view) = arena.read_view() {
        let orders = choose(&view, &mut chance);
        println!("{} marches:", orders.len());
        for order in orders {
            let (origin, target) = (&view.forts[order.origin].name, &view.forts[order.target].name);
            println!("{origin} {target} {}", order.soldiers);
        }
        io::stdout().flush().expect("somebody listens");
    }
}
