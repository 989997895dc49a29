"""The operator's webhook commands, each on a real database."""

import pytest
from click.testing import Result
from flask import Flask

from app.container import Container
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock
from tests.services.hooks import FakeTransport, all_deliveries, answered, deliver_all, register, sweep, webhook


@pytest.fixture
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    return container.transport


@pytest.fixture
def hook(api: Api, container: Container, transport: FakeTransport) -> str:
    return register(container, api.account_id, "job.created")[0]


def run(app: Flask, *words: str, **options: object) -> Result:
    return app.test_cli_runner().invoke(args=["webhooks", *words], **options)


def test_list_log_and_show_tell_what_happened(
    app: Flask, api: Api, container: Container, transport: FakeTransport, hook: str
) -> None:
    transport.results = [answered(500, body=b"no \xff")]
    api.order(interior=[PHOTO])
    deliver_all(container)
    [delivery] = all_deliveries(container)
    assert hook in run(app, "list", "jo@example.com").output
    assert "0 of 1 attempts succeeded; 1 waiting" in run(app, "list", "jo@example.com").output
    log = run(app, "log", hook, "--state", "waiting", "--event", "job.created", "--since", "2026-01-01")
    assert delivery.id in log.output
    assert delivery.id not in run(app, "log", hook, "--state", "failed").output
    shown = run(app, "show", delivery.id).output
    assert '"event":"job.created"' in shown
    assert "rejected" in shown
    assert "500" in shown


def test_redelivering_counts_first_and_asks(
    app: Flask, api: Api, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.results = [answered(500)]
    for _ in range(2):
        api.order(interior=[PHOTO])
    deliver_all(container)
    for _ in range(5):
        clock.pass_(hours=2)
        for _ in range(2):
            sweep(container)
    transport.results = [answered(200)]
    refused = run(app, "redeliver-failed", hook, "--since", "2026-01-01", input="n\n")
    assert "2 deliveries failed" in refused.output
    assert deliver_all(container) == 0
    [first, second] = all_deliveries(container)
    assert run(app, "redeliver", first.id).exit_code == 0
    assert run(app, "redeliver", first.id).exit_code == 1
    deliver_all(container)
    assert "1 are on their way" in run(app, "redeliver-failed", hook, "--since", "2026-01-01", "--yes").output
    deliver_all(container)
    assert [each.state for each in all_deliveries(container)] == ["succeeded", "succeeded"]
    assert second.id != first.id


def test_off_on_test_edit_and_rotate(
    app: Flask, api: Api, container: Container, transport: FakeTransport, hook: str
) -> None:
    assert run(app, "off", hook).exit_code == 0
    api.order(interior=[PHOTO])
    assert run(app, "test", hook).exit_code == 1
    assert "1 held deliveries" in run(app, "on", hook, "--release").output
    assert run(app, "test", hook).output.startswith("dlv_")
    deliver_all(container)
    assert len(transport.sent) == 2
    assert run(app, "edit", hook, "--url", "https://private.example/").exit_code == 1
    assert run(app, "edit", hook, "--url", "https://new.example/", "--event", "job.failed").exit_code == 0
    assert (webhook(container, hook).url, webhook(container, hook).events) == (
        "https://new.example/",
        ["job.failed"],
    )
    assert run(app, "rotate", hook, "--switch").exit_code == 1
    secret = run(app, "rotate", hook).output.strip()
    assert run(app, "rotate", hook, "--switch").exit_code == 0
    assert container.vault.open(webhook(container, hook).secret) == secret


@pytest.mark.parametrize("words", [("log", "whk_x"), ("show", "dlv_x"), ("off", "whk_x"), ("redeliver", "dlv_x")])
def test_what_is_not_there_is_said_in_one_line(
    app: Flask, transport: FakeTransport, words: tuple[str, ...]
) -> None:
    refused = run(app, *words)
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert "There is no" in refused.output
