"""Rule sheets and score sheets: what a table prints before the first deal."""
