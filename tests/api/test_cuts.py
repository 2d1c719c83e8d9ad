"""Who deals first: the lowest card or the highest, and who cuts again."""

import msgspec
import pytest

PACKED = "application/x-msgpack"


def cut(client, rule, cards):
    response = client.post("/v1/cuts", json={"rule": rule, "cards": cards.split()})
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.parametrize(
    ("rule", "cards", "dealer", "tied"),
    [
        ("lowest", "9d 4h Ks", 2, []),
        ("highest", "9d 4h Ks", 3, []),
        ("lowest", "As 2h", 2, []),
        ("highest", "As Kh", 1, []),
        ("lowest", "10s jh", 1, []),
        ("highest", "Qs Qh 2c Qd", None, [1, 2, 4]),
        ("lowest", "Qs 2h 2c Qd", None, [2, 3]),
        ("highest", "2s 2h 3c", 3, []),
        ("lowest", "As Ah Ac Ad", None, [1, 2, 3, 4]),
    ],
)
def test_who_deals(client, rule, cards, dealer, tied):
    answer = cut(client, rule, cards)
    assert (answer["dealer"], answer["tied"]) == (dealer, tied)


def test_the_answer_in_a_sentence(client):
    assert cut(client, "lowest", "9d 4h Ks")["says"] == "Seat 2 cut the lowest card, 4♥, and deals first."
    assert cut(client, "highest", "As Qh Ac")["says"] == (
        "Seat 1 and Seat 3 tie for the highest card with A♠ and A♣, and cut again."
    )


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"rule": "lowest", "cards": ["9d", "4h", "9♦"]}, "/cards/2"),
        ({"rule": "lowest", "cards": ["9d", "X1"]}, "/cards/1"),
        ({"rule": "lowest", "cards": ["9d"]}, "/cards"),
        ({"rule": "lowest", "cards": ["9d", 4]}, "/cards/1"),
        ({"rule": "middle", "cards": ["9d", "4h"]}, "/rule"),
        ({"cards": ["9d", "4h"]}, "/rule"),
        ({"rule": "lowest", "cards": [rank + suit for suit in "sh" for rank in "23456789T"]}, "/cards"),
    ],
)
def test_what_cannot_be_cut(client, body, pointer):
    response = client.post("/v1/cuts", json=body)
    assert response.status_code == 422
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


def test_messagepack(client):
    body = {"rule": "highest", "cards": ["As", "Ac", "2h"]}
    packed = client.post(
        "/v1/cuts", content=msgspec.msgpack.encode(body), headers={"content-type": PACKED, "accept": PACKED}
    )
    assert msgspec.msgpack.decode(packed.content) == client.post("/v1/cuts", json=body).json()
