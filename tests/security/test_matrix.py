"""Who may see what: every route, with ids of others, for everybody who must not see what these name.

The routes are those of the application. A new one with a new kind of argument fails until tests/security/things.py
has such a thing. To whom a thing does not belong, nothing tells whether it is there: not the answer, byte for byte,
and not the number of statements, which stands for the time.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from app.adapters.payments_demo import DemoPayments
from app.api.v1.operations import OPERATIONS
from app.container import Container
from app.domain.actors import Scope
from app.domain.ids import RANDOM_LENGTH, random_base62
from app.services import audit
from app.services.accounts import accounts
from app.services.security import api_keys
from app.settings import Settings
from tests import databases
from tests.architecture.test_entry_points import PUBLIC
from tests.conftest import PHOTO, Api, order_body
from tests.fakes import FakeClock, FakeEngine, FakeListingPictureMaker, FakePreviewMaker, FakeQueue
from tests.portal.conftest import NewPerson
from tests.portal.credits import buying
from tests.portal.person import Person
from tests.security.matrix import (
    BY_LINK,
    IN_FORMS,
    IN_QUERIES,
    NOISE,
    STAFF_TOO,
    Case,
    Matrix,
    Watch,
    arguments,
    browsing,
    calling,
    cases,
    for_staff,
    methods,
    of_the_portal,
    unknown_ids,
)
from tests.security.things import Things, fill
from tests.statements import counted


@pytest.fixture(scope="module")
def database_url(migrated: str | Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """One database for all: to fill it takes longer than most of what is asked, and nothing asked may change it."""
    if isinstance(migrated, Path):
        return databases.copy_of(migrated, tmp_path_factory.mktemp("matrix"))
    databases.empty(migrated)
    return migrated


@pytest.fixture(scope="module")
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="module")
def container(database_url: str, clock: FakeClock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    """The running parts over that database. In the end money and files must agree."""
    folder = tmp_path_factory.mktemp("matrix")
    urls = {"database_url": database_url, "base_url": "http://localhost"}
    container = Container(Settings(data_dir=folder, secret_key="s" * 32, **urls), clock)
    container.queue, container.engine, container.previews = FakeQueue(), FakeEngine(), FakePreviewMaker()
    container.listing_pictures = FakeListingPictureMaker()
    container.payments = DemoPayments(folder / "demo-payments", "s" * 32)
    yield container
    with container.database.read_session() as session:
        assert list(audit.find_mismatches(session, container.storage)) == []
    container.database.engine.dispose()


@pytest.fixture(scope="module")
def filled() -> list[Things]:
    """What the first test that wants the world makes for all."""
    return []


@pytest.fixture
def world(
    filled: list[Things], container: Container, new_person: NewPerson, clock: FakeClock
) -> tuple[Things, Things]:
    """Two accounts that have everything."""
    if not filled:
        filled += [fill(name, new_person, container, clock) for name in ("canary", "magpie")]
    theirs, mine = filled
    return theirs, mine


def test_every_route_is_public_or_has_a_row(app: Flask, world: tuple[Things, Things]) -> None:
    theirs, _ = world
    assert {rule.endpoint for rule in app.url_map.iter_rules()} >= BY_LINK | IN_QUERIES.keys() | IN_FORMS.keys()
    for rule in app.url_map.iter_rules():
        for name in arguments(rule):
            assert theirs.id_for(rule.endpoint, name), f"{rule.endpoint}: no thing for <{name}>"
        assert rule.endpoint not in PUBLIC or rule.endpoint in BY_LINK or not arguments(rule)


def test_a_row_that_changes_is_seen_once(container: Container, clock: FakeClock) -> None:
    with closing(Watch(container)) as database:
        assert not database.changed()
        with container.database.unit_of_work() as session:
            accounts.create(session, "heron@example.com", clock())
        assert database.changed()
        assert not database.changed()


def test_another_customer_learns_nothing(
    app: Flask, world: tuple[Things, Things], container: Container, subtests: pytest.Subtests
) -> None:
    theirs, mine = world
    matrix = Matrix(container, theirs, subtests)
    pages = cases(app, theirs, mine, lambda rule: of_the_portal(rule) and not for_staff(app, rule))
    matrix.hold((case for case in pages if not case.query and not case.form), browsing(mine.person), {404})
    assert matrix.asked > 80


def test_another_customer_learns_nothing_by_ids_in_queries_and_forms(
    app: Flask, world: tuple[Things, Things], container: Container, subtests: pytest.Subtests
) -> None:
    theirs, mine = world
    matrix = Matrix(container, theirs, subtests)
    pages = cases(app, theirs, mine, of_the_portal)
    matrix.hold((case for case in pages if case.query or case.form), browsing(mine.person), {200, 404, 422})
    named = [names for endpoint, names in IN_QUERIES.items() if not endpoint.startswith("api_v1.")]
    assert matrix.asked == sum(map(len, [*named, *IN_FORMS.values()]))


def test_nobody_buys_for_the_draft_of_another(world: tuple[Things, Things], container: Container) -> None:
    theirs, mine = world
    answers = []
    for draft_id in (theirs.ids["draft_id"], unknown_ids(theirs)[theirs.ids["draft_id"]]):
        before = {each.id for each in buying.purchases_of(container)}
        said: list[str] = []
        _counting(said, lambda given=draft_id: mine.person.post("/credits/purchases", draft=given, pack="50"))
        (made,) = (each for each in buying.purchases_of(container) if each.id not in before)
        answers.append((made.draft_id, made.state, len(said)))
    assert answers[0] == answers[1]
    assert answers[0][0] is None


def test_pages_of_staff_do_not_exist_for_customers(
    app: Flask, world: tuple[Things, Things], container: Container, subtests: pytest.Subtests
) -> None:
    theirs, mine = world
    matrix = Matrix(container, theirs, subtests)
    matrix.hold(cases(app, theirs, None, lambda rule: for_staff(app, rule)), browsing(mine.person), {404})
    assert matrix.asked > 20
    for rule in app.url_map.iter_rules():
        if for_staff(app, rule) and not arguments(rule):
            for method in methods(rule):
                assert browsing(mine.person)(Case(rule, method, {}, {}, {}, ())).status_int == 404, rule


def test_staff_see_no_page_that_is_its_owners_alone(
    app: Flask, world: tuple[Things, Things], container: Container, reviewer: Person, subtests: pytest.Subtests
) -> None:
    theirs, _ = world
    matrix = Matrix(container, theirs, subtests)
    reviewer.begin_signed_in()

    def closed(rule: Rule) -> bool:
        return of_the_portal(rule) and not for_staff(app, rule) and rule.endpoint not in STAFF_TOO

    pages = cases(app, theirs, None, closed)
    matrix.hold((case for case in pages if not case.query and not case.form), browsing(reviewer), {404})
    assert matrix.asked > 50


def test_who_is_not_signed_in_is_led_to_sign_in_whatever_there_is(
    app: Flask, world: tuple[Things, Things], container: Container, stranger: Person, subtests: pytest.Subtests
) -> None:
    theirs, _ = world
    matrix = Matrix(container, theirs, subtests)
    matrix.hold(cases(app, theirs, None, of_the_portal), browsing(stranger), {303, 401})
    assert matrix.asked > 100


def test_keys_of_others_of_the_wrong_scope_and_revoked_ones_learn_nothing(
    app: Flask, world: tuple[Things, Things], container: Container, clock: FakeClock, subtests: pytest.Subtests
) -> None:
    theirs, mine = world
    matrix = Matrix(container, theirs, subtests)
    client = app.test_client()

    def held(secret: str, whose: Things) -> Api:
        return Api(client, whose.person.account_id, secret)

    with container.database.unit_of_work() as session:
        key, revoked = api_keys.create(session, theirs.person.account_id, clock())
        api_keys.revoke(session, theirs.person.account_id, key.id, clock())
    for secret in (mine.api.secret, *theirs.keys.values()):
        held(secret, mine).get("/user/credits")  # the first use of a key is noted
    for rule in app.url_map.iter_rules():
        operation = OPERATIONS.get(rule.endpoint.rpartition(".")[2])
        if operation is None or operation.scope is None:
            continue
        wrong = next(scope for scope in Scope if scope is not operation.scope)
        every = [*cases(app, theirs, None, lambda each, rule=rule: each is rule)]
        filtered = [each for each in every if each.query and operation.list_query and not each.path]
        matrix.hold((each for each in every if each not in filtered), calling(mine.api, {}), {404})
        matrix.hold(iter(filtered), calling(mine.api, {}), {200})
        matrix.hold(iter(every), calling(held(theirs.keys[wrong], theirs), {}), {403})
        matrix.hold(iter(every), calling(held(revoked, theirs), {}), {401})
        matrix.hold(iter(every), calling(held("ims_live_nobodys", theirs), {}), {401})
        plain = Case(rule, operation.method, dict.fromkeys(rule.arguments, "x"), {}, {}, ())
        assert calling(held(theirs.keys[wrong], theirs), {})(plain).status_code == 403, rule
        assert calling(held(revoked, theirs), {})(plain).status_code == 401, rule
    assert matrix.asked >= 4 * 27


@pytest.mark.parametrize("kind", ["upload_session_id", "file_path"])
def test_nobody_orders_from_the_uploads_of_another(
    world: tuple[Things, Things], subtests: pytest.Subtests, kind: str
) -> None:
    theirs, mine = world
    body = {**order_body(), **mine.api.upload([PHOTO])}
    used = "uploadSessionId" if kind == "upload_session_id" else "interiorFiles"
    answers = []
    for given in (theirs.ids[kind], _unknown(theirs.ids[kind])):
        body[used] = given if used == "uploadSessionId" else [{"filePath": given}]
        said: list[str] = []
        answer = _counting(said, lambda: mine.api.post("/orders/from-uploads", body))
        answers.append((answer.status_code, NOISE.sub(b"", answer.data.replace(given.encode(), b"ID")), len(said)))
    assert answers[0] == answers[1]
    assert answers[0][0] == 400
    assert not [word for word in theirs.words if word.encode() in answers[0][1]]


def _counting(said: list[str], act: Callable[[], Any]) -> Any:
    found: list[Any] = []
    counted(lambda: found.append(act()), said)
    return found[0]


def _unknown(text: str) -> str:
    return re.sub(r"ups_\w{22}", lambda _: f"ups_{random_base62(RANDOM_LENGTH)}", text)


@pytest.mark.parametrize("path", ["/sign-up/confirm/", "/reset/", "/new-address/", "/uploads/", "/files/"])
def test_a_link_that_was_never_made_is_told_in_one_way(app: Flask, path: str) -> None:
    method = "PUT" if path == "/uploads/" else "GET"
    told = set()
    for secret in ("x", "x" * 43, random_base62(43)):
        answer = app.test_client().open(path + secret, method=method)
        assert answer.status_code in (403, 410)
        told.add(NOISE.sub(b"", answer.data.replace(f"{path}{secret}".encode(), b"")))
    assert len(told) == 1
