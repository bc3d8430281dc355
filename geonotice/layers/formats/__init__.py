"""One module for each file format: look at it before it is read, and read it."""
