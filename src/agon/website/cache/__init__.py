"""Pages that are kept for a moment."""
