"""From any source to the store: read, map fields, repair, report."""
