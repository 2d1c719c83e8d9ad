"""The HTTP edge: bytes in, Structs through the engine, bytes out."""
