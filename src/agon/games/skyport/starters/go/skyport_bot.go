// A Skyport bot that asks the arena what it may do, and chooses: ./skyport_bot NAME HOST PORT
//
// Make it yours in choose. `agon bot check .` tries the bot out, `agon match skyport . random
// --watch` lets it play.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"net"
	"os"
)

// choose picks one of the messages that we may send now. This is where your bot begins. At first
// they are loadouts. This mines and upgrades where it can, else it moves; it does not shoot.
func choose(legal []map[string]any) map[string]any {
	for _, liked := range []string{"mine", "upgrade", "move"} {
		var found []map[string]any
		for _, action := range legal {
			if action["type"] == liked {
				found = append(found, action)
			}
		}
		if len(found) > 0 {
			return found[rand.Intn(len(found))]
		}
	}
	return legal[rand.Intn(len(legal))]
}

func main() {
	name, host, port := os.Args[1], os.Args[2], os.Args[3]
	arena, err := net.Dial("tcp", net.JoinHostPort(host, port))
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(arena, "legal") // we want the legal messages with every question
	write := json.NewEncoder(arena)
	write.Encode(map[string]any{"message": "connect", "revision": 1, "name": name})
	for input := json.NewDecoder(arena); ; {
		var news struct {
			Message string
			Legal   []map[string]any
		}
		if input.Decode(&news) != nil {
			return // the arena closed the connection
		}
		if news.Message == "legal" {
			write.Encode(choose(news.Legal))
		} // other messages: gamestates with the map and all robots, actions of all, errors
	}
}
