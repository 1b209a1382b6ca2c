"""Connect Four, as a package of its own."""
