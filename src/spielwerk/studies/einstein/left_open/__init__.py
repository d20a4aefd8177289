"""What the source leaves open."""
