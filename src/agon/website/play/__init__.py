"""People at the board: against bots, or against each other by a link."""
