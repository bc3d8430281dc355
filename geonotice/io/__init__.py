"""Files, tables and colors: reading and writing that knows nothing of towns, law or permits."""
