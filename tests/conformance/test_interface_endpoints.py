"""Sections "Endpoints" and "Versioning": what there is under /api/v1, and how anything else is answered."""

import pytest

from tests.conftest import Api

UNKNOWN = "job_0000000000000000000000"
ENDPOINTS = [
    ("POST", "/orders/upload-urls", 400),
    ("POST", "/orders/from-uploads", 400),
    ("POST", "/orders", 400),
    ("POST", "/orders/quote", 400),
    ("GET", f"/jobs/{UNKNOWN}/status", 404),
    ("GET", f"/downloads/{UNKNOWN}", 404),
    ("GET", "/user/credits", 200),
]


@pytest.mark.parametrize(("method", "path", "status"), ENDPOINTS)
def test_every_endpoint_stands_under_the_version_prefix(api: Api, method: str, path: str, status: int) -> None:
    answer = api.call(method, path)
    assert (answer.status_code, answer.json.get("error") != "Not Found") == (status, True)
    # Some of these paths are pages of the portal, which take no such request.
    assert api.client.open(path, method=method).status_code in (404, 405)
    assert api.client.open(f"/api/v2{path}", method=method).status_code == 404


def test_an_unknown_path_is_a_404_in_json(api: Api, subtests: pytest.Subtests) -> None:
    for path in ("", "/", "/nothing", "/orders/", "/downloads", "/user/credits/", "//user/credits", "/\x00"):
        with subtests.test(path=path):
            answer = api.get(path)
            assert (answer.status_code, answer.json["code"]) == (404, "not_found")
            assert answer.json["requestId"] == answer.headers["X-Request-Id"]


@pytest.mark.parametrize(("method", "path", "_"), ENDPOINTS)
def test_a_method_that_is_not_there_is_a_405_in_json_naming_those_that_are(
    api: Api, method: str, path: str, _: int
) -> None:
    for wrong in {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"} - {method}:
        answer = api.call(wrong, path)
        assert (answer.status_code, answer.json["code"]) == (405, "method_not_allowed")
        assert method in answer.headers["Allow"]


def test_a_fault_of_ours_is_a_500_in_json_without_a_trace(api: Api, container, contract, monkeypatch) -> None:
    def broken() -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(container.database, "read_session", broken)
    answer = api.get("/user/credits")
    assert (answer.status_code, answer.json["code"]) == (500, "internal_error")
    assert set(answer.json) == {"error", "code", "message", "docUrl", "requestId"}
    assert "secret" not in answer.text
    contract.faults.clear()


def test_a_request_id_of_the_clients_own_comes_back(api: Api) -> None:
    answer = api.get("/nothing", headers={"X-Request-Id": "my-request-0001"})
    assert answer.headers["X-Request-Id"] == answer.json["requestId"] == "my-request-0001"


@pytest.mark.parametrize("given", ["short", "x" * 65, "a b c d e f", "<script>alert(1)</script>", "caf\xe9-latte"])
def test_a_malformed_request_id_is_replaced(api: Api, given: str) -> None:
    answer = api.get("/user/credits", headers={"X-Request-Id": given})
    assert answer.headers["X-Request-Id"] != given
    assert answer.headers["X-Request-Id"].startswith("req_")


def test_head_is_answered_like_get_without_the_body(api: Api) -> None:
    answer = api.call("HEAD", "/user/credits")
    assert (answer.status_code, answer.data) == (200, b"")


def test_parameters_nobody_asked_for_change_nothing(api: Api) -> None:
    assert api.get("/user/credits?x=1&x=%00&%ff=%fe").json == api.get("/user/credits").json
