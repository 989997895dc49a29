"""A test begins with whom it names, as they are once they have been made, and with nobody else."""

from app.container import Container
from app.services.accounts import accounts
from tests.beginnings import USUAL, Known, make
from tests.conftest import Api


def count(container: Container) -> int:
    with container.database.read_session() as session:
        return accounts.count(session)


def test_nobody_is_there_whom_no_test_names(container: Container) -> None:
    assert count(container) == 0


def test_those_who_are_named_have_what_they_begin_with(container: Container, api: Api, pat: Known, app) -> None:
    assert count(container) == 2
    assert api.credits() == 100
    assert pat.person(app).open("/account/name").forms["name-form"]["name"].value == "Jo Agent"


def test_what_one_test_changes_the_next_does_not_find(container: Container, jo: Known) -> None:
    with container.database.unit_of_work() as session:
        accounts.find(session, jo.email).user.name = "Somebody else"
    assert count(container) == 1


def test_whom_the_test_before_changed_is_as_they_were(container: Container, jo: Known, app) -> None:
    with container.database.read_session() as session:
        assert accounts.find(session, jo.email).user.name == "Jo Agent"
    assert make(app, container, USUAL["kim"]).account_id != jo.account_id
