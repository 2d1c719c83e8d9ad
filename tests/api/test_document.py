"""The OpenAPI document is valid, complete, the one in the repository, and shows what the service does."""

import re
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator
from litestar.testing import TestClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from api import examples
from api.app import create_app

PUBLISHED = Path(__file__).parents[2] / "openapi" / "openapi.json"
DOCUMENT = msgspec.json.decode(PUBLISHED.read_bytes())
OPERATIONS = [(path, method, found) for path, item in DOCUMENT["paths"].items() for method, found in item.items()]
POSTS = [(path, found) for path, method, found in OPERATIONS if method == "post"]
GETS = [(path, found) for path, method, found in OPERATIONS if method == "get"]
SHEETS = [(path, method, found) for path, method, found in OPERATIONS if found["tags"] == ["Sheets"]]
"""What is answered with a document for people, in formats of its own, which no example shows."""
COMPONENTS = DOCUMENT["components"]["schemas"]


@pytest.fixture
def shown():
    """The service with the store that the examples are about."""
    with examples.resources() as resources, TestClient(create_app(resources)) as client:
        yield client


def test_the_published_document_is_the_one_served(client):
    served = client.get("/openapi.json")
    assert served.headers["content-type"] == "application/json"
    assert served.content == PUBLISHED.read_bytes(), "run `make openapi` and look at the difference"


def test_the_document_is_valid():
    assert DOCUMENT["openapi"].startswith("3.1")
    assert not list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors())


def test_every_route_is_in_the_document(app):
    served = {re.sub(r":\w+}", "}", route.path_format) for route in app.routes}
    about_the_api = {path for path in served if path.startswith(("/openapi.json", "/.well-known/", "/docs"))}
    assert served - about_the_api == set(DOCUMENT["paths"])
    assert len({found["operationId"] for _, _, found in OPERATIONS}) == len(OPERATIONS)


@pytest.mark.parametrize(("path", "method", "found"), OPERATIONS, ids=[f"{m} {p}" for p, m, _ in OPERATIONS])
def test_every_operation_is_described(path, method, found):
    assert found["summary"]
    assert found["description"]
    assert found["tags"]
    success = {status for status in found["responses"] if status < "300"}
    assert success in ({"200"}, {"200", "201"}, {"204"})
    assert {"400", "405", "406", "500"} <= set(found["responses"])
    if method == "post":
        assert {"413", "415", "422"} <= set(found["responses"])
    if "{" in path:
        assert "404" in found["responses"]
    for status, response in found["responses"].items():
        assert response["description"]
        assert "X-Request-ID" in response["headers"]
        if status >= "300" and method != "head":
            assert list(response["content"]) == ["application/problem+json"]


@pytest.mark.parametrize("name", COMPONENTS)
def test_every_component_is_closed_and_described(name):
    component = COMPONENTS[name]
    assert component["description"]
    if component.get("type") == "object":
        assert component["additionalProperties"] is False
        for field, schema in component["properties"].items():
            text = "description" in schema or "const" in schema or schema.get("enum") == [schema.get("const")]
            assert text or "$ref" in schema or _is_tag(schema), f"{name}.{field} is not described"


def _is_tag(schema):
    return len(schema.get("enum", [])) == 1


def test_unions_say_which_field_tells_them_apart():
    assert COMPONENTS["HandLog"]["properties"]["events"]["items"]["discriminator"]["propertyName"] == "type"
    assert COMPONENTS["RulingRequest"]["properties"]["hand"]["discriminator"]["propertyName"] == "kind"


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
        assert content == ({} if media_type == "application/pdf" else {"schema": {"type": "string"}})
        assert response.content


@pytest.mark.parametrize(("path", "found"), GETS, ids=[path for path, _ in GETS])
def test_every_get_answers_as_shown(shown, path, found):
    if is_sheet(found):
        return
    response = shown.get(with_parameters(path, found))
    (example,) = found["responses"]["200"]["content"]["application/json"]["examples"].values()
    assert response.json() == example["value"]
    check_schema(found["responses"]["200"], response.json())


def is_sheet(found):
    """Return whether an operation is answered with a document for people."""
    return found["tags"] == ["Sheets"]


def with_parameters(path, found):
    """Return a path with the values that the document shows for its parameters."""
    for parameter in found["parameters"]:
        path = path.replace(f"{{{parameter['name']}}}", parameter.get("example", ""))
    return path


def test_the_examples_show_every_outcome():
    answers = DOCUMENT["paths"]["/v1/rulings"]["post"]["responses"]["200"]["content"]["application/json"]["examples"]
    outcomes = {answer["value"]["ruling"]["outcome"] for answer in answers.values()}
    assert outcomes == {"settled", "refused", "unfinished"}


def check_schema(content, value):
    """Check that a value fits the schema that a request or response documents."""
    schema = content["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**schema, "components": DOCUMENT["components"]})
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
    assert not errors
