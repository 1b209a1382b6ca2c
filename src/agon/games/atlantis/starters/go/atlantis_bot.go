// A whole Atlantis bot: it reads what the arena says, keeps the board, and answers with moves.
//
// Make it yours in choose, near the end: for now it moves at random. `agon bot check .` tries the
// bot out, `agon match atlantis . greedy --watch` lets it play.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"time"
)

// Message is any line of the arena: what it does not have stays empty.
type Message struct {
	Format   string     `json:"format"`
	Segments [][]string `json:"segments"`
	Players  []struct {
		Stacks map[string]int `json:"stacks"`
	} `json:"players"`
	You   int         `json:"you"`
	Type  string      `json:"type"`
	Moves [][2]string `json:"moves"`
}

const (
	open = iota
	growing
	dead
)

const nobody = -1

// Place is a field by its coordinates: b3 is {2, 3}.
type Place struct{ x, y int }

var steps = [6]Place{{1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}, {0, 1}}

// Field is a field; near has its neighbours clockwise from the one above, nil where there is none.
type Field struct {
	name                         string
	place                        Place
	near                         [6]*Field
	segment, kind, owner, stones int
}

// Move goes so many steps from its source, with as many stones.
type Move struct {
	source           *Field
	direction, count int
}

// Island is the board.
type Island struct {
	players, turn int
	fields        []*Field
	byName        map[string]*Field
}

func parsePlace(name string) Place {
	x, i := 0, 0
	for ; name[i] >= 'a'; i++ {
		x = 26*x + int(name[i]-'a') + 1
	}
	y, _ := strconv.Atoi(name[i:])
	return Place{x, y}
}

// newIsland begins a match.
func newIsland(message *Message) *Island {
	island := &Island{players: len(message.Players), byName: map[string]*Field{}}
	byPlace := map[Place]*Field{}
	for segment, names := range message.Segments {
		for _, name := range names {
			field := &Field{name: name, place: parsePlace(name), segment: segment, owner: nobody}
			island.fields = append(island.fields, field)
			island.byName[name] = field
			byPlace[field.place] = field
		}
	}
	for _, field := range island.fields {
		for i, step := range steps {
			field.near[i] = byPlace[Place{field.place.x + step.x, field.place.y + step.y}]
		}
	}
	for seat, player := range message.Players {
		for name, stones := range player.Stacks {
			field := island.byName[name]
			field.owner, field.stones = seat, stones
			if stones == 0 {
				field.kind = dead
			} else if stones < 0 {
				field.kind, field.stones = growing, -stones
			}
		}
	}
	return island
}

func (island *Island) seat() int {
	return island.turn % island.players
}

func (field *Field) isOpen() bool {
	return field != nil && field.kind == open
}

func (field *Field) openAround() int {
	count := 0
	for _, near := range field.near {
		if near.isOpen() {
			count++
		}
	}
	return count
}

// legalMoves lists the moves of the seat by segment: a turn has at most one of each.
func (island *Island) legalMoves() map[int][]Move {
	moves := map[int][]Move{}
	for _, source := range island.fields {
		if !source.isOpen() || source.owner != island.seat() {
			continue
		}
		for direction := range steps {
			ahead := source.near[direction]
			for count := 1; count <= source.stones && ahead.isOpen(); count++ {
				moves[source.segment] = append(moves[source.segment], Move{source, direction, count})
				ahead = ahead.near[direction]
			}
		}
	}
	return moves
}

// --- Moves as text ---

func (island *Island) read(names [2]string) Move {
	source, target := island.byName[names[0]], island.byName[names[1]]
	for direction := range steps {
		count := 0
		for ahead := source; ahead.isOpen(); ahead = ahead.near[direction] {
			if ahead == target {
				return Move{source, direction, count}
			}
			count++
		}
	}
	panic("a move that is not straight")
}

func (move Move) write() [2]string {
	target := move.source
	for i := 0; i < move.count; i++ {
		target = target.near[move.direction]
	}
	return [2]string{move.source.name, target.name}
}

// --- What a turn does ---

// play brings the board up to date after a turn: moves, explosions, growth.
func (island *Island) play(moves []Move) {
	for _, move := range moves {
		island.carryOut(move)
	}
	exploding := append([]*Field{}, island.fields...)
	for len(exploding) > 0 {
		field := exploding[len(exploding)-1]
		exploding = exploding[:len(exploding)-1]
		if field != nil && island.isVolatile(field) {
			island.explode(field)
			exploding = append(append(exploding, field.near[:]...), field)
		}
	}
	for _, field := range island.fields {
		if field.kind == growing && field.owner == island.seat() {
			field.stones++
		}
	}
	island.turn++
}

// carryOut: stones go field by field, and fall with the stones of others that they meet.
func (island *Island) carryOut(move Move) {
	field, moving := move.source, move.count
	take(field, moving)
	for i := 0; i < move.count; i++ {
		field = field.near[move.direction]
		if island.isOthers(field) {
			fallen := field.stones
			if moving < fallen {
				fallen = moving
			}
			take(field, fallen)
			moving -= fallen
			if moving == 0 {
				return
			}
		}
	}
	island.add(field, moving)
}

func (island *Island) isOthers(field *Field) bool {
	return field.owner != nobody && field.owner != island.seat()
}

// isVolatile: a field of the seat with at least as many stones as open neighbours.
func (island *Island) isVolatile(field *Field) bool {
	return field.kind != dead && field.owner == island.seat() && field.stones >= field.openAround()
}

// explode puts a stone on each open neighbour.
func (island *Island) explode(field *Field) {
	field.kind++ // open, growing, dead
	field.stones = 0
	for _, near := range field.near {
		if !near.isOpen() {
			continue
		}
		if island.isOthers(near) {
			take(near, 1)
		} else {
			island.add(near, 1)
		}
	}
}

func (island *Island) add(field *Field, stones int) {
	field.owner = island.seat()
	field.stones += stones
}

// take: a field is nobody's when no stone is left.
func take(field *Field, stones int) {
	field.stones -= stones
	if field.stones == 0 {
		field.owner = nobody
	}
}

// --- Playing ---

// choose picks a move from some of the segments, or none at all. This is where your bot begins.
func (island *Island) choose(segments map[int][]Move, chance *rand.Rand) []Move {
	chosen := []Move{}
	for _, moves := range segments {
		if chance.Intn(2) == 0 {
			chosen = append(chosen, moves[chance.Intn(len(moves))])
		}
	}
	return chosen
}

// main reads a line and does what it says; until there is no more input.
func main() {
	chance := rand.New(rand.NewSource(time.Now().UnixNano()))
	var island *Island
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<24) // the first line tells the whole board
	for input.Scan() {
		message := &Message{}
		if err := json.Unmarshal(input.Bytes(), message); err != nil {
			panic(err)
		}
		switch {
		case message.Format != "": // a new match; message.You is our seat
			island = newIsland(message)
		case message.Type == "turn": // of anybody, our own among them
			moves := []Move{}
			for _, names := range message.Moves {
				moves = append(moves, island.read(names))
			}
			island.play(moves)
		case message.Type == "your-turn":
			answer := struct {
				Moves [][2]string `json:"moves"`
			}{[][2]string{}}
			for _, move := range island.choose(island.legalMoves(), chance) {
				answer.Moves = append(answer.Moves, move.write())
			}
			text, _ := json.Marshal(answer)
			fmt.Println(string(text))
		}
	}
}
