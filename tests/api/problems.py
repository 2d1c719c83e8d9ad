"""What every problem has to be."""

from api.problems import PROBLEM_TYPES


def check(response, status, slug):
    """Check that a response is this problem, whole and consistent, and return it."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    kind = next(kind for kind in PROBLEM_TYPES if kind.slug == slug)
    assert problem["type"] == f"/problems/{slug}"
    assert problem["title"] == kind.title
    assert problem["status"] == status == kind.status
    assert problem["detail"]
    assert problem["request_id"] == response.headers["x-request-id"]
    assert set(problem) == {"type", "title", "status", "detail", "errors", "request_id"}
    return problem
