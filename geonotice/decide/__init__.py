"""Law on facts, by pure functions; no geometry library, no clock."""
