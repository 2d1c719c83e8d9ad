"""What a page of HTML has in it, for tests that look at pages without a browser."""

from html.parser import HTMLParser

_WITHOUT_END = {"meta", "link", "img", "br", "hr", "wbr"}


class Page(HTMLParser):
    """A page that has been read: its start tags in order, each with its attributes. It must be well formed."""

    def __init__(self, text):
        super().__init__()
        self.elements, self._open = [], []
        self.feed(text)
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in _WITHOUT_END:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag, f"{tag} is closed out of turn"

    def all(self, *tags):
        """Return the attributes of all elements with one of these tags."""
        return [attributes for tag, attributes in self.elements if tag in tags]

    def values(self, attribute):
        """Return the values of an attribute."""
        return [attributes[attribute] for _, attributes in self.elements if attribute in attributes]
