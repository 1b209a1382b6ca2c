// A MebiPenny bot that asks the arena for the legal moves, and chooses one of them.
//
// Make it yours in choose. `agon bot check .` tries the bot out, `agon match mebipenny . greedy
// --watch` lets it play.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

type tile struct{ Row, Col int }

// What the arena writes: a list of moves, or a board, or its news.
type message struct {
	Legal  []json.RawMessage
	Rows   int
	Me     string `json:"player_id"`
	Claims []struct {
		Tile  tile
		Owner string // none: a wall
	}
}

// choose picks a move. This is where your bot begins. This likes tiles beside its own claims.
func choose(moves []json.RawMessage, ours map[tile]int) json.RawMessage {
	best, most := moves[len(moves)-1], -1 // the last one is to pass
	for _, move := range moves {
		var to struct{ Tile tile }
		if json.Unmarshal(move, &to) != nil {
			continue // "PASS" is no tile
		}
		row, col := to.Tile.Row, to.Tile.Col
		friends := ours[tile{row - 1, col}] + ours[tile{row + 1, col}] +
			ours[tile{row, col - 1}] + ours[tile{row, col + 1}]
		if friends > most || friends == most && rand.Intn(4) == 0 {
			best, most = move, friends
		}
	}
	return best
}

func main() {
	fmt.Println("legal") // our first line: we want the legal moves with every question
	ours, me := map[tile]int{}, ""
	input := json.NewDecoder(os.Stdin)
	for news := new(message); input.Decode(news) == nil; news = new(message) {
		if news.Rows > 0 { // a new match
			ours, me = map[tile]int{}, news.Me
		}
		for _, claim := range news.Claims { // they may change hands
			ours[claim.Tile] = map[bool]int{true: 1}[claim.Owner == me]
		}
		if news.Legal != nil {
			fmt.Println(string(choose(news.Legal, ours)))
		}
	}
}
