"""Benchmarks: each names its peer and its command, and prints ratios measured in one run."""
