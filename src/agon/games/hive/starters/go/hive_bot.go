// A whole Hive bot: it reads what the arena says, keeps the board, and answers with legal moves.
//
// Make it yours in choose, near the end: for now it takes any legal move. `agon bot check .`
// tries the bot out, `agon match hive . greedy --watch` lets it play.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"time"
)

// A cell is a number: +1 is one to the right, +64 one to the lower right. Numbers wrap around at
// 4096, which no hive is long enough to notice. These are the steps to the six neighbours,
// clockwise, and the points of contact that name them: the first one puts a tile at another's
// upper left, the next at its upper right.
const (
	cells = 4096
	start = 2080
)

var steps = [6]int{-64, -63, 1, 64, 63, -1}
var contacts = [6]string{"/*", "*\\", "*|", "*/", "\\*", "|*"}

// Move is a tile such as wG1, and the cell where it ends.
type Move struct {
	tile   string
	target int
}

var pass = Move{"pass", 0}

// Hive is the board.
type Hive struct {
	kinds      string       // the kinds of tiles, in the order in which they are looked at
	tiles      map[byte]int // how many of each kind a side has
	queenFirst bool
	stacks     map[int][]string // the tiles on each occupied cell, bottom to top
	turn       int
	moved      string // the tile that the last turn moved: no pillbug throws it now
}

// newHive begins a match; options are the words of the arena's line, such as variant=Base+MLP.
func newHive(options []string) *Hive {
	hive := &Hive{kinds: "QSBGA", stacks: map[int][]string{}}
	hive.tiles = map[byte]int{'Q': 1, 'S': 2, 'B': 2, 'G': 3, 'A': 3}
	for _, option := range options {
		if strings.HasPrefix(option, "variant=Base+") {
			expansions := strings.TrimPrefix(option, "variant=Base+")
			hive.kinds += expansions
			for i := range expansions {
				hive.tiles[expansions[i]] = 1
			}
		}
		if option == "queen_first=on" {
			hive.queenFirst = true
		}
	}
	return hive
}

func add(cell, step int) int {
	return (cell + step + cells) % cells
}

// near is the neighbour number i, clockwise; the two cells beside the way to it are i-1 and i+1.
func near(cell, i int) int {
	return add(cell, steps[(i+6)%6])
}

func contains(list []int, wanted int) bool {
	for _, cell := range list {
		if cell == wanted {
			return true
		}
	}
	return false
}

// --- The board ---

func (hive *Hive) side() byte {
	return "wb"[hive.turn%2]
}

func (hive *Hive) height(cell int) int {
	return len(hive.stacks[cell])
}

func (hive *Hive) isTaken(cell int) bool {
	return hive.height(cell) > 0
}

// top is the visible tile of an occupied cell.
func (hive *Hive) top(cell int) string {
	return hive.stacks[cell][hive.height(cell)-1]
}

// find says where a tile lies; false: in the hand.
func (hive *Hive) find(tile string) (int, bool) {
	for cell, stack := range hive.stacks {
		for _, other := range stack {
			if other == tile {
				return cell, true
			}
		}
	}
	return 0, false
}

func (hive *Hive) put(tile string, cell int) {
	hive.stacks[cell] = append(hive.stacks[cell], tile)
}

func (hive *Hive) lift(cell int) string {
	tile := hive.top(cell)
	hive.stacks[cell] = hive.stacks[cell][:hive.height(cell)-1]
	if hive.height(cell) == 0 {
		delete(hive.stacks, cell)
	}
	return tile
}

// count says how many tiles, such as wG, are on the board.
func (hive *Hive) count(kind string) int {
	found := 0
	for _, stack := range hive.stacks {
		for _, tile := range stack {
			if strings.HasPrefix(tile, kind) {
				found++
			}
		}
	}
	return found
}

// occupied lists the cells with tiles.
func (hive *Hive) occupied() []int {
	found := []int{}
	for cell := range hive.stacks {
		found = append(found, cell)
	}
	return found
}

// touching lists the visible tiles around a cell.
func (hive *Hive) touching(cell int) []string {
	found := []string{}
	for i := 0; i < 6; i++ {
		if hive.isTaken(near(cell, i)) {
			found = append(found, hive.top(near(cell, i)))
		}
	}
	return found
}

// isOneHive says whether all tiles hang together.
func (hive *Hive) isOneHive() bool {
	seen := []int{}
	for cell := range hive.stacks {
		seen = append(seen, cell)
		break
	}
	for k := 0; k < len(seen); k++ {
		for i := 0; i < 6; i++ {
			cell := near(seen[k], i)
			if hive.isTaken(cell) && !contains(seen, cell) {
				seen = append(seen, cell)
			}
		}
	}
	return len(seen) == len(hive.stacks)
}

// --- Moves as text ---

// read gives the move that a text of the arena stands for.
func (hive *Hive) read(text string) Move {
	if text == "pass" {
		return pass
	}
	target := start // the first tile of the match stands alone
	if len(text) == 8 {
		target, _ = hive.find(text[5:]) // =* is on top
		for i, contact := range contacts {
			if text[3:5] == contact {
				target = near(target, i)
				break
			}
		}
	}
	return Move{text[:3], target}
}

// write gives a move as text. Any tile beside the target will do, but not the one that moves.
func (hive *Hive) write(move Move) string {
	if move == pass {
		return "pass"
	}
	if hive.isTaken(move.target) {
		return move.tile + "=*" + hive.top(move.target)
	}
	for i, contact := range contacts {
		beside := hive.stacks[near(move.target, i+3)] // the target is its neighbour number i
		for level := len(beside) - 1; level >= 0; level-- {
			if beside[level] != move.tile {
				return move.tile + contact + beside[level]
			}
		}
	}
	return move.tile
}

// play brings the board up to date after a turn of either side.
func (hive *Hive) play(move Move) {
	hive.turn++
	hive.moved = ""
	if move == pass {
		return
	}
	if origin, isPlaced := hive.find(move.tile); isPlaced {
		hive.moved = hive.lift(origin)
	}
	hive.put(move.tile, move.target)
}

// --- Which moves are legal ---

// legalMoves lists all moves of the side whose turn it is; with none of them it has to pass.
func (hive *Hive) legalMoves() []Move {
	moves := hive.placements()
	if _, isPlaced := hive.find(string(hive.side()) + "Q1"); isPlaced {
		moves = append(moves, hive.tileMoves()...) // nothing moves before the own queen
	}
	return moves
}

// placements: new tiles touch own tiles only; the queen comes second to fourth.
func (hive *Hive) placements() []Move {
	moves := []Move{}
	side := string(hive.side())
	ownTurn := hive.turn/2 + 1
	queenOnly := ownTurn >= 4 && hive.count(side+"Q") == 0
	targets := hive.placeableCells()
	for i := range hive.kinds {
		kind := hive.kinds[i]
		number := hive.count(side+string(kind)) + 1
		if number > hive.tiles[kind] {
			continue
		}
		if kind == 'Q' && ownTurn == 1 && !hive.queenFirst || kind != 'Q' && queenOnly {
			continue
		}
		for _, cell := range targets {
			moves = append(moves, Move{fmt.Sprintf("%s%c%d", side, kind, number), cell})
		}
	}
	return moves
}

func (hive *Hive) placeableCells() []int {
	if hive.turn == 0 {
		return []int{start}
	}
	found := []int{}
	for taken := range hive.stacks {
		for i := 0; i < 6; i++ {
			cell := near(taken, i)
			if !hive.isTaken(cell) && !contains(found, cell) && hive.canPlace(cell) {
				found = append(found, cell)
			}
		}
	}
	return found
}

func (hive *Hive) canPlace(cell int) bool {
	for _, tile := range hive.touching(cell) {
		if hive.turn > 1 && tile[0] != hive.side() {
			return false
		}
	}
	return true
}

// tileMoves: what tiles on the board do: walk by themselves, or be thrown by an own pillbug.
func (hive *Hive) tileMoves() []Move {
	moves := []Move{}
	throwers := []int{}
	for cell := range hive.stacks {
		if hive.canThrow(cell) {
			throwers = append(throwers, cell)
		}
	}
	for _, cell := range hive.occupied() {
		tile := hive.lift(cell) // all rules look at the hive without the tile that moves
		ends := map[int]bool{}  // what can be done in two ways counts once
		if tile != hive.moved && hive.isOneHive() {
			if tile[0] == hive.side() {
				hive.walk(tile[1], cell, ends)
			}
			if !hive.isTaken(cell) {
				hive.throw(cell, throwers, ends) // no tile in a stack
			}
		}
		hive.put(tile, cell)
		for end := range ends {
			moves = append(moves, Move{tile, end})
		}
	}
	return moves
}

// walk adds where a tile of that kind gets from its cell, from which it is lifted.
func (hive *Hive) walk(kind byte, from int, ends map[int]bool) {
	switch kind {
	case 'S':
		hive.crawl([]int{from}, ends)
	case 'A':
		hive.march(from, ends)
	case 'G':
		hive.jump(from, ends)
	case 'L':
		hive.fly(from, ends)
	case 'B':
		for _, cell := range hive.climbs(from) {
			if hive.isTaken(from) || hive.isTaken(cell) {
				ends[cell] = true
			}
		}
		if !hive.isTaken(from) {
			hive.walk('Q', from, ends)
		}
	case 'M': // a beetle on top, else whatever it touches
		if hive.isTaken(from) {
			hive.walk('B', from, ends)
			return
		}
		for _, tile := range hive.touching(from) {
			if tile[1] != 'M' {
				hive.walk(tile[1], from, ends)
			}
		}
	default: // the queen and the pillbug
		for _, cell := range hive.slides(from) {
			ends[cell] = true
		}
	}
}

// slides: one step on the ground: of the two cells beside the way just one is occupied.
func (hive *Hive) slides(from int) []int {
	found := []int{}
	for i := 0; i < 6; i++ {
		isOneSide := hive.isTaken(near(from, i-1)) != hive.isTaken(near(from, i+1))
		if !hive.isTaken(near(from, i)) && isOneSide {
			found = append(found, near(from, i))
		}
	}
	return found
}

// climbs: one step up, along or down: not between two stacks that are higher than both ends.
func (hive *Hive) climbs(from int) []int {
	found := []int{}
	for i := 0; i < 6; i++ {
		level := hive.height(from)
		if hive.height(near(from, i)) > level {
			level = hive.height(near(from, i))
		}
		if hive.height(near(from, i-1)) <= level || hive.height(near(from, i+1)) <= level {
			found = append(found, near(from, i))
		}
	}
	return found
}

// crawl: the spider: three slides, and no cell twice.
func (hive *Hive) crawl(path []int, ends map[int]bool) {
	last := path[len(path)-1]
	if len(path) == 4 {
		ends[last] = true
		return
	}
	for _, cell := range hive.slides(last) {
		if !contains(path, cell) {
			longer := append(append([]int{}, path...), cell)
			hive.crawl(longer, ends)
		}
	}
}

// march: the ant: as many slides as it likes.
func (hive *Hive) march(from int, ends map[int]bool) {
	seen := []int{from}
	for k := 0; k < len(seen); k++ {
		for _, cell := range hive.slides(seen[k]) {
			if !contains(seen, cell) {
				seen = append(seen, cell)
				ends[cell] = true
			}
		}
	}
}

// jump: the grasshopper: straight over one or more tiles to the first empty cell.
func (hive *Hive) jump(from int, ends map[int]bool) {
	for _, step := range steps {
		cell := add(from, step)
		if !hive.isTaken(cell) {
			continue
		}
		for hive.isTaken(cell) {
			cell = add(cell, step)
		}
		ends[cell] = true
	}
}

// fly: the ladybug: up, along the top, down.
func (hive *Hive) fly(from int, ends map[int]bool) {
	for _, first := range hive.climbs(from) {
		if !hive.isTaken(first) {
			continue
		}
		for _, second := range hive.climbs(first) {
			if !hive.isTaken(second) {
				continue
			}
			for _, third := range hive.climbs(second) {
				if !hive.isTaken(third) && third != from {
					ends[third] = true
				}
			}
		}
	}
}

// canThrow: whether an own pillbug lies there, or a mosquito on the ground that touches one.
func (hive *Hive) canThrow(cell int) bool {
	tile := hive.top(cell)
	if tile[0] != hive.side() || tile == hive.moved || hive.height(cell) > 1 {
		return false
	}
	for _, other := range hive.touching(cell) {
		if tile[1] == 'M' && other[1] == 'P' {
			return true
		}
	}
	return tile[1] == 'P'
}

// throw adds where the lifted tile can be thrown: onto a pillbug, and down again.
func (hive *Hive) throw(from int, throwers []int, ends map[int]bool) {
	for _, over := range hive.climbs(from) {
		if !contains(throwers, over) {
			continue
		}
		for _, cell := range hive.climbs(over) {
			if !hive.isTaken(cell) && cell != from {
				ends[cell] = true
			}
		}
	}
}

// --- Playing ---

// choose picks one of the legal moves. This is where your bot begins.
func (hive *Hive) choose(moves []Move, chance *rand.Rand) Move {
	return moves[chance.Intn(len(moves))]
}

// main reads a line, does what it says, answers if it is our turn; until there is no more input.
func main() {
	chance := rand.New(rand.NewSource(time.Now().UnixNano()))
	hive := newHive(nil)
	colour := byte('?')
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		words := strings.Fields(input.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "options": // a new match: options variant=Base queen_first=off turn_ms=1000 ...
			hive = newHive(words[1:])
		case "colour": // colour white
			colour = words[1][0]
		case "end": // end black white queen surrounded
			colour = '?'
		default: // a move of the other side
			hive.play(hive.read(words[0]))
		}
		if hive.side() == colour {
			move := pass
			if moves := hive.legalMoves(); len(moves) > 0 {
				move = hive.choose(moves, chance)
			}
			fmt.Println(hive.write(move))
			hive.play(move)
		}
	}
}
