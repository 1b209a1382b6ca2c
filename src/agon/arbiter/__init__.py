"""The arbiter: plays matches between seats. For now all seats are built-in bots, in process."""
