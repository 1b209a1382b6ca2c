// A Battlebots bot that asks the arena for the orders that it may give, and chooses some of them.
//
// Make it yours in choose. `agon bot check .` tries the bot out, `agon match battlebots . greedy
// --watch` lets it play.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

// Order sends soldiers from one fort to another.
type Order struct {
	origin, target string
	soldiers       int
}

// choose picks an order for one of our forts. This is where your bot begins. roads are all ways out,
// with all soldiers that we have there. This sends half of them along one of the roads.
func choose(roads []Order) Order {
	order := roads[rand.Intn(len(roads))]
	order.soldiers = (order.soldiers + 1) / 2
	return order
}

var input = bufio.NewReader(os.Stdin)

func readWords() []string {
	line, err := input.ReadString('\n')
	if err != nil {
		os.Exit(0) // the match is over
	}
	return strings.Fields(line)
}

func main() {
	fmt.Println("legal") // our first line: we want the legal orders with every question
	for {
		for section := 0; section < 3; section++ { // what we see: forts, roads, marches
			for lines, _ := strconv.Atoi(readWords()[0]); lines > 0; lines-- {
				readWords() // such as: boyard 0 0 mine 12
			}
		}
		words := readWords()         // legal, and three words for each order
		ways := map[string][]Order{} // by the fort where they begin
		for i := 1; i < len(words); i += 3 {
			soldiers, _ := strconv.Atoi(words[i+2])
			ways[words[i]] = append(ways[words[i]], Order{words[i], words[i+1], soldiers})
		}
		fmt.Printf("%d marches:\n", len(ways))
		for _, roads := range ways {
			order := choose(roads)
			fmt.Println(order.origin, order.target, order.soldiers)
		}
	}
}
