"""Replays: the canonical form of a question, the store of its answers, and judging it once more."""
