"""How the network of MebiPenny's `search` was learnt: docs/strength.md."""
