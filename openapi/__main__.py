"""Export: `python -m openapi` writes `openapi.json` as the service serves it."""

from pathlib import Path

from api.app import create_app
from api.document import as_published, document

PUBLISHED = Path(__file__).with_name("openapi.json")


def main() -> None:
    """Write the document anew."""
    PUBLISHED.write_bytes(as_published(document(create_app().routes)))


if __name__ == "__main__":
    main()
