"""Hands to keep, and how they are kept."""

from tests.api.stories import LOG, SHOWDOWN, changed

KNOCK_IN_MID_TURN = changed(
    LOG, "events", to=[{"type": "draw_stock", "seat": 1, "card": "7c"}, {"type": "knock", "seat": 1}]
)


def keep(client, hand, **rules):
    """Post a hand to be stored; return the answer."""
    return client.post("/v1/rulings", json={"hand": hand, "rules": rules} if rules else {"hand": hand})


def hands(number):
    """Return so many different hands, each settled."""
    lives = [(first, second) for first in range(1, 20) for second in range(1, 20)][:number]
    for first, second in lives:
        players = [{**player, "lives": own} for player, own in zip(SHOWDOWN["players"], (first, second), strict=True)]
        yield {**SHOWDOWN, "players": players}
