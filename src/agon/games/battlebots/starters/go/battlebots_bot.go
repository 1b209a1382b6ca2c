// A whole Battlebots bot: every turn it reads what it sees, and answers with orders.
//
// Make it yours in choose, near the end: for now it marches at random. `agon bot check .` tries the
// bot out, `agon match battlebots . greedy --watch` lets it play.
package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"time"
)

// Fort is one that we see; its owner is "neutral" if it is nobody's.
type Fort struct {
	name     string
	x, y     int
	owner    string
	soldiers int
	near     []string
}

// March is an army on a road that we see.
type March struct {
	origin, target, owner string
	soldiers, steps       int // to go
}

// Order sends soldiers from one of our forts to a neighbour.
type Order struct {
	origin, target string
	soldiers       int
}

// View is what we see in a turn: our forts, their neighbours, and what is between them.
type View struct {
	me      string
	names   []string // of the forts, in the order of the message
	forts   map[string]*Fort
	marches []March
}

// steps is how many turns the march between two forts takes.
func (view *View) steps(one, other string) int {
	a, b := view.forts[one], view.forts[other]
	return int(math.Ceil(math.Hypot(float64(a.x-b.x), float64(a.y-b.y))))
}

// choose sends some soldiers from some forts. This is where your bot begins.
func choose(view *View, chance *rand.Rand) []Order {
	orders := []Order{}
	for _, name := range view.names {
		fort := view.forts[name]
		if fort.owner != view.me || len(fort.near) == 0 || fort.soldiers == 0 {
			continue
		}
		if chance.Intn(2) == 0 {
			target := fort.near[chance.Intn(len(fort.near))]
			orders = append(orders, Order{name, target, 1 + chance.Intn(fort.soldiers)})
		}
	}
	return orders
}

// Arena is where messages come from; our home, where we began, is at 0 0.
type Arena struct {
	input    *bufio.Scanner
	home, me string
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return value
}

// readSection gives the words of each line after a header that says how many lines there are.
func (arena *Arena) readSection() ([][]string, bool) {
	if !arena.input.Scan() {
		return nil, false
	}
	lines := make([][]string, number(strings.Fields(arena.input.Text())[0]))
	for i := range lines {
		arena.input.Scan()
		lines[i] = strings.Fields(arena.input.Text())
	}
	return lines, true
}

// readView gives what we see now, or nil at the end of the match.
func (arena *Arena) readView() *View {
	view := &View{forts: map[string]*Fort{}}
	forts, isThere := arena.readSection()
	if !isThere {
		return nil
	}
	for _, w := range forts {
		fort := &Fort{w[0], number(w[1]), number(w[2]), w[3], number(w[4]), nil}
		view.names = append(view.names, fort.name)
		view.forts[fort.name] = fort
		if fort.x == 0 && fort.y == 0 && fort.name != arena.home {
			arena.home, arena.me = fort.name, fort.owner // the first turn of a match: this is us
		}
	}
	roads, _ := arena.readSection()
	for _, w := range roads {
		one, other := view.forts[w[0]], view.forts[w[1]]
		one.near = append(one.near, other.name)
		other.near = append(other.near, one.name)
	}
	marches, _ := arena.readSection()
	for _, w := range marches {
		view.marches = append(view.marches, March{w[0], w[1], w[2], number(w[3]), number(w[4])})
	}
	view.me = arena.me
	return view
}

// main reads what we see, and answers; until there is no more input.
func main() {
	chance := rand.New(rand.NewSource(time.Now().UnixNano()))
	arena := &Arena{input: bufio.NewScanner(os.Stdin)}
	for view := arena.readView(); view != nil; view = arena.readView() {
		orders := choose(view, chance)
		answer := fmt.Sprintf("%d marches:\n", len(orders))
		for _, order := range orders {
			answer += fmt.Sprintf("%s %s %d\n", order.origin, order.target, order.soldiers)
		}
		fmt.Print(answer)
	}
}
