"""The benchmark: what judging a hand costs, as ratios to what else a machine might do with the same bytes."""
