"""The operator's commands."""

import re

import pytest
from click import ClickException
from click.testing import Result
from flask import Flask

from app import migrations
from app.cli import process_commands
from app.container import Container
from tests.conftest import PHOTO, Api, work


@pytest.fixture
def run(app: Flask):
    return lambda *words: app.test_cli_runner().invoke(args=[*words])


def test_an_account_with_credits_and_a_key_is_made_by_command(run, app: Flask) -> None:
    made: Result = run("accounts", "create", "New@Example.com", "--name", "New", "--credits", "2.5", "--staff")
    assert made.exit_code == 0, made.output
    key = run("keys", "create", "new@example.com")
    assert re.fullmatch(r"ims_live_\w{38}\n", key.stdout)
    answer = app.test_client().get(
        "/api/v1/user/credits", headers={"Authorization": f"Bearer {key.stdout.strip()}"}
    )
    assert answer.json == {"livemode": True, "credits": 2.5, "profile": {"name": "New", "email": "new@example.com"}}


def test_a_key_can_be_made_for_some_scopes_only(run, app: Flask) -> None:
    run("accounts", "create", "a@example.com")
    key = run("keys", "create", "a@example.com", "--scope", "jobs:read").stdout.strip()
    answer = app.test_client().get("/api/v1/user/credits", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 403


def test_credits_are_granted_and_taken_with_a_reason(run, api: Api) -> None:
    assert "has 105.5 credits" in run("credits", "grant", "jo@example.com", "5.5", "--reason", "Sorry").output
    assert run("credits", "grant", "--reason", "Back", "jo@example.com", "--", "-5.5").exit_code == 0
    assert api.credits() == 100


@pytest.mark.parametrize("amount", ["x", "NaN", "Infinity", "0.001", ""])
def test_what_is_no_amount_is_refused(run, api: Api, amount: str) -> None:
    assert run("credits", "grant", "jo@example.com", amount, "--reason", "x").exit_code == 2
    assert api.credits() == 100


def test_refusals_are_one_line_and_exit_1(run, api: Api) -> None:
    for words in (
        ("keys", "create", "nobody@example.com"),
        ("accounts", "create", "jo@example.com"),
        ("accounts", "create", "no address"),
        ("credits", "grant", "jo@example.com", "--reason", "x", "--", "-101"),
        ("jobs", "show", "job_nobody"),
    ):
        refused = run(*words)
        assert refused.exit_code == 1, words
        assert refused.output.startswith("Error: ")
        assert refused.output.count("\n") == 1


def test_a_job_is_shown_with_its_photos(run, api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO])
    assert "waiting, 0 tries, no result" in run("jobs", "show", order["jobId"]).output
    work(container)
    assert "done, 1 tries, approved" in run("jobs", "show", order["jobId"]).output


def test_the_check_is_clean_or_exits_1(run, api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO])
    work(container)
    assert run("check").exit_code == 0
    folder = container.settings.data_dir / "storage" / "results" / order["jobId"]
    (file,) = folder.iterdir()
    file.rename(file.with_suffix(".away"))
    checked = run("check")
    assert checked.exit_code == 1
    assert "is missing" in checked.output
    file.with_suffix(".away").rename(file)


def test_a_sweep_by_hand_does_what_the_sweeper_does(run, api: Api, container: Container) -> None:
    container.queue.away = True
    api.order(interior=[PHOTO])
    container.queue.away = False
    assert run("sweep").exit_code == 0
    assert len(container.queue.notified) == 1


def test_tables_of_another_version_end_commands_in_words(
    run, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "list_revisions", lambda: ["9999_later"])
    for words in (("check",), ("accounts", "create", "new@example.com")):
        told = run(*words)
        assert told.exit_code == 1
        assert "Nothing was changed." in told.stderr
        assert "Traceback" not in told.output
    with pytest.raises(ClickException, match="another version"):
        process_commands.bring_up_to_date(container.database)
