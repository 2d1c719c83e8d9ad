"""A browser without scripts: it reads a page's form and sends it as the button pressed would."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote

VOID = {"meta", "link", "input", "img", "br"}
FIELDS = {"input", "select", "textarea"}


@dataclass
class Element:
    tag: str
    attributes: dict
    inside: list = field(default_factory=list)

    @property
    def text(self):
        """What can be read, with pictures as what they are called."""
        if self.attributes.get("role") == "img":
            return self.attributes.get("aria-label", "")
        return " ".join("".join(each if isinstance(each, str) else f" {each.text} " for each in self.inside).split())

    def every(self, *tags, **wanted):
        """Every element of these kinds inside, in order, that has these attributes."""
        for each in self.inside:
            if isinstance(each, Element):
                if (not tags or each.tag in tags) and wanted.items() <= each.attributes.items():
                    yield each
                yield from each.every(*tags, **wanted)

    def one(self, *tags, **wanted):
        (found,) = self.every(*tags, **wanted)
        return found


class Reader(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open = [Element("page", {})]
        self.feed(text)
        assert len(self.open) == 1, [each.tag for each in self.open]

    def handle_starttag(self, tag, attrs):
        element = Element(tag, dict(attrs))
        self.open[-1].inside.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].inside.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        self.open[-1].inside.append(data)


class Visitor:
    """Somebody at the desk whose browser runs no scripts."""

    def __init__(self, client, path="/"):
        self.client = client
        self.show(client.get(path))

    def show(self, response):
        assert response.headers["content-type"] == "text/html; charset=utf-8", response.text
        self.response = response
        self.page = Reader(response.text).open[0]
        self.form = self.page.one("form")
        self.changed = {}

    def says(self, name):
        """What can be read in a part of the page."""
        return self.page.one(id=name).text

    def fields(self):
        """The fields as a browser would send them, in order."""
        sent = []
        for each in self.form.every(*FIELDS):
            name, attributes = each.attributes.get("name"), each.attributes
            if name is None or "disabled" in attributes or attributes.get("type") in ("radio", "checkbox"):
                if (
                    attributes.get("type") in ("radio", "checkbox")
                    and "checked" in attributes
                    and name not in self.changed
                ):
                    sent.append((name, attributes["value"]))
                continue
            if name in self.changed:
                continue
            if each.tag == "select":
                options = list(each.every("option"))
                chosen = next((option for option in options if "selected" in option.attributes), options[0])
                sent.append((name, chosen.attributes["value"]))
            elif each.tag == "textarea":
                # A line end right after the tag is not part of the text.
                sent.append((name, "".join(each.inside).removeprefix("\n")))
            else:
                sent.append((name, attributes.get("value", "")))
        for name, values in self.changed.items():
            sent += [(name, value) for value in values]
        return sent

    def buttons(self):
        """The name and value of every button that can be pressed."""
        for each in self.form.every("button"):
            if "disabled" not in each.attributes and "hidden" not in each.attributes:
                yield each.attributes.get("name"), each.attributes.get("value")

    def put(self, **values):
        """Change fields: a text, or a list of texts for boxes that are ticked."""
        known = {each.attributes.get("name") for each in self.form.every(*FIELDS)}
        for name, value in values.items():
            assert name in known, name
            self.changed[name] = [value] if isinstance(value, str) else list(value)
        return self

    def press(self, name=None, value=None):
        """Press a button: that with this name and value, or the one that Enter presses."""
        assert (name, value) in list(self.buttons()), (name, value)
        sent = self.fields() + ([(name, value)] if name else [])
        self.show(self.client.post(self.form.attributes["action"], data=_grouped(sent)))
        return self


def names_in(link):
    """Return the names in the part of an address, parted already, that a browser keeps to itself."""
    return [unquote(name) for name in parse_qs(link.fragment)["names"][0].split(",")]


def _grouped(pairs):
    found = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found
