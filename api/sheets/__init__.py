"""Rule sheets: what a rule set says, put together once and written in every format."""
