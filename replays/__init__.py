"""Replays: the canonical form of a question, and the store of its answers. They arrive with the next release."""
