"""Games as text that more than one test reads."""

# Forfeited in the middle of a turn, between the roll and the move.
OPENING = """[Game "backgammon"]
[Agents "X" "O"]
[Result "-1 +1"]
[Fault "X" "fell asleep"]

  1. X 3-1: 8/5 6/5
  2. O 46: 24/14
  3. X 2-1:
"""
