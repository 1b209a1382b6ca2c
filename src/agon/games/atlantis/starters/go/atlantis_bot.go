// An Atlantis bot that asks the arena for the legal moves, and chooses some of them.
//
// Make it yours in choose. `agon bot check .` tries the bot out, `agon match atlantis . greedy
// --watch` lets it play.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

// Move says from where to where: ["a1", "c3"] takes two stones two steps.
type Move [2]string

// choose picks one of the moves that start in a segment, or nil. This is where your bot begins.
func choose(moves []Move) *Move {
	if rand.Intn(2) == 0 {
		return nil
	}
	return &moves[rand.Intn(len(moves))]
}

func main() {
	fmt.Println("legal") // our first line: we want the legal moves with every question
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var message struct {
			Type  string
			Moves json.RawMessage
		}
		if json.Unmarshal(line, &message) != nil || message.Type != "legal" {
			continue // the board at the beginning of a match, all players' turns, the end
		}
		var segments [][]Move // a list of moves for each segment
		json.Unmarshal(message.Moves, &segments)
		chosen := []Move{}
		for _, moves := range segments {
			if move := choose(moves); move != nil {
				chosen = append(chosen, *move)
			}
		}
		answer, _ := json.Marshal(map[string][]Move{"moves": chosen})
		fmt.Println(string(answer))
	}
}
