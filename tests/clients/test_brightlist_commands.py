"""The small commands of `brightlist`: signing in, jobs, downloads, exit codes."""

import json
import tomllib
from pathlib import Path

import click
import pytest
from brightlist import errors
from brightlist.cli import main
from brightlist.cli.commands import EXIT_CODES, exit_code
from brightlist.cli.surroundings import complete_url, count

from tests.architecture.source import ROOT
from tests.clients.conftest import URL, InProcess, Shell, cut
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo


@pytest.fixture
def _signed_out(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRIGHTLIST_URL")
    monkeypatch.delenv("BRIGHTLIST_API_KEY")


@pytest.mark.usefixtures("_signed_out")
def test_a_key_is_kept_where_only_its_owner_reads_it(shell: Shell, api: Api) -> None:
    assert shell.run("jobs").exit_code == 4
    done = shell.run("login", typed=f"{URL}/\n{api.secret}\n")
    assert done.exit_code == 0, done.output
    assert "Signed in as Jo Agent." in done.stdout
    assert api.secret not in done.output
    kept = shell.around.credentials_file
    assert kept.stat().st_mode & 0o777 == 0o600
    assert json.loads(kept.read_text()) == {"url": URL, "key": api.secret}
    assert shell.run("jobs").exit_code == 0


def test_a_url_may_be_said_without_its_scheme() -> None:
    said = ["brightlist.example", "localhost:8000", "127.0.0.1", "http://10.0.0.1"]
    assert [complete_url(each) for each in said] == [
        "https://brightlist.example",
        "http://localhost:8000",
        "http://127.0.0.1",
        "http://10.0.0.1",
    ]


@pytest.mark.usefixtures("_signed_out")
@pytest.mark.parametrize(
    ("key", "code", "told"), [("whsec_123", 1, "begin with ims_"), ("ims_live_wrong", 4, "Unauthorized")]
)
def test_a_key_that_is_none_is_not_kept(shell: Shell, key: str, code: int, told: str) -> None:
    refused = shell.run("login", "--url", URL, typed=f"{key}\n")
    assert (refused.exit_code, shell.around.credentials_file.exists()) == (code, False)
    assert told in refused.stderr


def test_variables_win_over_what_is_kept(shell: Shell, other_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.run("login", typed=f"{other_api.secret}\n")
    job = other_api.order([PHOTO])["jobId"]
    assert job not in shell.run("jobs").stdout
    monkeypatch.delenv("BRIGHTLIST_API_KEY")
    assert job in shell.run("jobs").stdout


def test_jobs_are_found_by_what_is_known_of_them(shell: Shell, api: Api, container) -> None:
    first = api.order([PHOTO], externalId="L-1", metadata={"agent": "Dana"})["jobId"]
    work(container)
    container.clock.pass_(seconds=1)
    second = api.order([PHOTO])["jobId"]
    whole = shell.run("jobs").stdout.splitlines()
    assert [line.split()[:3] for line in whole] == [[second, "pending", "0.5"], [first, "approved", "0.5"]]
    for words in (("--external-id", "L-1"), ("--metadata", "agent=Dana"), ("--status", "approved")):
        found = json.loads(shell.run("jobs", *words, "--json").stdout)
        assert [each["jobId"] for each in found] == [first]
    assert json.loads(shell.run("jobs", "--limit", "1", "--json").stdout)[0] == api.get("/jobs").json["jobs"][0]
    assert shell.run("jobs", "--address", "none 1").stdout == ""


def test_a_job_says_which_photo_failed_and_why(shell: Shell, api: Api, container) -> None:
    job = api.order([PHOTO, photo("BROKEN")])["jobId"]
    work(container)
    said = shell.run("job", job).stdout
    assert "0.5 refunded" in said
    assert "rejected: The photo cannot be decoded." in said
    assert json.loads(shell.run("job", job, "--json").stdout) == api.get(f"/jobs/{job}").json


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1 credit"), (0, "0 credits"), (0.5, "0.5 credits"), (2, "2 credits")]
)
def test_one_credit_is_one(number: float, said: str) -> None:
    assert count(number, "credit") == said


def test_a_job_is_cancelled(shell: Shell, api: Api) -> None:
    job = api.order([PHOTO])["jobId"]
    assert shell.run("cancel", job).stdout == "cancelled; 0.5 credits refunded.\n"
    assert json.loads(shell.run("cancel", job, "--json").stdout)["creditsRefunded"] == 0.5


def test_pictures_are_saved_and_those_without_one_are_named(
    shell: Shell, api: Api, container, tmp_path: Path
) -> None:
    job = api.order([photo("one"), photo("BROKEN")])["jobId"]
    early = shell.run("download", job, "--output", "out")
    assert early.exit_code == 6
    work(container)
    done = shell.run("download", job, "--output", "out")
    assert done.exit_code == 0
    assert "in out: 1." in done.stdout
    assert "rejected: The photo cannot be decoded." in done.stdout
    [file] = (tmp_path / "out").iterdir()
    assert file.read_bytes() == photo("one")


def test_a_failure_is_a_line_for_people_and_json_for_programs(shell: Shell, wire: InProcess) -> None:
    said = shell.run("job", "job_none")
    assert (said.exit_code, said.stdout) == (3, "")
    assert said.stderr.startswith("Error: Not found: ")
    told = shell.run("job", "job_none", "--json")
    assert json.loads(told.stderr)["code"] == "not_found"
    wire.faults = [cut] * 9
    away = shell.run("jobs", "--json")
    assert (away.exit_code, json.loads(away.stderr)) == (
        7,
        {"error": "NoAnswer", "message": "localhost cannot be reached, or broke off."},
    )


def test_every_error_has_an_exit_code_that_the_help_explains(shell: Shell) -> None:
    said = shell.run("--help").stdout
    assert all(f"\n    {code}  " in said for code in {0, 1, 2, 6, *EXIT_CODES.values()})
    assert exit_code(errors.refusal(429, {})) == 7
    assert exit_code(errors.refusal(418, {})) == 3


def test_the_package_installs_the_command() -> None:
    project = tomllib.loads((ROOT / "clients" / "python" / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"brightlist": "brightlist.cli:main"}
    assert isinstance(main, click.Group)
