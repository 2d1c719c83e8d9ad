"""The referee: pure functions from a hand record and a rule set to a ruling."""

VERSION = "0.1.0"
"""Named in every answer. It changes whenever a ruling may change; the changelog says which."""
