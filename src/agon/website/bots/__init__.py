"""The workshop: authors bring their bots, which are built and checked, and look after them."""
