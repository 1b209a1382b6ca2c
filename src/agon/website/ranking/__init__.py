"""Tables, ratings and records."""
