"""The operator's commands about API keys."""

import pytest
from flask import Flask

from app.container import Container
from app.services.security import api_keys
from tests.conftest import PHOTO, Api


@pytest.fixture
def run(app: Flask):
    return lambda *words: app.test_cli_runner().invoke(args=["keys", *words])


def test_keys_are_listed_newest_first_all_of_them(run, api: Api, container: Container) -> None:
    with container.database.unit_of_work() as session:
        for number in range(30):
            key, _ = api_keys.create(session, api.account_id, container.clock(), name=f"Number {number}")
    lines = run("list", "jo@example.com").output.splitlines()
    assert len(lines) == 31
    (line,) = [line for line in lines if line.startswith(key.id)]
    assert f"active    {key.visible_prefix}…{key.visible_suffix}" in line
    assert line.endswith("last used never  0 spent this month  Number 29")
    assert api.secret not in "".join(lines)


def test_a_key_is_revoked_by_its_id_at_once(run, api: Api) -> None:
    assert api.credits() == 100
    key_id = run("list", "jo@example.com").output.split()[0]
    for _ in range(2):
        assert run("revoke", key_id).output == f"{key_id} is revoked\n"
    assert api.get("/user/credits").status_code == 401
    assert "revoked" in run("list", "jo@example.com").output


@pytest.mark.parametrize("words", [("list", "nobody@example.com"), ("revoke", "key_nobody"), ("revoke", "x\ny")])
def test_what_is_not_there_is_said_in_one_line(run, api: Api, words: tuple[str, str]) -> None:
    refused = run(*words)
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: ")
    assert refused.output.count("\n") == 1


def test_a_test_key_is_of_the_sandbox_and_listed_after_the_others(run, api: Api) -> None:
    secret = run("create", "jo@example.com", "--test", "--name", "Trial").output.strip()
    assert secret.startswith("ims_test_")
    assert [line.rpartition("  ")[2] for line in run("list", "jo@example.com").output.splitlines()][-1] == "Trial"
    tried = Api(api.client, api.account_id, secret)
    assert tried.credits() == 1000
    key_id = run("list", "jo@example.com").output.splitlines()[-1].split()[0]
    assert run("revoke", key_id).exit_code == 0
    assert tried.get("/user/credits").status_code == 401


def test_a_key_is_made_with_a_budget_and_the_list_says_what_is_spent_of_it(run, api: Api) -> None:
    secret = run("create", "jo@example.com", "--budget", "12.5", "--name", "Agent").output.strip()
    agent = Api(api.client, api.account_id, secret)
    agent.order(interior=[PHOTO])
    assert agent.get("/user/credits").json["budget"]["left"] == 12
    assert "0.5 of 12.5 spent this month  Agent" in run("list", "jo@example.com").output
    refused = run("create", "jo@example.com", "--budget", "lots")
    assert refused.exit_code == 2
    assert "The budget must be a number of credits from 0 to 1000000" in refused.output
