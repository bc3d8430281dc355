"""One module per version of the register."""
