"""Jobs as plain values, and the fleet of this machine that carries them out."""
