"""Take the pictures of the README: `python -m tests.web.pictures FOLDER`."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.store.serving import serving
from tests.web.browsing import PHONE, Visitor, launch

HAND = "/?seats=3&l1=3&h1=Ks9s2h&l2=3&h2=Tc9c8c&l3=3&h3=Ad8d6c&how=knock&k=1&d=3&rules=pagat#names=Ben,Cara,Ana"
WIDE = {"width": 1280, "height": 880}
TAKEN = {"settle-phone": (HAND, PHONE), "settle": (HAND, WIDE)}


def main(folder):
    with TemporaryDirectory() as store, serving(Path(store) / "replays.sqlite") as server, sync_playwright() as driver:
        browser = launch(driver)
        visitor = Visitor(browser, f"http://127.0.0.1:{server.port}")
        for name, (path, size) in TAKEN.items():
            page = visitor.open(path, size=size, color_scheme="light")
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / f"{name}.png")
        visitor.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
