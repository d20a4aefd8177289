"""The arena: agents, matches, tournaments, ratings, grading and the store. It takes agents and knows no names."""
