"""Pages for authors: upload bots, follow their builds and checks, manage and challenge them."""
