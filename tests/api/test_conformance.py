"""The service answers every conformance case over HTTP, under each of its rule sets, as the case expects."""

import pytest

from tests.corpus import asked, chapters
from tests.expectations import disagreements, valuation_disagreements

BAD_REQUESTS = [case for case in chapters()["schema_errors"] if case.body is not None]


@pytest.mark.parametrize("pair", asked(), ids=str)
def test_the_answer_is_as_expected(client, pair):
    case, expected = pair
    if case.hand is None:
        query = "?partial=true" if case.partial else ""
        body = {"rules": expected["rules"], "hands": [case.cards]}
        response = client.post(f"/v1/valuations{query}", json=body)
        assert response.status_code == 200, response.text
        assert not valuation_disagreements(expected, response.json()["valuations"][0]), response.text
    else:
        body = {"rules": expected["rules"], "hand": case.hand}
        response = client.post("/v1/rulings?store=false", json=body)
        assert response.status_code == 200, response.text
        assert not disagreements(expected, response.json()["ruling"]), response.text


@pytest.mark.parametrize("case", BAD_REQUESTS, ids=lambda case: case.id)
def test_a_bad_request_gets_a_problem_that_says_where(client, case):
    response = client.post(case.path, json=case.body)
    assert response.status_code == case.status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == case.status
    assert all(error["pointer"].startswith("/") for error in problem["errors"])
    assert problem["errors"]
