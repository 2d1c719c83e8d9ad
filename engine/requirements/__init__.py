"""The requirements of events, each a small question that is answered by a citation or by None.

A requirement looks by itself at the table before the event, and changes nothing.
"""
