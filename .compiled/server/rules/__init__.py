"""Cards, games, scores and deal codes. Pure: no clock, no randomness, no I/O, no logging, no await."""
