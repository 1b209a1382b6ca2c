"""The ladder: for every game, matches on and on between all bots that may play."""
