"""The OpenAPI document is valid, complete, the one in the repository, and shows what the service does."""

import re
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator
from litestar.testing import TestClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from api import examples
from api.app import create_app, current_document
from api.document.shapes import rewritten

PUBLISHED = Path(__file__).parents[2] / "openapi" / "openapi.json"
DOCUMENT = msgspec.json.decode(PUBLISHED.read_bytes())
OPERATIONS = [(path, method, found) for path, item in DOCUMENT["paths"].items() for method, found in item.items()]
POSTS = [(path, found) for path, method, found in OPERATIONS if method == "post"]
GETS = [(path, found) for path, method, found in OPERATIONS if method == "get"]
SHEETS = [(path, method, found) for path, method, found in OPERATIONS if found["tags"] == ["Sheets"]]
"""What is answered with a document for people, in formats of its own, which no example shows."""
COMPONENTS = DOCUMENT["components"]["schemas"]


def told(found):
    """Return what a document has in a place, there or where it refers to."""
    place = DOCUMENT
    if "$ref" not in found:
        return found
    for name in found["$ref"].removeprefix("#/").split("/"):
        place = place[name]
    return place


@pytest.fixture
def shown():
    """The service with the store that the examples are about."""
    with examples.resources() as resources, TestClient(create_app(resources)) as client:
        yield client


def test_the_published_document_is_that_of_the_code_and_the_one_served(client):
    assert current_document() == PUBLISHED.read_bytes(), "run `make openapi` and look at the difference"
    served = client.get("/openapi.json")
    assert served.headers["content-type"] == "application/json"
    assert served.content == PUBLISHED.read_bytes()


def test_the_document_is_valid():
    assert DOCUMENT["openapi"].startswith("3.1")
    assert not list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors())


def test_every_route_is_in_the_document(app):
    served = {re.sub(r":\w+}", "}", route.path_format) for route in app.routes}
    for_people = {path for path in served if path.startswith(("/docs", "/desk")) or path == "/"}
    about_the_api = {path for path in served if path.startswith(("/openapi.json", "/.well-known/"))}
    assert served - about_the_api - for_people == set(DOCUMENT["paths"])
    assert len({found["operationId"] for _, _, found in OPERATIONS}) == len(OPERATIONS)


@pytest.mark.parametrize(("path", "method", "found"), OPERATIONS, ids=[f"{m} {p}" for p, m, _ in OPERATIONS])
def test_every_operation_is_described(path, method, found):
    assert found["summary"]
    assert found["description"]
    assert found["tags"]
    success = {status for status in found["responses"] if status < "300"}
    assert success in ({"200"}, {"200", "201"}, {"204"})
    assert {"400", "405", "500"} <= set(found["responses"])
    if method == "post":
        assert {"413", "415", "422"} <= set(found["responses"])
    if "{" in path:
        assert "404" in found["responses"]
    for status, response in found["responses"].items():
        assert told(response)["description"]
        assert "X-Request-ID" in told(response)["headers"]
        assert all(told(header)["description"] for header in told(response)["headers"].values())
        if status >= "300" and method != "head":
            check_problem(status, told(response))
    for parameter in found["parameters"]:
        assert parameter["description"]
        assert "example" in parameter
        assert not [*validator(parameter["schema"]).iter_errors(parameter["example"])]
    for response in found["responses"].values() if method == "head" else ():
        assert "content" not in told(response)


def check_problem(status, response):
    """Check that a response shows every kind of problem that it is about, as a problem of its status."""
    (content,) = response["content"].values()
    assert list(response["content"]) == ["application/problem+json"]
    assert [each["summary"] for each in content["examples"].values()] == response["description"][:-1].split("; or: ")
    for slug, example in content["examples"].items():
        assert (example["value"]["type"], example["value"]["status"]) == (f"/problems/{slug}", int(status))
        assert not [*validator(content["schema"]).iter_errors(example["value"])]


def test_limits_and_keys_are_told_of_where_there_are_any():
    for _, method, found in OPERATIONS:
        is_open = found.get("security") == []
        assert ("429" in found["responses"], "401" in found["responses"]) == (not is_open, not is_open)
        if not is_open:
            refused = told(found["responses"]["429"])
            assert {"Retry-After", "RateLimit", "RateLimit-Policy"} <= set(refused["headers"])
            assert method == "head" or "too-many-requests" in refused["content"]["application/problem+json"]["examples"]
    assert [*DOCUMENT["security"]] == [{}, {"key": []}]


def test_who_finds_nothing_is_told_that_the_answer_leads_on():
    missing = [told(found["responses"]["404"]) for _, _, found in OPERATIONS if "404" in found["responses"]]
    assert missing
    assert all("Link" in response["headers"] for response in missing)


def test_names_are_spelled_alike():
    """Addresses with dashes and no slash at the end, fields and parameters with underscores."""
    for path in DOCUMENT["paths"]:
        assert re.fullmatch(r"(/([a-z0-9]+([-.][a-z0-9]+)*|\{[a-z]+\}))+", path), path
    fields = {name for schema in DOCUMENT["components"]["schemas"].values() for name in schema.get("properties", ())}
    parameters = {
        each["name"] for _, _, found in OPERATIONS for each in found.get("parameters", ()) if each["in"] != "header"
    }
    for name in fields | parameters:
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name), name


@pytest.mark.parametrize("name", COMPONENTS)
def test_every_component_is_closed_and_described(name):
    component = COMPONENTS[name]
    assert component["description"]
    if component.get("type") == "object":
        assert component["additionalProperties"] is False
        for field, schema in component["properties"].items():
            assert schema.get("description") or told(schema)["description"], f"{name}.{field} is not described"


UNIONS = {
    "Hand": "kind",
    "GameHand": "kind",
    "Event": "type",
    "Ending": "type",
    "Ruling": "outcome",
    "RuleSet": "form",
    "WorkedExample": "kind",
}


def test_unions_have_names_and_say_which_field_tells_them_apart():
    unions = {name: schema for name, schema in COMPONENTS.items() if "oneOf" in schema}
    assert {name: schema["discriminator"]["propertyName"] for name, schema in unions.items()} == UNIONS
    for name, schema in unions.items():
        for tag, reference in schema["discriminator"]["mapping"].items():
            kind = told({"$ref": reference})
            assert kind["properties"][UNIONS[name]]["const"] == tag
            assert UNIONS[name] in kind["required"]
    for name, schema in every_schema():
        members = [each for each in schema.get("anyOf", ()) if "$ref" in each]
        assert len([each for each in members if told(each).get("type") == "object"]) < 2, (
            f"a union in {name} has no name"
        )


def test_every_choice_of_words_has_a_name():
    for name, schema in every_schema():
        assert "enum" not in schema or schema is COMPONENTS.get(name), f"a choice in {name} has no name"
        assert schema.get("type") in {"string", "integer"} or "enum" not in schema


def test_everything_is_bounded():
    for name, schema in every_schema():
        kind = schema.get("type")
        is_chosen = "enum" in schema or "const" in schema
        if kind == "array":
            assert "maxItems" in schema, name
        if kind == "string" and not is_chosen:
            assert "maxLength" in schema, name
        if kind == "integer":
            assert {"minimum", "maximum", "format"} <= set(schema), name
        if kind == "object":
            assert schema["additionalProperties"] is False or "maxProperties" in schema, name
        assert "prefixItems" not in schema, name


def every_schema():
    """Yield every schema of the document, with the name of the component or parameter in which it is."""
    yield from ((name, each) for name, schema in COMPONENTS.items() for each in schemas_in(schema))
    for path, _, found in OPERATIONS:
        contents = [found.get("requestBody", {}).get("content", {})]
        contents += [told(response).get("content", {}) for response in found["responses"].values()]
        schemas = [parameter["schema"] for parameter in found["parameters"]]
        schemas += [each["schema"] for content in contents for each in content.values()]
        yield from ((path, each) for schema in schemas for each in schemas_in(schema))


def schemas_in(schema):
    """Yield a schema and all those inside it."""
    found = []
    rewritten(schema, lambda each: found.append(each) or each)
    yield schema
    yield from (each for each in found if each != schema)


@pytest.mark.parametrize(("path", "found"), POSTS, ids=[path for path, _ in POSTS])
def test_every_example_request_is_accepted_and_answered_as_shown(shown, path, found):
    requests = found["requestBody"]["content"]["application/json"]["examples"]
    assert requests
    for name, example in requests.items():
        check_schema(found["requestBody"], example["value"])
        response = shown.post(with_parameters(path, found), json=example["value"])
        assert str(response.status_code) in found["responses"]
        if is_sheet(found):
            continue
        answers = found["responses"]["200"]["content"]["application/json"]["examples"]
        assert list(requests) == list(answers)
        assert response.json() == answers[name]["value"], name
        check_schema(found["responses"]["200"], response.json())


@pytest.mark.parametrize(("path", "method", "found"), SHEETS, ids=[f"{m} {p}" for p, m, _ in SHEETS])
def test_every_sheet_is_answered_in_the_formats_shown(shown, path, method, found):
    if method == "head":
        assert "content" not in found["responses"]["200"]
        return
    address, body = with_parameters(path, found), {"json": {"rules": {}}} if method == "post" else {}
    for media_type, content in found["responses"]["200"]["content"].items():
        response = shown.request(method, address, headers={"accept": media_type}, **body)
        assert response.headers["content-type"].partition(";")[0] == media_type
        assert content["schema"]["type"] == "string"
        assert ("format" in content["schema"]) == (media_type == "application/pdf")
        assert len(response.content) <= content["schema"]["maxLength"]
        assert response.content


@pytest.mark.parametrize(("path", "found"), GETS, ids=[path for path, _ in GETS])
def test_every_get_answers_as_shown(shown, path, found):
    if "application/json" not in found["responses"]["200"]["content"]:
        return
    response = shown.get(with_parameters(path, found))
    (example,) = found["responses"]["200"]["content"]["application/json"]["examples"].values()
    answer = response.json()
    is_short = "Shortened" in example.get("description", "")
    assert beginning(answer) == example["value"] if is_short else answer == example["value"]
    check_schema(found["responses"]["200"], answer)
    check_schema(found["responses"]["200"], example["value"])


def beginning(answer):
    """Return what is shown of an answer that is a list, or several."""
    return {key: value[:2] if isinstance(value, list) else value for key, value in answer.items()}


def is_sheet(found):
    """Return whether an operation is answered with a document for people."""
    return found["tags"] == ["Sheets"]


def with_parameters(path, found):
    """Return a path with the values that the document shows for its parameters."""
    for parameter in found["parameters"]:
        path = path.replace(f"{{{parameter['name']}}}", str(parameter["example"]))
    return path


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/comparisons", {"rules": [{}]}),
        ("/v1/comparisons", {"rules": [{}], "hand": examples.SHOWN, "replay": examples.REPLAY}),
        ("/v1/disputes", {}),
        ("/v1/disputes", {"hand": examples.SHOWN, "replay": examples.REPLAY}),
        ("/v1/examples", {"distinguish": [{}, {}], "players": 3}),
        ("/v1/examples", {"distinguish": [{}, {}], "rules": {}}),
    ],
)
def test_the_schemas_say_what_does_not_go_together(shown, path, body):
    schema = DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert [*validator(schema).iter_errors(body)]
    assert shown.post(path, json=body).status_code == 422


PROVOKED = {
    "not-decodable": ("POST", "/v1/rulings", {"content": b"", "headers": {"content-type": "application/json"}}),
    "bad-parameter": ("POST", "/v1/rulings?store=yes", {"json": {}}),
    "not-found": ("GET", f"/v1/replays/{'0' * 64}", {}),
    "method-not-allowed": ("PUT", "/v1/rulings", {}),
    "not-acceptable": ("POST", "/v1/rulings", {"json": {}, "headers": {"accept": "image/png"}}),
    "too-large": ("POST", "/v1/rulings", {"json": {"hand": "x" * 1_000_000}}),
    # Of an operation that takes what most of them take.
    "unsupported-media-type": ("POST", "/v1/valuations", {"content": b"", "headers": {"content-type": "text/xml"}}),
    "invalid": ("POST", "/v1/rulings", {"json": {}}),
    "incompatible-answers": (
        "POST",
        "/v1/rulings",
        {"json": {"hand": examples.SHOWN, "rules": {"changes": {"loss_beyond_lives": "county", "county": "none"}}}},
    ),
}


@pytest.mark.parametrize("slug", PROVOKED)
def test_a_problem_is_shown_as_it_is(shown, slug):
    method, path, request = PROVOKED[slug]
    problem = shown.request(method, path, **request).json()
    operation = DOCUMENT["paths"]["/v1/replays/{replay}"]["get"] if method == "GET" else RULINGS
    response = told(operation["responses"][str(problem["status"])])
    example = response["content"]["application/problem+json"]["examples"][slug]["value"]
    assert {key: problem[key] for key in ("type", "title", "status", "detail")} == {
        key: example[key] for key in ("type", "title", "status", "detail")
    }
    places = [{key: each[key] for key in each if key != "detail"} for each in problem["errors"]]
    assert [{key: each[key] for key in each if key != "detail"} for each in example["errors"]] == places[:1]


RULINGS = DOCUMENT["paths"]["/v1/rulings"]["post"]


def test_the_examples_show_every_outcome():
    answers = DOCUMENT["paths"]["/v1/rulings"]["post"]["responses"]["200"]["content"]["application/json"]["examples"]
    outcomes = {answer["value"]["ruling"]["outcome"] for answer in answers.values()}
    assert outcomes == {"settled", "refused", "unfinished"}


def check_schema(content, value):
    """Check that a value fits the schema that a request or response documents."""
    schema = content["content"]["application/json"]["schema"]
    errors = [f"{error.json_path}: {error.message}" for error in validator(schema).iter_errors(value)]
    assert not errors


def validator(schema):
    """Return what tells how a value does not fit a schema of the document."""
    return Draft202012Validator({**schema, "components": DOCUMENT["components"]})
