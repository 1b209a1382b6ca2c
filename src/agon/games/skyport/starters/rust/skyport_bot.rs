//! A Skyport bot that asks the arena what it may do, and chooses: ./skyport_bot NAME HOST PORT
//!
//! Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match skyport . random
//! --watch` lets it play.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufRead, BufReader, Result, Write};
use std::net::TcpStream;

/// A number by chance, less than `below`.
fn random(below: usize) -> usize {
    RandomState::new().build_hasher().finish() as usize % below
}

/// Pick one of the messages that we may send now. This is where your bot begins. At first they are
/// loadouts. This mines and upgrades where it can, else it moves; it does not shoot.
fn choose<'a>(legal: &[&'a str]) -> &'a str {
    for liked in ["\"mine\"", "\"upgrade\"", "\"move\""] {
        let found: Vec<_> = legal.iter().filter(|message| message.contains(liked)).collect();
        if !found.is_empty() {
            return found[random(found.len())];
        }
    }
    legal[random(legal.len())]
}

/// The messages in `{"message": "legal", "legal": [{...}, {...}]}`.
fn messages(line: &str) -> Vec<&str> {
    let starts = line.match_indices('{').skip(1).map(|(start, _)| start);
    starts.map(|start| &line[start..=start + line[start..].find('}').expect("an end")]).collect()
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().collect();
    let mut arena = TcpStream::connect(format!("{}:{}", words[2], words[3]))?;
    let name = &words[1]; // we want the legal messages with every question, and to play
    let hello = format!("{{\"message\": \"connect\", \"revision\": 1, \"name\": \"{name}\"}}");
    arena.write_all(format!("legal\n{hello}\n").as_bytes())?;
    for line in BufReader::new(arena.try_clone()?).lines() {
        let line = line?;
        if line.starts_with("{\"message\": \"legal\"") {
            let answer = format!("{}\n", choose(&messages(&line)));
            arena.write_all(answer.as_bytes())?;
        } // other lines: gamestates with the map and all robots, actions of all, errors
    }
    Ok(())
}
