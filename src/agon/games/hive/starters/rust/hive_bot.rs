//! A Hive bot that asks the arena for the legal moves, and chooses one of them.
//!
//! Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match hive . greedy
//! --watch` lets it play.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;

/// A number by chance, less than `below`.
fn random(below: usize) -> usize {
    RandomState::new().build_hasher().finish() as usize % below
}

/// Pick a move. This is where your bot begins. `wG2/*bA1` puts wG2 beside bA1, `wB1=*bQ1` on top of
/// bQ1, `wS1` begins a match: a move ends with the tile that it is described by. So this prefers
/// moves that are said to end at the enemy queen.
fn choose<'a>(moves: &[&'a str], enemy_queen: &str) -> &'a str {
    let is_close = |m: &&str| m.len() > 3 && m.ends_with(enemy_queen);
    let close: Vec<&str> = moves.iter().copied().filter(is_close).collect();
    let liked = if close.is_empty() { moves } else { &close };
    liked[random(liked.len())]
}

fn main() {
    let mut enemy_queen = "";
    println!("legal"); // our first line: we want the legal moves with every question
    for line in io::stdin().lines() {
        let line = line.expect("a line of text");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            "colour" => enemy_queen = if words[1] == "white" { "bQ1" } else { "wQ1" },
            "legal" => println!("{}", choose(&words[1..], enemy_queen)),
            _ => {} // the options of the match, the moves of the other side, the end
        }
    }
}
