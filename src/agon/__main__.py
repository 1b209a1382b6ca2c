"""`python -m agon`: the same as the command `agon`."""

from __future__ import annotations

from agon.cli import main

if __name__ == "__main__":
    main()
