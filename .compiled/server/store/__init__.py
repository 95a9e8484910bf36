"""The laws of the stream, kept: create, append, read, subscribe, presence, lobby. Knows no wire."""
