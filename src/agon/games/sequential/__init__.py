"""A base for small games: sequential, open, one move a turn, on a board of rows and columns.

A game brings a module `rules` of kernels and a subclass of `SequentialGame`; positions, pictures,
clicks, the terminal, the protocol, transcripts, bots and simulation follow from these.
"""
