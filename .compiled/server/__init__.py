"""Fairway: real-time matches of Golf, the solitaire card game."""
