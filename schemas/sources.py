"""Who attests a rule: the pages and programs that the rule options and presets are taken from."""

from typing import Annotated

from msgspec import Meta, Struct

Code = Annotated[str, Meta(max_length=8, description="The short code that declarations cite.", examples=["S0"])]


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """A source of rules, by a short code."""

    code: Code
    title: Annotated[str, Meta(max_length=200, description="What the source is.")]


SOURCES = (
    Source("S0", "A rule page for 31 written after Pagat and checked against Wikipedia, October 2026"),
    Source("S1", "A pub guide to Thirty-One (Scat, Blitz)"),
    Source("S2", "A casual rule page for 31 with house variants"),
    Source("S3", "A family rule page for Thirty-One, with easy and full rules"),
    Source("PG", "Pagat, 31 (Scat), as S0 and its derivatives report it"),
    Source("WP", "Wikipedia, Thirty-one (card game), as S0 and public copies report it"),
    Source("BI", "Bicycle Cards, Thirty-One"),
    Source("R", "Other public rule pages and programs"),
    Source("OWN", "No source; an answer that follows from the others and that tables ask for"),
)

SOURCE_BY_CODE = {source.code: source for source in SOURCES}
