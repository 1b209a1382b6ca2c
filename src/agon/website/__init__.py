"""What people and programs reach over a network: pages, API, live matches, the games' servers."""
