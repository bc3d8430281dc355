"""Facts from geometry, by pure functions; no law, no I/O."""
