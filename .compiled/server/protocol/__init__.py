"""The wire: messages in both directions, parsed once at the edge. Knows no sockets and no engine."""
