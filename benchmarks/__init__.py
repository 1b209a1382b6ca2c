"""How fast Agon is, against other programs in the same minute: `make bench`, `agon bench`."""
