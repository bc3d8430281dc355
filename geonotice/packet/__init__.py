"""The papers of one occasion, as bytes or text; nothing here writes to disk."""
