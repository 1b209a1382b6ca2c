//! A whole Hive bot: it reads what the arena says, keeps the board, and answers with legal moves.
//!
//! Make it yours in `choose`, near the end: for now it takes any legal move. `agon bot check .`
//! tries the bot out, `agon match hive . greedy --watch` lets it play.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

// A cell is a number: +1 is one to the right, +64 one to the lower right. Numbers wrap around at
// 4096, which no hive is long enough to notice. These are the steps to the six neighbours,
// clockwise, and the points of contact that name them: the first one puts a tile at another's
// upper left, the next at its upper right.
type Cell = i32;
const CELLS: Cell = 4096;
const START: Cell = 2080;
const STEPS: [Cell; 6] = [-64, -63, 1, 64, 63, -1];
const CONTACTS: [&str; 6] = ["/*", "*\\", "*|", "*/", "\\*", "|*"];
const BASE_SET: [(char, usize); 5] = [('Q', 1), ('S', 2), ('B', 2), ('G', 3), ('A', 3)];

/// A tile such as wG1, and the cell where it ends. A pass is `None`.
type Move = (String, Cell);

fn add(cell: Cell, step: Cell) -> Cell {
    (cell + step).rem_euclid(CELLS)
}

/// The neighbour number i, clockwise; the two cells beside the way to it are i+5 and i+1.
fn near(cell: Cell, i: usize) -> Cell {
    add(cell, STEPS[i % 6])
}

fn kind_of(tile: &str) -> char {
    char::from(tile.as_bytes()[1])
}

/// The board, and what the rules say about it.
struct Hive {
    tiles: Vec<(char, usize)>, // how many of each kind a side has
    queen_first: bool,
    stacks: BTreeMap<Cell, Vec<String>>, // the tiles on each occupied cell, bottom to top
    turn: usize,
    moved: String, // the tile that the last turn moved: no pillbug throws it now
}

impl Hive {
    /// A new match; options are the words of the arena's line, such as variant=Base+MLP.
    fn new(options: &[&str]) -> Hive {
        let mut tiles = BASE_SET.to_vec();
        for option in options {
            if let Some(expansions) = option.strip_prefix("variant=Base+") {
                tiles.extend(expansions.chars().map(|kind| (kind, 1)));
            }
        }
        let queen_first = options.contains(&"queen_first=on");
        Hive { tiles, queen_first, stacks: BTreeMap::new(), turn: 0, moved: String::new() }
    }

    // --- The board ---

    fn side(&self) -> char {
        ['w', 'b'][self.turn % 2]
    }

    fn is_own(&self, tile: &str) -> bool {
        tile.starts_with(self.side())
    }

    fn is_taken(&self, cell: Cell) -> bool {
        self.stacks.contains_key(&cell)
    }

    fn height(&self, cell: Cell) -> usize {
        self.stacks.get(&cell).map_or(0, Vec::len)
    }

    /// The visible tile of a cell, if there is one.
    fn top(&self, cell: Cell) -> Option<&String> {
        self.stacks.get(&cell).and_then(|stack| stack.last())
    }

    /// Where a tile lies; None: in the hand.
    fn find(&self, tile: &str) -> Option<Cell> {
        let mut stacks = self.stacks.iter();
        stacks.find(|(_, stack)| stack.iter().any(|other| other == tile)).map(|(cell, _)| *cell)
    }

    fn put(&mut self, tile: String, cell: Cell) {
        self.stacks.entry(cell).or_default().push(tile);
    }

    fn lift(&mut self, cell: Cell) -> String {
        let stack = self.stacks.get_mut(&cell).expect("a tile to lift");
        let tile = stack.pop().expect("a tile to lift");
        if stack.is_empty() {
            self.stacks.remove(&cell);
        }
        tile
    }

    /// How many tiles, such as wG, are on the board.
    fn count(&self, kind: &str) -> usize {
        self.stacks.values().flatten().filter(|tile| tile.starts_with(kind)).count()
    }

    /// The visible tiles around a cell.
    fn touching(&self, cell: Cell) -> Vec<&String> {
        (0..6).filter_map(|i| self.top(near(cell, i))).collect()
    }

    /// Whether all tiles hang together.
    fn is_one_hive(&self) -> bool {
        let mut waiting: Vec<Cell> = self.stacks.keys().take(1).copied().collect();
        let mut seen: BTreeSet<Cell> = waiting.iter().copied().collect();
        while let Some(cell) = waiting.pop() {
            for next in (0..6).map(|i| near(cell, i)) {
                if self.is_taken(next) && seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        seen.len() == self.stacks.len()
    }

    // --- Moves as text ---

    /// The move that a text of the arena stands for; None: a pass.
    fn read(&self, text: &str) -> Option<Move> {
        if text == "pass" {
            return None;
        }
        let mut target = START; // the first tile of the match stands alone
        if text.len() == 8 {
            target = self.find(&text[5..]).expect("a tile on the board"); // =* is on top
            if let Some(i) = CONTACTS.iter().position(|contact| *contact == &text[3..5]) {
                target = near(target, i);
            }
        }
        Some((text[..3].to_string(), target))
    }

    /// A move as text. Any tile beside the target will do, but not the one that moves.
    fn write(&self, played: &Option<Move>) -> String {
        let Some((tile, target)) = played else { return "pass".to_string() };
        if let Some(below) = self.top(*target) {
            return format!("{tile}=*{below}");
        }
        for (i, contact) in CONTACTS.iter().enumerate() {
            let cell = near(*target, i + 3); // the target is its neighbour number i
            let mut beside = self.stacks.get(&cell).into_iter().flatten().rev();
            if let Some(other) = beside.find(|other| *other != tile) {
                return format!("{tile}{contact}{other}");
            }
        }
        tile.clone()
    }

    /// Bring the board up to date after a turn of either side.
    fn play(&mut self, played: Option<Move>) {
        self.turn += 1;
        self.moved.clear();
        if let Some((tile, target)) = played {
            if let Some(origin) = self.find(&tile) {
                self.moved = self.lift(origin);
            }
            self.put(tile, target);
        }
    }

    // --- Which moves are legal ---

    /// All moves of the side whose turn it is; with none of them it has to pass.
    fn legal_moves(&mut self) -> Vec<Move> {
        let mut moves = BTreeSet::new(); // what can be done in two ways counts once
        self.add_placements(&mut moves);
        let queen = format!("{}Q1", self.side());
        if self.find(&queen).is_some() {
            self.add_tile_moves(&mut moves); // nothing moves before the own queen
        }
        moves.into_iter().collect()
    }

    /// New tiles touch own tiles only; the queen comes second to fourth.
    fn add_placements(&self, moves: &mut BTreeSet<Move>) {
        let own_turn = self.turn / 2 + 1;
        let queen_only = own_turn >= 4 && self.count(&format!("{}Q", self.side())) == 0;
        for (kind, count) in &self.tiles {
            let name = format!("{}{kind}", self.side());
            let number = self.count(&name) + 1;
            let too_early = own_turn == 1 && !self.queen_first;
            if number > *count || (if *kind == 'Q' { too_early } else { queen_only }) {
                continue;
            }
            for cell in self.placeable_cells() {
                moves.insert((format!("{name}{number}"), cell));
            }
        }
    }

    fn placeable_cells(&self) -> BTreeSet<Cell> {
        if self.turn == 0 {
            return BTreeSet::from([START]);
        }
        let around = self.stacks.keys().flat_map(|cell| (0..6).map(|i| near(*cell, i)));
        around
            .filter(|cell| !self.is_taken(*cell))
            .filter(|cell| self.turn == 1 || self.touching(*cell).iter().all(|t| self.is_own(t)))
            .collect()
    }

    /// What tiles on the board do: walk by themselves, or be thrown by an own pillbug.
    fn add_tile_moves(&mut self, moves: &mut BTreeSet<Move>) {
        let occupied: Vec<Cell> = self.stacks.keys().copied().collect();
        let can_throw = |cell: &Cell| self.can_throw(*cell);
        let throwers: Vec<Cell> = occupied.iter().copied().filter(can_throw).collect();
        for cell in occupied {
            let tile = self.lift(cell); // all rules look at the hive without the tile that moves
            let mut ends = BTreeSet::new();
            if tile != self.moved && self.is_one_hive() {
                if self.is_own(&tile) {
                    ends.extend(self.walks(kind_of(&tile), cell));
                }
                if !self.is_taken(cell) {
                    ends.extend(self.throws(cell, &throwers)); // no tile in a stack
                }
            }
            moves.extend(ends.into_iter().map(|end| (tile.clone(), end)));
            self.put(tile, cell);
        }
    }

    /// Where a tile of that kind gets from its cell, from which it is lifted.
    fn walks(&self, kind: char, start: Cell) -> Vec<Cell> {
        match kind {
            'S' => self.crawls(&[start]),
            'A' => self.marches(start),
            'G' => self.jumps(start),
            'L' => self.flights(start),
            'B' if self.is_taken(start) => self.climbs(start),
            'B' => {
                let up = self.climbs(start).into_iter().filter(|cell| self.is_taken(*cell));
                self.slides(start).into_iter().chain(up).collect()
            }
            'M' if self.is_taken(start) => self.climbs(start), // on top only a beetle
            'M' => {
                let touched = self.touching(start).into_iter().map(|tile| kind_of(tile));
                let kinds: BTreeSet<char> = touched.filter(|other| *other != 'M').collect();
                kinds.into_iter().flat_map(|other| self.walks(other, start)).collect()
            }
            _ => self.slides(start), // the queen and the pillbug
        }
    }

    /// One step on the ground: of the two cells beside the way just one is occupied.
    fn slides(&self, start: Cell) -> Vec<Cell> {
        let taken = |i: usize| self.is_taken(near(start, i));
        let free = (0..6).filter(|i| !taken(*i) && taken(i + 5) != taken(i + 1));
        free.map(|i| near(start, i)).collect()
    }

    /// One step up, along or down: not between two stacks that are higher than both ends.
    fn climbs(&self, start: Cell) -> Vec<Cell> {
        let high = |i: usize| self.height(near(start, i));
        let level = |i: usize| self.height(start).max(high(i));
        let free = (0..6).filter(|i| high(i + 5).min(high(i + 1)) <= level(*i));
        free.map(|i| near(start, i)).collect()
    }

    /// The spider: three slides, and no cell twice.
    fn crawls(&self, path: &[Cell]) -> Vec<Cell> {
        let last = path[path.len() - 1];
        if path.len() == 4 {
            return vec![last];
        }
        let steps = self.slides(last).into_iter().filter(|cell| !path.contains(cell));
        steps.flat_map(|step| self.crawls(&[path, &[step]].concat())).collect()
    }

    /// The ant: as many slides as it likes.
    fn marches(&self, start: Cell) -> Vec<Cell> {
        let mut seen = vec![start];
        let mut next = 0;
        while next < seen.len() {
            for cell in self.slides(seen[next]) {
                if !seen.contains(&cell) {
                    seen.push(cell);
                }
            }
            next += 1;
        }
        seen.split_off(1)
    }

    /// The grasshopper: straight over one or more tiles to the first empty cell.
    fn jumps(&self, start: Cell) -> Vec<Cell> {
        let mut ends = Vec::new();
        for step in STEPS {
            let mut cell = add(start, step);
            if self.is_taken(cell) {
                while self.is_taken(cell) {
                    cell = add(cell, step);
                }
                ends.push(cell);
            }
        }
        ends
    }

    /// The ladybug: up, along the top, down.
    fn flights(&self, start: Cell) -> Vec<Cell> {
        let onto = |cell: Cell| self.climbs(cell).into_iter().filter(|c| self.is_taken(*c));
        let off = |cell: Cell| self.climbs(cell).into_iter().filter(|c| !self.is_taken(*c));
        onto(start).flat_map(onto).flat_map(off).filter(|end| *end != start).collect()
    }

    /// Whether an own pillbug lies there, or a mosquito on the ground that touches one.
    fn can_throw(&self, cell: Cell) -> bool {
        let Some(tile) = self.top(cell) else { return false };
        if !self.is_own(tile) || *tile == self.moved || self.height(cell) > 1 {
            return false;
        }
        let touches_one = self.touching(cell).iter().any(|other| kind_of(other) == 'P');
        kind_of(tile) == 'P' || (kind_of(tile) == 'M' && touches_one)
    }

    /// Where the tile lifted from `start` can be thrown: onto a pillbug, and down again.
    fn throws(&self, start: Cell, throwers: &[Cell]) -> Vec<Cell> {
        let over = self.climbs(start).into_iter().filter(|cell| throwers.contains(cell));
        let ends = over.flat_map(|cell| self.climbs(cell));
        ends.filter(|cell| !self.is_taken(*cell) && *cell != start).collect()
    }
}

/// Chance, without a library: a linear congruential generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

/// Pick one of the legal moves. This is where your bot begins.
fn choose(_hive: &Hive, moves: &[Move], chance: &mut Chance) -> Move {
    moves[chance.below(moves.len())].clone()
}

/// Read a line, do what it says, answer if it is our turn; until there is no more input.
fn main() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos());
    let mut chance = Chance(now as u64);
    let mut hive = Hive::new(&[]);
    let mut colour = '?';
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line of text");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["options", ..] => hive = Hive::new(&words[1..]), // options variant=Base ...
            ["colour", name] => colour = name.chars().next().unwrap_or('?'), // colour white
            ["end", ..] => colour = '?',                      // end black white queen surrounded
            [text] => hive.play(hive.read(text)),             // a move of the other side
            _ => eprintln!("what does {line:?} mean?"),
        }
        if hive.side() == colour {
            let moves = hive.legal_moves();
            let played = (!moves.is_empty()).then(|| choose(&hive, &moves, &mut chance));
            println!("{}", hive.write(&played));
            io::stdout().flush().expect("an arena that listens");
            hive.play(played);
        }
    }
}
