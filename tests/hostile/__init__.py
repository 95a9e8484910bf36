"""Tests that do damage: cut lines, killed workers, stalled and full engines, hostile clients; all of it for real."""
