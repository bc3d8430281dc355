"""Which column of a layer is what: aliases, and the recognizer that works by them."""
