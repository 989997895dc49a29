"""Webhooks over the API: what is registered, listed, deleted, and refused."""

from collections.abc import Callable

import pytest

from app.adapters.webhook_http import HttpTransport
from app.container import Container
from app.domain.events import OPT_IN, EventName
from app.web import address_vetting
from tests.conftest import Api
from tests.services.hooks import FakeTransport

URL = "https://agency.example/hooks"
EVERY_EVENT = [each.value for each in EventName if each not in OPT_IN]


@pytest.fixture(autouse=True)
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    return container.transport


def test_a_webhook_is_registered_with_its_secret_shown_once(api: Api) -> None:
    made = api.post("/webhooks", {"url": URL, "events": ["job.approved", "job.failed"]})
    assert made.status_code == 201
    assert set(made.json) == {"livemode", "id", "url", "events", "active", "secret", "createdAt"}
    assert made.json["events"] == ["job.approved", "job.failed"]
    assert made.json["active"] is True
    listed = api.get("/webhooks").json
    told_once = ("livemode", "secret")
    kept = {name: value for name, value in made.json.items() if name not in told_once}
    assert listed == {"livemode": True, "webhooks": [kept]}


@pytest.mark.parametrize("body", [{"url": URL}, {"url": URL, "events": []}, {"url": URL, "events": None}])
def test_without_events_it_hears_of_all(api: Api, body: dict) -> None:
    assert api.post("/webhooks", body).json["events"] == EVERY_EVENT


def test_deleting_names_what_went_and_happens_once(api: Api) -> None:
    hook = api.post("/webhooks", {"url": URL}).json["id"]
    gone = api.call("DELETE", f"/webhooks?id={hook}")
    assert (gone.status_code, gone.json) == (200, {"livemode": True, "success": True, "id": hook})
    assert api.get("/webhooks").json == {"livemode": True, "webhooks": []}
    assert api.call("DELETE", f"/webhooks?id={hook}").status_code == 404


@pytest.mark.parametrize("query", ["", "?id=", "?ID=whk_x"])
def test_deleting_without_a_name_is_a_fault(api: Api, query: str) -> None:
    refused = api.call("DELETE", f"/webhooks{query}")
    assert (refused.status_code, list(refused.json["details"])) == (400, ["id"])


@pytest.mark.parametrize("name", ["whk_" + "0" * 22, "x", "whk_%00", "job_" + "0" * 22, "é" * 3000])
def test_deleting_what_is_not_there_is_not_found(api: Api, name: str) -> None:
    assert api.call("DELETE", "/webhooks", query_string={"id": name}).status_code == 404


def test_nobody_deletes_anothers(api: Api, other_api: Api) -> None:
    hook = api.post("/webhooks", {"url": URL}).json["id"]
    assert other_api.call("DELETE", f"/webhooks?id={hook}").status_code == 404
    assert len(api.get("/webhooks").json["webhooks"]) == 1
    assert other_api.get("/webhooks").json == {"livemode": True, "webhooks": []}


FAULTY = [
    ({}, "url"),
    ({"url": None}, "url"),
    ({"url": 7}, "url"),
    ({"url": ""}, "url"),
    ({"url": f"https://agency.example/{'x' * 5000}"}, "url"),
    ({"url": URL + "\n"[:0] + "\x00"}, "url"),
    ({"url": "https://private.example/"}, "url"),
    ({"url": URL, "events": "job.created"}, "events"),
    ({"url": URL, "events": ["job.exploded"]}, "events[0]"),
    ({"url": URL, "events": ["job.created", "job.approved", "job.created"]}, "events[2]"),
    ({"url": URL, "events": [["job.created"]]}, "events[0]"),
    ({"url": URL, "events": [None]}, "events[0]"),
    ({"url": URL, "events": ["job.created"] * 10_000}, "events"),
    ({"url": URL, "event": ["job.created"]}, "event"),
    ({"url": URL, "secret": "mine"}, "secret"),
]


def test_a_faulty_registration_is_refused_and_names_the_field(api: Api, subtests: pytest.Subtests) -> None:
    for body, field in FAULTY:
        with subtests.test(body=body, field=field):
            refused = api.post("/webhooks", body)
            assert (refused.status_code, refused.json["code"]) == (400, "invalid_request")
            assert field in refused.json["details"]
            assert api.get("/webhooks").json == {"livemode": True, "webhooks": []}


def test_the_twenty_first_is_refused_until_one_is_deleted(api: Api) -> None:
    hooks = [api.post("/webhooks", {"url": URL}).json["id"] for _ in range(20)]
    refused = api.post("/webhooks", {"url": URL})
    assert (refused.status_code, refused.json["code"]) == (409, "conflict")
    assert "20" in refused.json["message"]
    api.call("DELETE", f"/webhooks?id={hooks[3]}")
    assert api.post("/webhooks", {"url": URL}).status_code == 201


HOSTILE = [
    "http://agency.example/",
    "ftp://agency.example/",
    "//agency.example/",
    "agency.example",
    "https://",
    "https:///path",
    "https://user:secret@agency.example/",
    "https://user@agency.example/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://017700000001/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[fe80::1%25eth0]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://10.0.0.1/",
    "https://localhost/",
    "https://localhost./",
    "https://①②⑦.⓪.⓪.①/",
    "https://1.1.1.1:22/",
    "https://1.1.1.1:6379/",
    "https://1.1.1.1:0/",
    "https://1.1.1.1:99999/",
    "https://1.1.1.1:x/",
    "https://no-such-host.invalid/",
    "javascript:alert(1)",
    "https://exa mple.com/",
]


def test_an_address_that_is_not_allowed_is_refused_by_the_real_transport(
    api: Api, container: Container, subtests: pytest.Subtests
) -> None:
    container.transport = HttpTransport(1.0, allow_private=False, own_netloc="localhost", user_agent="test")
    for url in HOSTILE:
        with subtests.test(url=url):
            refused = api.post("/webhooks", {"url": url})
            assert (refused.status_code, list(refused.json["details"])) == (400, ["url"])


def test_loopback_by_http_is_admitted_for_development_only(api: Api, container: Container) -> None:
    container.transport = HttpTransport(1.0, allow_private=True, own_netloc="localhost", user_agent="test")
    assert api.post("/webhooks", {"url": "http://127.0.0.1:3000/hooks"}).status_code == 201
    assert api.post("/webhooks", {"url": "http://10.0.0.1:3000/hooks"}).status_code == 400


class SlowNames(FakeTransport):
    """While the name of URL is looked up, others come."""

    others: Callable[[], None]

    def vet(self, url: str) -> None:
        if url == URL:
            self.others()


def test_one_account_waits_for_one_name_server_at_a_time_and_few_do_at_once(
    api: Api, other_api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def ask(asking: Api) -> None:
        answer = asking.post("/webhooks", {"url": "https://studio.example/hooks"})
        seen.append((answer.status_code, answer.headers.get("Retry-After")))

    def others() -> None:
        ask(api)
        ask(other_api)
        monkeypatch.setattr(address_vetting, "MAX_AT_ONCE", 1)
        ask(other_api)

    container.transport = SlowNames()
    container.transport.others = others
    assert api.post("/webhooks", {"url": URL}).status_code == 201
    assert seen == [(429, "3"), (201, None), (429, "3")]
    ask(api)
    assert seen[-1] == (201, None)
