//! A MebiPenny bot that asks the arena for the legal moves, and chooses one of them.
//!
//! Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match mebipenny . greedy
//! --watch` lets it play.

use std::collections::hash_map::RandomState;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher};
use std::io;

type Tile = (i32, i32); // row, column

/// A number by chance, less than `below`.
fn random(below: usize) -> usize {
    RandomState::new().build_hasher().finish() as usize % below
}

/// Pick a move. This is where your bot begins. This likes tiles beside its own claims.
fn choose<'a>(moves: &[(Tile, &'a str)], ours: &HashSet<Tile>) -> &'a str {
    let friends = |&((row, col), _): &(Tile, &str)| {
        let beside = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)];
        beside.iter().filter(|tile| ours.contains(tile)).count()
    };
    let most = moves.iter().map(friends).max();
    let liked: Vec<_> = moves.iter().filter(|one| Some(friends(one)) == most).collect();
    if liked.is_empty() { "\"PASS\"" } else { liked[random(liked.len())].1 }
}

/// All moves or claims in a line: the tile, and the text, such as
/// `{"tile": {"row": 0, "col": 2}, "owner": "p1"}`.
fn tiles(line: &str) -> Vec<(Tile, &str)> {
    let texts = line.match_indices("{\"tile\"").map(|(start, _)| {
        let ends = line[start..].match_indices('}').nth(1).expect("a second bracket").0;
        &line[start..=start + ends]
    });
    let number = |text: &str| text.parse().expect("a row or a column");
    let place = |text: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
        (number(words.next().expect("a row")), number(words.next().expect("a column")))
    };
    texts.map(|text| (place(text), text)).collect()
}

fn main() {
    println!("legal"); // our first line: we want the legal moves with every question
    let (mut ours, mut me) = (HashSet::new(), String::new());
    for line in io::stdin().lines().map(|line| line.expect("a line of text")) {
        if line.starts_with("{\"legal\"") {
            println!("{}", choose(&tiles(&line), &ours));
            continue;
        }
        if let Some((_, id)) = line.split_once("\"player_id\": ") { // the board of a new match
            me = format!("\"owner\": {}}}", id.split(',').next().expect("an id"));
            ours.clear();
        }
        for (tile, text) in tiles(&line) { // claims may change hands
            if text.ends_with(&me) { ours.insert(tile); } else { ours.remove(&tile); }
        }
    }
}
