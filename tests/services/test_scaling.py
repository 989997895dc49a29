"""The statements by which workers are scaled, read from where operators take them: how long the oldest waited."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from sqlalchemy import text, update

from app.container import Container
from app.domain.ports import QueueName
from app.domain.webhooks import WebhookRequest
from app.models import Mail, Webhook
from app.services.webhooks import webhooks
from tests import databases
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.services.hooks import URL

SCALING = "deploy/kubernetes/scaling.yaml"
ROOT = Path(__file__).parents[2]
SCALED = [each for each in yaml.safe_load_all((ROOT / SCALING).read_text()) if each["kind"] == "ScaledObject"]
STATEMENTS = {
    **dict(re.findall(r"```sql\n-- (\S+)\n(.*?)```", (ROOT / "docs" / "operation.md").read_text(), re.DOTALL)),
    **{
        each["metadata"]["name"].removeprefix("brightlist-"): each["spec"]["triggers"][0]["metadata"]["query"]
        for each in SCALED
    },
}
SINCE = 90
pytestmark = pytest.mark.skipif(not databases.GIVEN, reason="KEDA asks PostgreSQL")


def waited(container: Container) -> dict[str, float]:
    """What each statement says."""
    with container.database.read_session() as session:
        return {name: float(session.execute(text(each)).scalar_one()) for name, each in STATEMENTS.items()}


def test_every_queue_has_its_statement_and_waits_for_nothing_at_first(container: Container) -> None:
    assert waited(container) == dict.fromkeys(QueueName, 0)


def test_each_tells_how_long_its_oldest_row_has_waited(api: Api, container: Container, clock: FakeClock) -> None:
    clock.now = datetime.now(UTC) - timedelta(seconds=SINCE)
    with container.database.unit_of_work() as session:
        webhooks.create(session, container.vault, api.account_id, WebhookRequest(url=URL), clock.now)
    api.order(interior=[PHOTO])
    found = waited(container)
    assert all(SINCE <= found[each] < 10 * SINCE for each in (QueueName.PHOTOS, QueueName.HOOKS_FAST)), found
    assert found[QueueName.HOOKS_SLOW] == found[QueueName.ROOMS] == 0
    with container.database.unit_of_work() as session:
        until = datetime.now(UTC) + timedelta(hours=1)
        session.execute(update(Webhook).values(slow_until=until))
    found = waited(container)
    assert found[QueueName.HOOKS_FAST] == 0
    assert found[QueueName.HOOKS_SLOW] >= SINCE
    work(container)
    found = waited(container)
    assert found[QueueName.PHOTOS] == 0
    assert found[QueueName.PREVIEWS] >= SINCE
    with container.database.unit_of_work() as session:
        session.execute(update(Mail).values(state="done"))
    assert waited(container)[QueueName.MAIL] == 0
