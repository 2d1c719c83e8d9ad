"""Misfits: every place at which a body that can be decoded does not fit its type.

The typed decoder stops at the first. Here the body is read once more without a type, and the places below the one that
does not fit are tried one by one, each against its own type.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import Struct, UnsetType
from msgspec.structs import FieldInfo, fields

_SEQUENCES = (tuple, list, Sequence)
_MAPPINGS = (dict, Mapping)
_SHOWN = 200
"""Characters of a text's own words that are quoted at the most."""
_WHERE = re.compile(r" - at `(?P<key>key` in `)?\$(?P<path>[^`]*)`\Z")
_FIELD = re.compile(r"Object (?:contains unknown|missing required) field `(?P<field>.*)`\Z", re.DOTALL)
UNKNOWN_FIELD = "Object contains unknown field"
"""How msgspec begins to complain of a field that is not known."""
_EXPECTED_KEY = "Expected as a key"
_UNREAD = "Expected `raw`"
"""How msgspec begins to complain of what is there, but is read later: what was decoded is raw no more."""


class Misfit(NamedTuple):
    """A place in a body, and what the decoder says of it."""

    pointer: str
    """JSON Pointer to the place, or to the field that is unknown or missing there."""
    message: str
    """A sentence."""


def misfits(value: Any, annotation: Any, pointer: str = "") -> Iterator[Misfit]:  # noqa: ANN401 - any value, any type
    """Yield the places at which a decoded value does not fit a type, in the order in which it was written.

    What a struct lacks comes after what it has. Whatever is not to be read yet fits.
    """
    try:
        msgspec.convert(value, annotation)
    except msgspec.ValidationError as error:
        below = _below(value, annotation, pointer)
        first = next(below, None)
        if first is None:
            if not str(error).startswith(_UNREAD):
                yield placed(str(error), pointer)
            return
        yield first
        yield from below


def placed(message: str, pointer: str) -> Misfit:
    """Return what a decoder says of a value that stands at the pointer, as a sentence, and the very place it is about.

    That is a field that is unknown or missing, too. A field may be called so that the place cannot be told from its
    name; `misfits` does not read its name in a message.
    """
    where = _WHERE.search(message)
    what = message[: where.start()] if where else message
    path = where["path"] if where else ""
    if where and where["key"]:
        what = what.replace("Expected", _EXPECTED_KEY, 1)
    pointer += path.replace("[", "/").replace("]", "").replace(".", "/")
    if field := _FIELD.match(what):
        pointer += "/" + _escaped(_short(field["field"]))
    return Misfit(pointer, _short(what) + ".")


def _below(value: Any, annotation: Any, pointer: str) -> Iterator[Misfit]:  # noqa: ANN401 - any value, any type
    """Yield the misfits inside a value, if its type says what belongs there."""
    for each in _alternatives(annotation):
        origin = get_origin(each) or each
        if isinstance(value, list) and origin in _SEQUENCES:
            types = [part for part in get_args(each) if part is not Ellipsis]
            for index, item in enumerate(value if len(types) == 1 else ()):
                yield from misfits(item, types[0], f"{pointer}/{index}")
        elif isinstance(value, dict) and origin in _MAPPINGS:
            for key, item in value.items():
                yield from misfits(item, get_args(each)[1], f"{pointer}/{_escaped(key)}")
        elif isinstance(value, dict) and _is_meant(value, origin):
            yield from _in_struct(value, origin, pointer)


def _alternatives(annotation: Any) -> Iterator[Any]:  # noqa: ANN401 - any type
    """Yield the types that a value may have, without what is said about them."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _alternatives(get_args(annotation)[0])
    elif origin in (Union, UnionType):
        for each in get_args(annotation):
            yield from _alternatives(each)
    elif annotation not in (UnsetType, NoneType):
        yield annotation


def _is_meant(value: Mapping[Any, Any], kind: Any) -> bool:  # noqa: ANN401 - any type
    """Return whether an object is meant to be this struct: its tag says so, or there is none."""
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return False
    config = kind.__struct_config__
    return config.tag is None or value.get(config.tag_field) == config.tag


def _in_struct(value: Mapping[Any, Any], kind: type[Struct], pointer: str) -> Iterator[Misfit]:
    known: dict[Any, FieldInfo] = {field.encode_name: field for field in fields(kind)}
    for key, item in value.items():
        if not isinstance(key, str):  # as only MessagePack has them, and no pointer
            for _, message in misfits(key, str, pointer):
                yield Misfit(pointer, message.replace("Expected", _EXPECTED_KEY, 1))
        elif key in known:
            yield from misfits(item, known[key].type, f"{pointer}/{_escaped(key)}")
        elif key != kind.__struct_config__.tag_field and kind.__struct_config__.forbid_unknown_fields:
            yield _about_field(pointer, key, UNKNOWN_FIELD)
    for name, field in known.items():
        if field.required and name not in value:
            yield _about_field(pointer, name, "Object missing required field")


def _about_field(pointer: str, name: str, what: str) -> Misfit:
    return Misfit(f"{pointer}/{_escaped(_short(name))}", _short(f"{what} `{name}`") + ".")


def _escaped(key: object) -> str:
    """Return a key as a part of a JSON Pointer (RFC 6901)."""
    return str(key).replace("~", "~0").replace("/", "~1")


def _short(text: str) -> str:
    """Return a text that may be a stranger's own, cut where it is too long to quote."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
