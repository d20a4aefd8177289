"""Exams: fitness by games between genomes, and by the truth."""
