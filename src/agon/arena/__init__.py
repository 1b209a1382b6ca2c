"""The headless arena: jobs, tournaments, ladders, contests and matches of people."""
