"""Mail sent by its own queue through RQ itself, over the mailer that the settings choose."""

from pathlib import Path

import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer
from sqlalchemy import select

from app.adapters.mail_files import MailFiles
from app.adapters.mail_smtp import SmtpMailer
from app.adapters.queue_rq import RqQueue
from app.container import Container
from app.domain.ports import QueueName
from app.domain.sending import Email
from app.models import Mail
from app.services.mail import outbox
from app.settings import Settings
from app.tasks import runtime
from tests.conftest import Api
from tests.mail_server import Clerk, mail_server
from tests.tasks.test_worker import HereWorker

LETTER = Email("jo@example.com", "Hello", "Hello Jo\n")


@pytest.fixture
def worker(container: Container, redis_url: str) -> HereWorker:
    connection = Redis.from_url(redis_url)
    connection.flushdb()
    container.queue = RqQueue(redis_url)
    runtime.use(container)
    queue = Queue(QueueName.MAIL, connection=connection, serializer=JSONSerializer)
    return HereWorker([queue], connection=connection, serializer=JSONSerializer)


def post(api: Api, container: Container) -> None:
    with container.database.unit_of_work() as session:
        outbox.post(session, api.account_id, LETTER, container.clock())


def the_mail(container: Container) -> Mail:
    with container.database.read_session() as session:
        return session.scalars(select(Mail)).one()


def test_a_wake_up_for_mail_is_answered_by_its_worker(api: Api, container: Container, worker: HereWorker) -> None:
    post(api, container)
    assert container.queue.count_waiting(QueueName.MAIL) == 1
    worker.work(burst=True)
    sent = the_mail(container)
    assert sent.sent_at is not None
    (path,) = (container.settings.data_dir / "mail").iterdir()
    assert path.name == f"20261120T120000Z-{sent.id}.eml"
    assert LETTER.text.strip().encode() in path.read_bytes()


def test_a_mail_that_a_server_puts_off_goes_out_at_the_next_ring(
    api: Api, container: Container, worker: HereWorker, clock
) -> None:
    clerk = Clerk(rcpt=["451 later"])
    with mail_server(clerk) as port:
        container.settings = container.settings.model_copy(
            update={"mail_url": Settings(mail_url=f"smtp://127.0.0.1:{port}").mail_url}
        )
        post(api, container)
        worker.work(burst=True)
        assert (the_mail(container).sent_at, the_mail(container).error) == (None, "451 later")
        clock.pass_(minutes=1)
        container.sweep.notify_due_mail()
        worker.work(burst=True)
    assert the_mail(container).sent_at == clock()
    assert len(clerk.got) == 1


def test_the_settings_choose_the_way(settings: Settings, tmp_path: Path) -> None:
    assert isinstance(Container(settings).mailer, MailFiles)
    url = Settings(mail_url="smtps://jo:secret@mail.example.com").mail_url
    assert isinstance(Container(settings.model_copy(update={"mail_url": url})).mailer, SmtpMailer)
