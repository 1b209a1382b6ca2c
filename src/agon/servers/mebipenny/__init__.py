"""MebiPenny over HTTP, as the first server spoke it: held requests, turn tokens, observers."""
