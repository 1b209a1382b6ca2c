"""A fleet of many machines, by Ray."""
