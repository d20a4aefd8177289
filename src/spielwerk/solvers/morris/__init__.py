"""Morris, solved: a byte for every position up to symmetry, sector by sector, on the CPU and on a GPU."""
