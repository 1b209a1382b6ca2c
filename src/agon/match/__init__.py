"""One match: its events, its clocks, its outcome and its transcript. No input and no output."""
