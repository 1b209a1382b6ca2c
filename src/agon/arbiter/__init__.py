"""The arbiter: seats that are programs or built-in bots, and the loop that plays a match."""
