//! A Battlebots bot that asks the arena for the orders that it may give, and chooses some of them.
//!
//! Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match battlebots . greedy
//! --watch` lets it play.

use std::collections::hash_map::RandomState;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Lines, StdinLock};

struct Order {
    origin: String,
    target: String,
    soldiers: u64,
}

/// A number by chance, less than `below`.
fn random(below: usize) -> usize {
    RandomState::new().build_hasher().finish() as usize % below
}

/// Pick an order for one of our forts. This is where your bot begins. `roads` are all ways out, with
/// all soldiers that we have there. This sends half of them along one of the roads.
fn choose(roads: Vec<Order>) -> Order {
    let chosen = random(roads.len());
    let road = roads.into_iter().nth(chosen).expect("a road");
    Order { soldiers: (road.soldiers + 1) / 2, ..road }
}

fn read_words(lines: &mut Lines<StdinLock>) -> Option<Vec<String>> {
    let line = lines.next()?.expect("a line of text");
    Some(line.split_whitespace().map(String::from).collect())
}

fn main() {
    println!("legal"); // our first line: we want the legal orders with every question
    let mut lines = io::stdin().lines();
    loop {
        for _section in 0..3 { // what we see: forts, roads, marches
            let header = match read_words(&mut lines) {
                Some(words) => words,
                None => return, // the match is over
            };
            for _ in 0..header[0].parse().expect("a number of lines") {
                read_words(&mut lines); // such as: boyard 0 0 mine 12
            }
        }
        let words = read_words(&mut lines).expect("legal, and three words for each order");
        let mut ways: BTreeMap<String, Vec<Order>> = BTreeMap::new();
        for order in words[1..].chunks(3) {
            let [origin, target] = [&order[0], &order[1]].map(String::clone);
            let soldiers = order[2].parse().expect("a number of soldiers");
            ways.entry(origin.clone()).or_default().push(Order { origin, target, soldiers });
        }
        println!("{} marches:", ways.len());
        for order in ways.into_values().map(choose) {
            println!("{} {} {}", order.origin, order.target, order.soldiers);
        }
    }
}
