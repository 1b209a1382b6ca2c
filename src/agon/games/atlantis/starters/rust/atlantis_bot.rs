//! A whole Atlantis bot: it reads what the arena says, keeps the board, and answers with moves.
//!
//! Make it yours in `choose`, near the end: for now it moves at random. `agon bot check .` tries
//! the bot out, `agon match atlantis . greedy --watch` lets it play.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, Write};

/// The neighbours of a field, clockwise from the one above: letters count x, numbers y.
const STEPS: [(i64, i64); 6] = [(1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1)];
const NOBODY: usize = usize::MAX;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Open,
    Growing,
    Dead,
}

struct Field {
    name: String,
    segment: usize,
    near: Vec<Option<usize>>, // the neighbours by direction: places in `fields`
    kind: Kind,
    owner: usize,
    stones: usize,
}

/// So many steps from the source, with as many stones.
#[derive(Clone, Copy)]
struct Move {
    source: usize,
    direction: usize,
    steps: usize,
}

/// The board.
struct Island {
    players: usize,
    turn: usize,
    fields: Vec<Field>,
    by_name: HashMap<String, usize>,
}

/// From b3 to (2, 3).
fn parse_place(name: &str) -> (i64, i64) {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = &name[..name.len() - digits.len()];
    let x = letters.bytes().fold(0, |x, letter| 26 * x + i64::from(letter - b'a') + 1);
    (x, digits.parse().unwrap_or(0))
}

impl Island {
    /// A new match, from the first line of the arena.
    fn new(transcript: &Json) -> Island {
        let mut island =
            Island { players: 0, turn: 0, fields: Vec::new(), by_name: HashMap::new() };
        let mut places = HashMap::new();
        for (segment, names) in transcript.get("segments").items().iter().enumerate() {
            for name in names.items().iter().map(Json::text) {
                places.insert(parse_place(name), island.fields.len());
                island.by_name.insert(name.to_string(), island.fields.len());
                island.fields.push(Field {
                    name: name.to_string(),
                    segment,
                    near: Vec::new(),
                    kind: Kind::Open,
                    owner: NOBODY,
                    stones: 0,
                });
            }
        }
        for field in &mut island.fields {
            let (x, y) = parse_place(&field.name);
            let near = STEPS.iter().map(|(dx, dy)| places.get(&(x + dx, y + dy)).copied());
            field.near = near.collect();
        }
        for (seat, player) in transcript.get("players").items().iter().enumerate() {
            for (name, stones) in player.get("stacks").entries() {
                let stones = stones.number();
                let field = &mut island.fields[island.by_name[name]];
                field.owner = seat;
                field.stones = stones.unsigned_abs() as usize;
                field.kind = match stones {
                    0 => Kind::Dead,
                    1.. => Kind::Open,
                    _ => Kind::Growing,
                };
            }
            island.players += 1;
        }
        island
    }

    /// Whose turn it is.
    fn seat(&self) -> usize {
        self.turn % self.players
    }

    /// The open fields that lie ahead, up to the first that is none.
    fn line(&self, source: usize, direction: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut ahead = self.fields[source].near[direction];
        while let Some(field) = ahead.filter(|&field| self.fields[field].kind == Kind::Open) {
            found.push(field);
            ahead = self.fields[field].near[direction];
        }
        found
    }

    fn open_around(&self, field: usize) -> Vec<usize> {
        let near = self.fields[field].near.iter().flatten().copied();
        near.filter(|&other| self.fields[other].kind == Kind::Open).collect()
    }

    /// All moves of the seat whose turn it is, by segment: a turn has at most one of each.
    fn legal_moves(&self) -> BTreeMap<usize, Vec<Move>> {
        let mut moves: BTreeMap<usize, Vec<Move>> = BTreeMap::new();
        for (source, field) in self.fields.iter().enumerate() {
            if field.kind != Kind::Open || field.owner != self.seat() {
                continue;
            }
            for direction in 0..6 {
                let most = field.stones.min(self.line(source, direction).len());
                let new = (1..=most).map(|steps| Move { source, direction, steps });
                if most > 0 {
                    moves.entry(field.segment).or_default().extend(new);
                }
            }
        }
        moves
    }

    fn read(&self, names: &[Json]) -> Move {
        let source = self.by_name[names[0].text()];
        let target = self.by_name[names[1].text()];
        for direction in 0..6 {
            let line = self.line(source, direction);
            if let Some(place) = line.iter().position(|&field| field == target) {
                return Move { source, direction, steps: place + 1 };
            }
        }
        panic!("a move that is not straight");
    }

    fn write(&self, chosen: Move) -> String {
        let target = self.line(chosen.source, chosen.direction)[chosen.steps - 1];
        format!("[\"{}\", \"{}\"]", self.fields[chosen.source].name, self.fields[target].name)
    }

    // --- What a turn does ---

    /// Bring the board up to date after a turn: moves, explosions, growth.
    fn play(&mut self, moves: &[Move]) {
        for &one in moves {
            self.carry_out(one);
        }
        let mut exploding: Vec<usize> = (0..self.fields.len()).collect();
        while let Some(field) = exploding.pop() {
            if self.is_volatile(field) {
                self.explode(field);
                exploding.push(field);
                exploding.extend(self.fields[field].near.iter().flatten());
            }
        }
        let seat = self.seat();
        for field in &mut self.fields {
            if field.kind == Kind::Growing && field.owner == seat {
                field.stones += 1;
            }
        }
        self.turn += 1;
    }

    /// Stones go field by field, and fall with the stones of others that they meet.
    fn carry_out(&mut self, one: Move) {
        let way = self.line(one.source, one.direction);
        let mut moving = one.steps;
        self.take(one.source, moving);
        for &field in &way[..one.steps] {
            if self.is_others(field) {
                let fallen = moving.min(self.fields[field].stones);
                self.take(field, fallen);
                moving -= fallen;
                if moving == 0 {
                    return;
                }
            }
        }
        self.add(way[one.steps - 1], moving);
    }

    fn is_others(&self, field: usize) -> bool {
        let owner = self.fields[field].owner;
        owner != NOBODY && owner != self.seat()
    }

    /// Whether a field of the seat holds at least as many stones as it has open neighbours.
    fn is_volatile(&self, place: usize) -> bool {
        let field = &self.fields[place];
        let is_own = field.kind != Kind::Dead && field.owner == self.seat();
        is_own && field.stones >= self.open_around(place).len()
    }

    /// A stone for each open neighbour.
    fn explode(&mut self, place: usize) {
        let is_open = self.fields[place].kind == Kind::Open;
        self.fields[place].kind = if is_open { Kind::Growing } else { Kind::Dead };
        self.fields[place].stones = 0;
        for other in self.open_around(place) {
            if self.is_others(other) {
                self.take(other, 1);
            } else {
                self.add(other, 1);
            }
        }
    }

    fn add(&mut self, field: usize, stones: usize) {
        self.fields[field].owner = self.seat();
        self.fields[field].stones += stones;
    }

    /// A field is nobody's when no stone is left.
    fn take(&mut self, field: usize, stones: usize) {
        self.fields[field].stones -= stones;
        if self.fields[field].stones == 0 {
            self.fields[field].owner = NOBODY;
        }
    }
}

/// As much of JSON as the arena sends: objects, lists, texts, whole numbers.
enum Json {
    Object(Vec<(String, Json)>),
    List(Vec<Json>),
    Text(String),
    Number(i64),
}

impl Json {
    /// Read the value that the characters begin with, and leave what follows it.
    fn read(text: &mut &[u8]) -> Json {
        match next(text) {
            b'{' => {
                let mut found = Vec::new();
                *text = &text[1..];
                while next(text) != b'}' {
                    let Json::Text(key) = Json::read(text) else { panic!("expected a key") };
                    next(text);
                    found.push((key, Json::read(text)));
                }
                *text = &text[1..];
                Json::Object(found)
            }
            b'[' => {
                let mut found = Vec::new();
                *text = &text[1..];
                while next(text) != b']' {
                    found.push(Json::read(text));
                }
                *text = &text[1..];
                Json::List(found)
            }
            b'"' => {
                let mut found = Vec::new();
                *text = &text[1..];
                while text[0] != b'"' {
                    if text[0] == b'\\' {
                        *text = &text[1..]; // escapes are in names only, which we do not use
                    }
                    found.push(text[0]);
                    *text = &text[1..];
                }
                *text = &text[1..];
                Json::Text(String::from_utf8_lossy(&found).into_owned())
            }
            _ => {
                let is_end = |byte: &u8| b",]} ".contains(byte);
                let length = text.iter().position(is_end).unwrap_or(text.len());
                let word = String::from_utf8_lossy(&text[..length]).into_owned();
                *text = &text[length..];
                Json::Number(word.parse().unwrap_or(0))
            }
        }
    }

    /// The value of a key; an empty list if there is none.
    fn get(&self, wanted: &str) -> &Json {
        const NOTHING: &Json = &Json::List(Vec::new());
        self.entries().iter().find(|(key, _)| key == wanted).map_or(NOTHING, |(_, value)| value)
    }

    fn entries(&self) -> &[(String, Json)] {
        if let Json::Object(entries) = self { entries } else { &[] }
    }

    fn items(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }

    fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }

    fn number(&self) -> i64 {
        if let Json::Number(number) = self { *number } else { 0 }
    }
}

/// Skip what separates values; the character that comes then.
fn next(text: &mut &[u8]) -> u8 {
    while b" ,:".contains(&text[0]) {
        *text = &text[1..];
    }
    text[0]
}

/// Random numbers; a crate would do better, but this needs none.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// Pick a move from some of the segments, or none at all. This is where your bot begins.
fn choose(segments: &BTreeMap<usize, Vec<Move>>, chance: &mut Chance) -> Vec<Move> {
    let mut chosen = Vec::new();
    for moves in segments.values() {
        if chance.below(2) == 0 {
            chosen.push(moves[chance.below(moves.len())]);
        }
    }
    chosen
}

/// Read a line, do what it says; until there is no more input.
fn main() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let mut chance = Chance(now.map_or(1, |time| time.as_nanos() as u64 | 1));
    let mut island = None;
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let message = Json::read(&mut line.as_bytes());
        if message.get("format").text() != "" {
            island = Some(Island::new(&message)); // a new match; the key "you" has our seat
        }
        let Some(island) = &mut island else { continue };
        match message.get("type").text() {
            "turn" => {
                let moves = message.get("moves").items();
                let moves: Vec<Move> = moves.iter().map(|m| island.read(m.items())).collect();
                island.play(&moves); // of anybody, our own among them
            }
            "your-turn" => {
                let chosen = choose(&island.legal_moves(), &mut chance);
                let texts: Vec<String> = chosen.into_iter().map(|m| island.write(m)).collect();
                println!("{{\"moves\": [{}]}}", texts.join(", "));
                io::stdout().flush().expect("somebody listens");
            }
            _ => {}
        }
    }
}
