"""What the source did, in both readings where it leaves two."""
