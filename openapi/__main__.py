"""Export: `python -m openapi` writes `openapi.json`, which the service serves."""

from api.app import PUBLISHED, current_document


def main() -> None:
    """Write the document anew."""
    PUBLISHED.write_bytes(current_document())


if __name__ == "__main__":
    main()
