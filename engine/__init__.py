"""The referee: pure functions from a hand record and a rule set to a ruling."""
