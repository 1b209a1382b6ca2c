"""How what is learnt in Agon was learnt; not part of the package."""
