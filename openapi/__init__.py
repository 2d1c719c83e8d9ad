"""The published OpenAPI document and its exporter."""
