"""The service as a process of its own, for schemathesis."""

import pytest

from tests.store.serving import serving


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("contract") / "replays.sqlite") as server:
        yield f"http://127.0.0.1:{server.port}"
