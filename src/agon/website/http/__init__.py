"""What every request and every response goes through."""
