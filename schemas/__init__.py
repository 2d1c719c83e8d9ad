"""The vocabulary: every word of the wire format as a frozen Struct, with its bounds and its meaning."""
