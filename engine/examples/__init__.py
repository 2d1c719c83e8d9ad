"""Worked examples: hands made to show a situation, played sensibly, judged by the engine and told in words."""
