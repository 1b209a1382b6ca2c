"""What goes on behind the pages: bots are checked, matches are played, all of it in threads."""
