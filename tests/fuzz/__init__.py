"""Readers of what strangers write: of any bytes comes a value, or an AgonError."""
