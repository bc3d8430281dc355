"""Sets of rules that bear on events in many towns: a profile refers to them by name (``also``)."""
