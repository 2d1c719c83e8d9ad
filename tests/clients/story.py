"""A quarrel at the table, told with the Python client that openapi-python-client makes of the document.

`make test-clients` makes the client, and runs this against two services: one that is open, and one that asks for keys.
"""

import os

from thirtyone_client import AuthenticatedClient, Client
from thirtyone_client.api.disputes import compare_rules, settle_dispute
from thirtyone_client.api.replays import list_replays, rerun_replay, show_replay
from thirtyone_client.api.rules import show_preset
from thirtyone_client.api.rulings import adjudicate_batch, adjudicate_hand
from thirtyone_client.api.sheets import show_rule_sheet_as_markdown
from thirtyone_client.models import (
    BatchRequest,
    Card,
    Changes,
    Claim,
    ClaimAnswer,
    Comparison,
    ComparisonRequest,
    Deal,
    Discard,
    Dispute,
    DisputeRequest,
    DrawStock,
    EndedBy,
    EventType,
    HandLog,
    KeptOutcome,
    Knock,
    KnockEnding,
    KnockerTieChoice,
    Player,
    PresetId,
    PresetView,
    Problem,
    RefusalKind,
    Refused,
    ReplayView,
    Rerun,
    RerunRequest,
    RerunResult,
    RuleChoice,
    RulingAnswer,
    RulingRequest,
    Settled,
    ShowdownRecord,
    ShownPlayer,
    Status,
    StockRules,
    Unfinished,
    WidowRules,
)
from thirtyone_client.types import UNSET

REPLAY = "3ee9ed77149e5d9f555dfaaeff0d2eede1ed5ed58754c5f820d09b333d6f353c"
"""The id of the hand below, judged by the rules of `pagat`, on every machine."""


def cards(text: str) -> list[Card]:
    """Return cards from their names, spaced."""
    return [Card(name) for name in text.split()]


def ben_knocks(*events: DrawStock | Discard) -> HandLog:
    """Return the hand of the README as far as these events: Ben knocks with 19, and so has Ana."""
    return HandLog(
        kind="log",
        players=[Player(lives=3, name=name) for name in ("Ben", "Cara", "Dan", "Ana")],
        dealer=4,
        deal=Deal(
            hands=[cards("Ks 9s 2h"), cards("Tc 8c 4d"), cards("Th 8h 3s"), cards("Ad 8d 6c")], upcard=Card("5h")
        ),
        events=[Knock(type_="knock", seat=1), *events],
    )


HAND = ben_knocks(
    DrawStock(type_="draw_stock", seat=2, card=Card("9c")),
    Discard(type_="discard", seat=2, card=Card("4d")),
    DrawStock(type_="draw_stock", seat=3, card=Card("7h")),
    Discard(type_="discard", seat=3, card=Card("3s")),
    DrawStock(type_="draw_stock", seat=4, card=Card("2c")),
    Discard(type_="discard", seat=4, card=Card("2c")),
)


def a_ruling(client: Client) -> None:
    """Ask what the hand costs, and who says so."""
    answer = adjudicate_hand.sync(client=client, body=RulingRequest(hand=HAND))
    assert isinstance(answer, RulingAnswer)
    assert answer.replay == REPLAY
    ruling = answer.ruling
    assert isinstance(ruling, Settled)
    assert ruling.ended_by is EndedBy.KNOCK
    assert [seat.value for seat in ruling.seats] == [19, 27, 25, 19]
    assert [seat.change for seat in ruling.seats] == [0, 0, 0, -1]
    assert all(seat.status is Status.IN for seat in ruling.seats)
    assert [citation.rule for citation in ruling.citations] == ["end.knock", "lose.knocker-tie", "deal.passes"]
    assert ruling.citations[1].option == "knocker_tie"
    assert ruling.citations[1].says.startswith("Ben knocked and ties for the lowest hand with Ana")
    assert isinstance(ruling.rules, StockRules)
    assert ruling.rules.knocker_tie is KnockerTieChoice.SAFE


def what_is_not_settled(client: Client) -> None:
    """Ask about a hand that is not over, and about one that breaks a rule."""
    early = adjudicate_hand.sync(client=client, body=RulingRequest(hand=ben_knocks()))
    assert isinstance(early, RulingAnswer)
    assert isinstance(early.ruling, Unfinished)
    assert early.replay is None
    assert early.ruling.to_act == 2
    assert EventType.DRAW_STOCK in early.ruling.may

    twice = ben_knocks(DrawStock(type_="draw_stock", seat=2, card=Card("Ks")))
    wrong = adjudicate_hand.sync(client=client, body=RulingRequest(hand=twice), store=False)
    assert isinstance(wrong, RulingAnswer)
    assert isinstance(wrong.ruling, Refused)
    assert wrong.ruling.kind is RefusalKind.IMPOSSIBLE
    assert [broken.rule for broken in wrong.ruling.broken] == ["log.card-twice"]


def a_comparison(client: Client) -> None:
    """Ask whose rule book says what of the stored hand."""
    answer = compare_rules.sync(client=client, body=ComparisonRequest(rules="all-presets", replay=REPLAY))
    assert isinstance(answer, Comparison)
    groups = [[answer.rule_sets[place].preset for place in group] for group in answer.groups]
    assert groups == [
        ["pagat", "wikipedia", "pub", "family", "cadillac"],
        ["large-group"],
        ["casual", "blitz", "wild-jokers", "redemption", "ride-the-bus", "four-lives-online"],
        ["quick-knock"],
    ]
    parting = [[(each.option, each.other) for each in difference.options] for difference in answer.differences]
    assert parting == [[("first_knock", "ends_hand")], [("knocker_tie", "shares")], [("knocker_tie", "double")]]


def a_dispute(client: Client) -> None:
    """Ask what would have to be played for Ben to lose a life as well."""
    body = DisputeRequest(replay=REPLAY, claims=[Claim(changes=[-1, 0, 0, -1], by=4)])
    answer = settle_dispute.sync(client=client, body=body)
    assert isinstance(answer, Dispute)
    assert answer.complete
    (claim,) = answer.claims
    assert isinstance(claim, ClaimAnswer)
    assert not claim.holds
    assert claim.supported is True
    assert [nearest.changes.to_dict() for nearest in claim.nearest] == [{"knocker_tie": "shares"}]
    assert "casual" in claim.presets
    assert {decisive.option for decisive in answer.decisive} >= {"knocker_tie", "first_knock"}


def a_replay(client: Client) -> None:
    """Read the stored hand, and judge it again: as it was, and under other rules."""
    kept = show_replay.sync(REPLAY, client=client)
    assert isinstance(kept, ReplayView)
    assert isinstance(kept.question.hand, HandLog)
    assert kept.question.hand.players[0].name is UNSET
    assert isinstance(kept.question.hand.events[0], Knock)
    assert kept.kept.utcoffset() is not None

    same = rerun_replay.sync(REPLAY, client=client, body=RerunRequest())
    assert isinstance(same, Rerun)
    assert same.result is RerunResult.SAME

    other = rerun_replay.sync(
        REPLAY, client=client, body=RerunRequest(rules=RuleChoice(changes=Changes(knocker_tie=KnockerTieChoice.SHARES)))
    )
    assert isinstance(other, Rerun)
    assert other.result is RerunResult.OTHER_RULES
    assert isinstance(other.ruling, Settled)
    assert [seat.change for seat in other.ruling.seats] == [-1, 0, 0, -1]


def a_walk(client: Client) -> None:
    """Keep some more hands, and go through all that are kept, two at a time."""
    shown = [
        ShowdownRecord(
            kind="showdown",
            players=[ShownPlayer(lives=lives, cards=cards("9s 5d 2h")), ShownPlayer(lives=1, cards=cards("Ad 8d 6c"))],
            ended_by=KnockEnding(type_="knock", seat=1),
        )
        for lives in range(1, 5)
    ]
    batch = adjudicate_batch.sync(client=client, body=BatchRequest(hands=[*shown]))
    assert batch is not None
    assert not isinstance(batch, Problem)
    stored = [item.replay for item in batch.answers]
    assert len(set(stored)) == len(shown)

    found: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = list_replays.sync(client=client, outcome=KeptOutcome.SETTLED, limit=2, cursor=cursor or UNSET)
        assert page is not None
        assert not isinstance(page, Problem)
        assert len(page.replays) <= 2
        found += [replay.replay for replay in page.replays]
        cursor = page.next_
    assert found == [*reversed(stored), REPLAY]


def the_rules(client: Client) -> None:
    """Read the rules of both forms of the game, and a sheet of them."""
    for preset, form in ((PresetId.CASUAL, StockRules), (PresetId.BICYCLE, WidowRules)):
        view = show_preset.sync(preset.value, client=client)
        assert isinstance(view, PresetView)
        assert isinstance(view.rules, form)
    sheet = show_rule_sheet_as_markdown.sync("casual", client=client)
    assert isinstance(sheet, str)
    assert sheet.startswith("# ")


def the_problems(client: Client, guarded: str, key: str) -> None:
    """Ask wrongly, in every way that there is: each time there is a problem of its own type."""
    request = RulingRequest(hand=HAND)
    check(list_replays.sync(client=client, cursor="nonsense"), 400, "bad-parameter")
    check(show_replay.sync("0" * 64, client=client), 404, "not-found")
    painter = Client(os.environ["SERVICE"], headers={"Accept": "image/png"})
    check(adjudicate_hand.sync(client=painter, body=request), 406, "not-acceptable")
    long = ben_knocks(*([Discard(type_="discard", seat=1, card=Card("Ks"))] * 30_000))
    check(adjudicate_hand.sync(client=client, body=RulingRequest(hand=long)), 413, "too-large")

    no_seat = HandLog(kind="log", players=HAND.players, dealer=99, deal=HAND.deal, events=HAND.events)
    invalid = adjudicate_hand.sync(client=client, body=RulingRequest(hand=no_seat))
    assert check(invalid, 422, "invalid").errors[0].pointer == "/hand/dealer"
    widow = RuleChoice(preset=PresetId.WIDOW, changes=Changes(knocker_tie=KnockerTieChoice.SAFE))
    check(adjudicate_hand.sync(client=client, body=RulingRequest(hand=HAND, rules=widow)), 422, "incompatible-answers")

    # The client itself asks in none of these ways.
    plain = client.get_httpx_client()
    check(Problem.from_dict(plain.put("/v1/rulings").json()), 405, "method-not-allowed")
    check(Problem.from_dict(plain.post("/v1/rulings", content="<hand/>").json()), 415, "unsupported-media-type")

    check(adjudicate_hand.sync(client=Client(guarded), body=request), 401, "unauthenticated")
    reader = AuthenticatedClient(guarded, key)
    check(adjudicate_hand.sync(client=reader, body=request), 403, "forbidden")
    assert isinstance(adjudicate_hand.sync(client=reader, body=request, store=False), RulingAnswer)
    refused = adjudicate_hand.sync_detailed(client=reader, body=request, store=False)
    check(refused.parsed, 429, "too-many-requests")
    assert int(refused.headers["Retry-After"]) > 0


def what_a_later_version_adds(client: Client) -> None:
    """Read an answer of a service that says more than this client knows of: it is passed over."""
    request = {"hand": HAND.to_dict(), "rules": {"preset": "pagat"}}
    answer = client.get_httpx_client().post("/v1/rulings", json=request).json()
    known = RulingAnswer.from_dict(answer)
    for part in (answer, answer["ruling"], answer["ruling"]["seats"][0], answer["ruling"]["citations"][0]):
        part["of_a_later_version"] = {"value": 1}
    assert isinstance(known.ruling, Settled)
    assert RulingAnswer.from_dict(answer) == known


def check(problem: object, status: int, slug: str) -> Problem:
    """Return an answer as the problem that it is, of this status and kind."""
    assert isinstance(problem, Problem), problem
    assert (problem.status, problem.type_) == (status, f"/problems/{slug}"), problem
    assert problem.title
    assert problem.detail
    assert problem.request_id
    return problem


def main() -> None:
    """Tell the whole story."""
    client = Client(os.environ["SERVICE"])
    a_ruling(client)
    what_is_not_settled(client)
    a_comparison(client)
    a_dispute(client)
    a_replay(client)
    a_walk(client)
    the_rules(client)
    what_a_later_version_adds(client)
    the_problems(client, os.environ["GUARDED"], os.environ["READ_KEY"])


if __name__ == "__main__":
    main()
