//! An Atlantis bot that asks the arena for the legal moves, and chooses some of them.
//!
//! Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match atlantis . greedy
//! --watch` lets it play.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;

/// A number by chance, less than `below`.
fn random(below: usize) -> usize {
    RandomState::new().build_hasher().finish() as usize % below
}

/// Pick one of the moves that start in a segment, or none. This is where your bot begins. A move
/// says from where to where: `"a1", "c3"` takes two stones two steps.
fn choose<'a>(moves: &[&'a str]) -> Option<&'a str> {
    (random(2) == 0).then(|| moves[random(moves.len())])
}

/// The answer to `{"type": "legal", "moves": [[["a1", "b2"], ["a1", "b1"]], [["d4", "d3"]]]}`:
/// lists of moves, one for each segment.
fn answer(line: &str) -> String {
    let lists = line.split_once(": [").map_or("", |(_, rest)| rest);
    let mut chosen = Vec::new();
    for segment in lists.split("]], ") {
        let moves = segment.split("], ").map(|text| text.trim_matches(|c| "[]}".contains(c)));
        let moves: Vec<&str> = moves.filter(|text| !text.is_empty()).collect();
        if !moves.is_empty() {
            chosen.extend(choose(&moves).map(|text| format!("[{text}]")));
        }
    }
    format!("{{\"moves\": [{}]}}", chosen.join(", "))
}

fn main() {
    println!("legal"); // our first line: we want the legal moves with every question
    for line in io::stdin().lines() {
        let line = line.expect("a line of text");
        if line.contains("\"type\": \"legal\"") {
            println!("{}", answer(&line));
        } // other lines: the board at the beginning of a match, all players' turns, the end
    }
}
