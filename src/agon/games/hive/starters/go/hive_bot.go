// A Hive bot that asks the arena for the legal moves, and chooses one of them.
//
// Make it yours in choose. `agon bot check .` tries the bot out, `agon match hive . greedy --watch`
// lets it play.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strings"
)

// choose picks a move. This is where your bot begins. wG2/*bA1 puts wG2 beside bA1, wB1=*bQ1 on top
// of bQ1, wS1 begins a match: a move ends with the tile that it is described by. So this prefers
// moves that are said to end at the enemy queen.
func choose(moves []string, enemyQueen string) string {
	var near []string
	for _, move := range moves {
		if len(move) > 3 && strings.HasSuffix(move, enemyQueen) {
			near = append(near, move)
		}
	}
	if len(near) > 0 {
		moves = near
	}
	return moves[rand.Intn(len(moves))]
}

func main() {
	enemyQueen := ""
	fmt.Println("legal") // our first line: we want the legal moves with every question
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		switch words[0] {
		case "colour":
			enemyQueen = map[string]string{"white": "bQ1", "black": "wQ1"}[words[1]]
		case "legal":
			fmt.Println(choose(words[1:], enemyQueen))
		} // other lines: the options of the match, the moves of the other side, the end
	}
}
