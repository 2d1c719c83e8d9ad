"""Chromium, the machine's own, with the network shut: what the pages ask of any other host is a failure."""

import shutil
from dataclasses import dataclass, field

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
SLOW = """(slow) => {
  const real = fetch;
  window.fetch = async (address, settings) => {
    await new Promise((go, stop) => {
      setTimeout(go, slow);
      settings.signal.addEventListener("abort", () => stop(settings.signal.reason));
    });
    return real(address, settings);
  };
}"""
"""Makes a page wait so many milliseconds before it asks anything."""
PATIENCE = 60_000
"""Milliseconds without what is waited for after which a test fails."""


def launch(playwright):
    """Return a running Chromium."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    assert found, f"These tests need Chromium, under one of these names: {', '.join(CHROMIUM)}."
    return playwright.chromium.launch(executable_path=found, args=FLAGS)


@dataclass
class Visitor:
    """Somebody who looks at the pages of one service, and notes whatever goes wrong."""

    browser: object
    address: str
    contexts: list = field(default_factory=list)
    complaints: list = field(default_factory=list)
    expected: tuple = ()

    def expect(self, *trouble):
        """Say by what words trouble is known that is part of the story, whenever the browser comes to tell of it."""
        self.expected += trouble

    def open(self, path, *, size=DESK, **settings):
        """Return a page of the service, in a browser that has been nowhere before."""
        context = self.browser.new_context(viewport=size, **settings)
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.route("**/*", self._let_through)
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("requestfailed", self._note_failure)
        page.goto(self.address + path)
        return page

    def close(self):
        """Close all pages; fail if anything went wrong in one that was not expected."""
        for context in self.contexts:
            context.close()
        assert not [trouble for trouble in self.complaints if not any(word in trouble for word in self.expected)]

    def _let_through(self, route):
        # Chromium shows a PDF by a page of its own.
        if route.request.url.startswith((f"{self.address}/", "chrome-extension://", "chrome://")):
            route.continue_()
        else:
            self.complaints.append(f"another host is asked: {route.request.url}")
            route.abort()

    def _note_failure(self, request):
        # A page that is left, and a newer question, break off what is under way.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url}: {request.failure}")

    def _hear(self, message):
        # A violation of the Content-Security-Policy is an error on the console too.
        if message.type in {"error", "warning"}:
            self.complaints.append(f"console: {message.text}")
