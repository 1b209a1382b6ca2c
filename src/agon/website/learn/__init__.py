"""Rules, protocols, starter bots and the API reference."""
