"""Skyport over TCP, as in the competition: clients connect, seats fill, matches are played.

`playing.py` and `room.py` are the state machines without I/O, `connection.py` and `server.py` the
event loop around them. What clients are told and when is in `playing.py`.
"""
