"""Headers of responses, each told once and referred to."""

from typing import Any

from api.problems import (
    FORBIDDEN,
    LINK_TO_DESCRIPTION,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    OVERLOADED,
    STORE_UNAVAILABLE,
    TOO_MANY_REQUESTS,
    UNAUTHENTICATED,
    UNSUPPORTED_MEDIA_TYPE,
    ProblemType,
)

Json = dict[str, Any]


def _told(description: str, example: str, most: int) -> Json:
    return {"description": description, "schema": {"type": "string", "maxLength": most}, "example": example}


HEADERS = {
    "X-Request-ID": _told(
        "The id of the request: the one sent, if it is short and plain, or a new one.", "01JD7Q3V5Z8M", 64
    ),
    "Location": _told("Where the replay is found, if it is kept.", f"/v1/replays/{'3ee9ed77' * 8}", 200),
    "RateLimit-Policy": _told(
        "The limit, where requests are limited: so many (`q`) in so many seconds (`w`).", '"default";q=100;w=60', 100
    ),
    "RateLimit": _told(
        "Where requests are limited: how many are left (`r`), and in how many seconds the count begins anew (`t`).",
        '"default";r=99;t=60',
        100,
    ),
    "Retry-After": {
        "description": "In how many seconds to try again.",
        "schema": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 2**31 - 1},
        "example": 5,
    },
    "Allow": _told("The methods that the address takes.", "OPTIONS, POST", 100),
    "Accept": _told("The media types that a body may be of.", "application/json, application/x-msgpack", 200),
    "Link": _told("Where the description and the documentation are.", LINK_TO_DESCRIPTION, 200),
    "WWW-Authenticate": _told("How to authenticate, and what was wrong.", 'Bearer error="invalid_token"', 500),
}
_OF_KIND = {
    UNAUTHENTICATED: "WWW-Authenticate",
    FORBIDDEN: "WWW-Authenticate",
    NOT_FOUND: "Link",
    METHOD_NOT_ALLOWED: "Allow",
    UNSUPPORTED_MEDIA_TYPE: "Accept",
    TOO_MANY_REQUESTS: "Retry-After",
    STORE_UNAVAILABLE: "Retry-After",
    OVERLOADED: "Retry-After",
}


def headers(*names: str, limited: bool) -> Json:
    """Return the headers of a response: those of every response, those of one that may be limited, and these."""
    every = ("X-Request-ID", *(("RateLimit-Policy", "RateLimit") if limited else ()), *names)
    return {name: {"$ref": f"#/components/headers/{name}"} for name in every}


def headers_of(kinds: list[ProblemType]) -> list[str]:
    """Return the headers that come with problems of these kinds, or some of them."""
    return list(dict.fromkeys(_OF_KIND[kind] for kind in kinds if kind in _OF_KIND))
