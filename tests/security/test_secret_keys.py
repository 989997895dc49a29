"""Secret keys in turn: what older ones signed and sealed stays good, and a command seals it anew."""

import re
from decimal import Decimal

import pytest
from click.testing import Result
from sqlalchemy import select, update

from app.adapters.payments_demo import DemoPayments
from app.adapters.signed_urls import FILES, Permission, SignedUrls
from app.adapters.vault import FernetVault
from app.application import create_app
from app.container import Container
from app.database import Base
from app.domain.errors import LinkForged
from app.domain.payments import CheckoutRequest, InvalidSignatureError, PurchaseState
from app.domain.sending import DecryptionError
from app.models import CallbackSecret, Webhook
from app.secret_key import secret_key, secret_keys
from app.services.security import kept_forms, stored_secrets
from app.services.security.kept_forms import TypedForm
from app.services.webhooks import webhooks
from app.settings import Settings, child_environment, load_settings
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, FakeQueue
from tests.portal.person import Person
from tests.portal.security.test_security import Phone, first_step, second_step
from tests.services.hooks import FakeTransport, register
from tests.test_settings import faults

OLD, NEW = "s" * 32, "n" * 32


def with_keys(container: Container, keys: str) -> Container:
    """The same service, started anew with these keys."""
    settings = container.settings.model_copy(update={"secret_key": None})
    settings = Settings(**{**settings.model_dump(), "secret_keys": keys})
    made = Container(settings, container.clock)
    made.queue, made.database = FakeQueue(), container.database
    return made


def test_all_keys_are_in_force_the_newest_first(tmp_path) -> None:
    both = load_settings({"SECRET_KEYS": f"{NEW}, {'m' * 16}", "SECRET_KEY": OLD, "DATA_DIR": str(tmp_path)})
    assert secret_keys(both) == (NEW, "m" * 16, OLD)
    assert secret_key(both) == NEW
    assert secret_keys(load_settings({"SECRET_KEYS": f"{NEW},{OLD}", "SECRET_KEY": OLD})) == (NEW, OLD)
    assert NEW not in repr(both)
    assert secret_keys(load_settings(child_environment(both, NEW))) == secret_keys(both)
    assert load_settings({"SECRET_KEYS": NEW, "DATABASE_URL": "postgresql://db/x"}).secret_key is None
    assert not [*tmp_path.iterdir()], "a kept key is made only where none is given"


@pytest.mark.parametrize("keys", ["short", f"{NEW},short", f"{NEW},", ","])
def test_a_key_that_is_too_short_is_refused_and_not_repeated(keys: str) -> None:
    [line] = faults(SECRET_KEYS=keys)
    assert line.startswith("SECRET_KEYS: one of them is too short")
    assert NEW not in line


def test_sessions_forms_and_links_outlive_a_new_key_and_not_the_loss_of_theirs(
    container: Container, person: Person
) -> None:
    link = container.urls.make(FILES, Permission("key", "a.jpg"), 60).rpartition("/")[2]
    form = person.open("/account/name").forms["name-form"]
    for keys, good in ((f"{NEW},{OLD}", True), (NEW, False)):
        later = with_keys(container, keys)
        browser = Person(create_app(container=later))
        browser.web.set_cookie("brightlist", person.web.cookies["brightlist"].strip('"'))
        fields = {"csrf_token": form["csrf_token"].value, "name": "Later"}
        answer = browser.web.post("/account/name", fields, expect_errors=True)
        assert (answer.status_int == 303) is good
        assert (browser.open("/orders").request.path == "/orders") is good
        if good:
            assert later.urls.read(FILES, link) == Permission("key", "a.jpg")
            assert container.urls != later.urls
    with pytest.raises(LinkForged):
        later.urls.read(FILES, link)


def test_the_newest_key_signs(clock: FakeClock) -> None:
    token = SignedUrls("", [NEW, OLD], clock).make(FILES, Permission("a", "b"), 60).rpartition("/")[2]
    assert SignedUrls("", [NEW], clock).read(FILES, token)
    with pytest.raises(LinkForged):
        SignedUrls("", [OLD], clock).read(FILES, token)


def test_messages_of_demo_payments_hold_under_older_keys(tmp_path) -> None:
    where = {"paid_url": "http://localhost/a", "back_url": "http://localhost/b"}
    what = {"credits": Decimal(1), "price_cents": 100, "currency": "usd", "email": "a@example.com"}
    basket = CheckoutRequest(purchase_id=f"pur_{'a' * 22}", account_id="acc_1", **what, **where)
    before = DemoPayments(tmp_path, OLD)
    message = before.act(before.begin(basket).session_id, PurchaseState.PAID)
    assert DemoPayments(tmp_path, NEW, OLD).read(*message).payment.purchase_id == basket.purchase_id
    with pytest.raises(InvalidSignatureError):
        DemoPayments(tmp_path, NEW).read(*message)


def test_the_newest_key_seals_and_all_open() -> None:
    both, sealed = FernetVault(NEW, OLD), FernetVault(OLD).seal("a secret")
    assert both.open(sealed) == "a secret"
    fresh = both.renew(sealed)
    assert FernetVault(NEW).open(fresh) == "a secret"
    assert both.renew(fresh) is None
    for act in (FernetVault(NEW).open, FernetVault(NEW).renew):
        with pytest.raises(DecryptionError):
            act(sealed)


def sealed_columns(container: Container) -> set[str]:
    """Every column of every table in which something sealed stands."""
    found = set()
    with container.database.read_session() as session:
        for table in Base.metadata.sorted_tables:
            for row in session.execute(select(table)).mappings():
                found |= {f"{table.name}.{name}" for name, value in row.items() if str(value).startswith("gAAAA")}
    return found


def reencrypt(container: Container) -> Result:
    return create_app(container=container).test_cli_runner().invoke(args=["secrets", "reencrypt"])


@pytest.mark.long
def test_stored_secrets_are_encrypted_anew_and_the_old_key_can_go(
    api: Api, container: Container, person: Person, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_secrets, "BATCH", 2)
    container.transport = FakeTransport()
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    link = api.post(f"/jobs/{job_id}/shares", {}).json
    phone = Phone(person, clock)
    with container.database.unit_of_work() as session:
        form = TypedForm(person.account_id, "/x", [("a", "b")], clock())
        kept_forms.keep(session, container.vault, person.user_id, form)
    hooks = dict(register(container, api.account_id, "job.created") for _ in range(5))
    with container.database.unit_of_work() as session:
        webhooks.rotate(session, container.vault, api.account_id, next(iter(hooks)), clock())
    callback_secrets = [api.post("/callbacks/secret", {}).json["secret"] for _ in range(2)]
    body = {"url": "https://agency.example/hooks"}
    first = api.post("/webhooks", body, headers={"Idempotency-Key": "once"}).json
    assert sealed_columns(container) == {str(place.expression) for place in stored_secrets.SEALED_COLUMNS}
    told = reencrypt(with_keys(container, f"{NEW},{OLD}"))
    assert (told.exit_code, told.output) == (0, "13 stored secrets were encrypted anew\n")
    assert reencrypt(with_keys(container, f"{NEW},{OLD}")).output == "0 stored secrets were encrypted anew\n"
    later = with_keys(container, NEW)
    with container.database.read_session() as session:
        rows = {row.id: row for row in webhooks.get_all(session, api.account_id)}
        mine = session.get_one(CallbackSecret, api.account_id)
    assert [later.vault.open(each) for each in (mine.secret, mine.next_secret)] == callback_secrets
    assert {name: later.vault.open(rows[name].secret) for name in hooks} == hooks
    restarted = create_app(container=later)
    again = Api(restarted.test_client(), api.account_id, api.secret)
    assert again.post("/webhooks", body, headers={"Idempotency-Key": "once"}).json["secret"] == first["secret"]
    (shared,) = again.get(f"/jobs/{job_id}/shares").json["shares"]
    assert shared["url"] == link["url"]
    browser = Person(restarted, person.email)
    page = second_step(browser, first_step(browser), phone.code())
    assert (page.request.path, page.html.select_one("dd.typed").text) == ("/typed", "b")


def test_what_no_key_opens_is_named_and_what_changed_meanwhile_is_left(api: Api, container: Container) -> None:
    lost, _ = register(container, api.account_id, "job.created")
    kept, _ = register(container, api.account_id, "job.created")
    later = with_keys(container, f"{NEW},{OLD}")
    with container.database.unit_of_work() as session:
        session.get_one(Webhook, lost).secret = FernetVault("x" * 32).seal("whsec_x")
    told = reencrypt(later)
    assert told.exit_code == 1
    assert re.search(rf"no key opens these:\nWebhook.secret of {lost}\n$", told.output)
    assert "1 stored secrets" in told.output

    class Slow(FernetVault):
        """Somebody else is quicker."""

        def renew(self, sealed: str) -> str | None:
            session.execute(update(Webhook).where(Webhook.id == kept).values(secret="theirs"))
            return super().renew(sealed)

    with container.database.unit_of_work() as session:
        session.execute(update(Webhook).where(Webhook.id == lost).values(secret=FernetVault(OLD).seal("a")))
        session.execute(update(Webhook).where(Webhook.id == kept).values(secret=FernetVault(OLD).seal("b")))
        stored_secrets.renew(session, Slow(NEW, OLD), Webhook.secret, None)
    with container.database.read_session() as session:
        assert session.get_one(Webhook, kept).secret == "theirs"
