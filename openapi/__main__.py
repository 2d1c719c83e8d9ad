"""Export: `python -m openapi` writes `openapi.json` as the service serves it."""

from pathlib import Path

from api.app import published_document

PUBLISHED = Path(__file__).with_name("openapi.json")


def main() -> None:
    """Write the document anew."""
    PUBLISHED.write_bytes(published_document())


if __name__ == "__main__":
    main()
