"""What is known of some premises, gathered once: the land around them, zoning, municipalities, drawings, and the register."""
