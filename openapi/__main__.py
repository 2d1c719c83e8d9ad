"""Export: `python -m openapi` writes `openapi.json` as the service serves it."""

from pathlib import Path

from api import examples
from api.app import create_app, published_document

PUBLISHED = Path(__file__).with_name("openapi.json")


def main() -> None:
    """Write the document anew."""
    with examples.resources() as resources:
        PUBLISHED.write_bytes(published_document(create_app(resources)))


if __name__ == "__main__":
    main()
