"""No request, however damaged, leaves half a replay."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.store.checking import check_whole
from tests.strategies import damaged_logs, examples, questions, wild_records

_hands = st.one_of(damaged_logs(), questions(), wild_records())
_no_hands = st.sampled_from([b"{}", b"7", b'"log"', b'{"kind":"log"}', b'{"kind":"showdown","players":[]}'])


@st.composite
def damaged_bodies(draw):
    """Draw a body: sound or not in what it says, and often with bytes that are missing, wrong or too many."""
    question = draw(_hands)
    request = {"hand": msgspec.to_builtins(question.hand), "rules": msgspec.to_builtins(question.choice)}
    body = msgspec.json.encode(request)
    if draw(st.booleans()):
        return body
    start = draw(st.integers(0, len(body)))
    end = min(len(body), start + draw(st.integers(0, 20)))
    return body[:start] + draw(st.binary(max_size=20)) + body[end:]


def test_no_request_leaves_half_a_replay(service, path):
    acknowledged = set()

    @examples(1)
    @given(damaged_bodies())
    def post(body):
        answer = service.store(body)
        assert answer.status in {200, 201, 400, 422}
        if answer.status <= 201:
            replay, outcome = answer.value["replay"], answer.value["ruling"]["outcome"]
            assert (replay is None) == (outcome == "unfinished")
            assert answer.status == 200 or replay not in acknowledged
            acknowledged.update({replay} - {None})

    post()
    assert check_whole(path) == acknowledged
    assert len(acknowledged) > 20


def test_no_batch_leaves_half_a_replay(service, path):
    """Of a batch, every hand that is understood is kept, whatever the others are."""
    acknowledged = set()

    @examples(0.3)
    @given(st.lists(st.one_of(_hands, _no_hands), max_size=5), st.sampled_from([b"}", b"}", b"}", b"", b"}}"]))
    def post(asked, end):
        hands = b",".join([each if isinstance(each, bytes) else msgspec.json.encode(each.hand) for each in asked])
        answer = service.ask("POST", "/v1/rulings/batch", b'{"hands":[%b]%b' % (hands, end))
        assert answer.status == (200 if end == b"}" else 400)
        if answer.status == 200:
            acknowledged.update(item["replay"] for item in answer.value["answers"] if item.get("replay"))

    post()
    assert check_whole(path) == acknowledged
    assert len(acknowledged) > 20
