"""The network of Hive's `search`: self-play, what is learnt from it, and the file of weights."""
