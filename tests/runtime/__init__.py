"""Tests of the running server: real sockets, the real engine, bots that speak only the wire."""
