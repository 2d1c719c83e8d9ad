"""The desk: pages for the people at the table, who settle, replay and count without writing JSON."""
