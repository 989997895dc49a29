"""Behind proxies the client counts as the trusted ones saw it; what others write into the headers is ignored."""

import pytest
from flask import Flask, request

from app.application import create_app
from app.container import Container
from app.settings import Settings, SettingsError, load_settings
from app.web.rate_limits import client_address
from tests.fakes import FakeQueue

CLIENT, FORGED, PROXY, BALANCER = "198.51.100.7", "203.0.113.9", "10.0.0.2", "10.0.0.3"


def seen(settings: Settings, peer: str, **headers: str) -> tuple[str, str, str]:
    """Address, scheme and host as the application sees them."""
    app = create_app(container=Container(settings))
    names = {"for_": "X-Forwarded-For", "proto": "X-Forwarded-Proto", "host": "X-Forwarded-Host"}
    given = {names[name]: value for name, value in headers.items()}
    with app.test_request_context("/", headers=given, environ_base={"REMOTE_ADDR": peer}):
        return request.remote_addr or "", request.scheme, request.host


def behind(settings: Settings, trusted: str) -> Settings:
    return Settings(**{**dict(settings), "trusted_proxies": trusted})


def test_without_trusted_proxies_no_header_is_believed(settings: Settings) -> None:
    assert seen(settings, CLIENT, for_=FORGED, proto="https", host="evil.example") == (CLIENT, "http", "localhost")


@pytest.mark.parametrize(
    ("count", "given", "client"),
    [
        ("1", CLIENT, CLIENT),
        ("1", f"{FORGED}, {CLIENT}", CLIENT),
        ("2", f"{CLIENT}, {BALANCER}", CLIENT),
        ("2", f"{FORGED}, {CLIENT}, {BALANCER}", CLIENT),
        ("1", f"{CLIENT}:5123", CLIENT),
        ("1", "[2001:db8::1]:80", "2001:db8::1"),
        ("1", "2001:db8::1", "2001:db8::1"),
        # Fewer proxies than there should be, or no address at all: the peer is all that is known.
        ("2", FORGED, PROXY),
        ("1", "", PROXY),
        ("1", "unknown", PROXY),
    ],
)
def test_with_a_count_the_nth_address_from_the_right_is_the_client(
    settings: Settings, count: str, given: str, client: str
) -> None:
    assert seen(behind(settings, count), PROXY, for_=given)[0] == client


@pytest.mark.parametrize(
    ("peer", "given", "client"),
    [
        (PROXY, CLIENT, CLIENT),
        (PROXY, f"{FORGED}, {CLIENT}", CLIENT),
        (PROXY, f"{FORGED}, {CLIENT}, {BALANCER}", CLIENT),
        (PROXY, f"{FORGED}, unknown, {BALANCER}", PROXY),
        ("::ffff:10.0.0.2", CLIENT, CLIENT),
        (CLIENT, FORGED, CLIENT),
        (CLIENT, f"{FORGED}, {PROXY}", CLIENT),
        # All of them are ours: the outermost is as far as one can see.
        (PROXY, BALANCER, BALANCER),
    ],
)
def test_with_networks_the_first_address_outside_them_is_the_client(
    settings: Settings, peer: str, given: str, client: str
) -> None:
    assert seen(behind(settings, "10.0.0.0/8, ::1"), peer, for_=given)[0] == client


def test_scheme_and_host_are_what_the_trusted_proxy_said(settings: Settings) -> None:
    trusted = behind(settings, "10.0.0.0/8")
    told = {"for_": CLIENT, "proto": "https", "host": "brightlist.example"}
    assert seen(trusted, PROXY, **told) == (CLIENT, "https", "brightlist.example")
    assert seen(trusted, FORGED, **told) == (FORGED, "http", "localhost")
    forged = {"proto": "gopher", "host": "evil.example/path"}
    assert seen(trusted, PROXY, for_=CLIENT, **forged) == (CLIENT, "http", "localhost")
    assert seen(behind(settings, "1"), PROXY, for_=CLIENT, proto="http, https")[1] == "https"


def test_addresses_on_pages_are_those_of_the_place_where_each_request_came_in(app: Flask) -> None:
    for place in ("", "/homes", "", "/office"):
        with app.test_request_context("/", environ_overrides={"SCRIPT_NAME": place}):
            assert app.url_for("orders.index") == f"{place}/orders"


def test_customers_behind_one_proxy_have_quotas_of_their_own(settings: Settings) -> None:
    app = create_app(container=Container(behind(settings, "1")))

    def caller(client: str) -> str:
        given = {"X-Forwarded-For": client}
        with app.test_request_context("/", headers=given, environ_base={"REMOTE_ADDR": PROXY}):
            return client_address()

    assert caller(CLIENT) != caller(FORGED)


@pytest.mark.parametrize(
    "text", ["0", "11", "-1", "everybody", "10.0.0.1/8", "0.0.0.0/0", "::/0", "10.0.0.0/8,", "1.5"]
)
def test_nonsense_is_refused_at_start_by_name(text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({"TRUSTED_PROXIES": text})
    assert str(refused.value).startswith("TRUSTED_PROXIES: ")


@pytest.mark.parametrize(("url", "strict"), [("https://brightlist.example", True), ("http://localhost", False)])
def test_browsers_are_held_to_https_where_that_is_the_address(settings: Settings, url: str, strict: bool) -> None:
    here = Container(Settings(**{**dict(settings), "base_url": url}))
    here.queue = FakeQueue()
    app: Flask = create_app(container=here)
    answer = app.test_client().get("/healthz")
    assert ("Strict-Transport-Security" in answer.headers) == strict
