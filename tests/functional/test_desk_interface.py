"""What the desk offers to scripts, asked with whatever its own OpenAPI document allows and with much that it does not: never an error of the server."""

import httpx
import pytest
import schemathesis
from desk_toys import HOME, copied, desk_at
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

MODES = {"allowed": GenerationMode.POSITIVE, "not allowed": GenerationMode.NEGATIVE}
PATHS = ("/api/search", "/api/property", "/api/notice")


@pytest.fixture(scope="module")
def desk(southampton, tmp_path_factory):
    with desk_at(copied(southampton, tmp_path_factory.mktemp("interface") / "southampton")) as client:
        yield client


@pytest.fixture(scope="module")
def interface(desk):
    return schemathesis.openapi.from_dict(desk.get("/api/openapi.json").json())


def test_every_page_for_scripts_is_tried_below(interface):
    assert {operation.ok().path for operation in interface.get_all_operations()} == set(PATHS)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", PATHS)
def test_nothing_asked_of_it_is_an_error_of_the_server(desk, interface, path, mode):
    answers = set()

    @given(case=interface[path]["GET"].as_strategy(generation_mode=MODES[mode]))
    @settings(
        derandomize=True,
        database=None,
        max_examples=50,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
    def ask(case) -> None:
        asked = case.as_transport_kwargs(base_url=HOME)
        try:
            answer = desk.request(asked["method"], asked["url"], params=asked.get("params"))
        except httpx.InvalidURL:  # longer than the client sends
            return
        assert answer.status_code < 500, (asked, answer.text)
        assert answer.headers["content-type"] == "application/json"
        answers.add(answer.status_code)

    ask()
    assert answers, "something was asked"
