"""The laboratory of the page: runs with their curves, ratings, matches, studies, and jobs that compute for hours."""
