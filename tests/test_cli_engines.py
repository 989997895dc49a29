"""Operators' commands about engines, with a second release of the real one that makes a picture of an order."""

import shutil
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask

from app.container import Container
from app.domain.catalog import ENTRIES
from app.domain.engines import EngineChannel, EngineDescription
from app.services import engine_releases
from app.services.accounts import organizations
from engine.messages import PROTOCOL
from engine.version import engine_version
from tests import releases, scenes
from tests.conftest import Api, work
from tests.sent_back import result_of

WEEK = "2026-11-27"


@pytest.fixture
def run(app: Flask):
    return lambda *words: app.test_cli_runner().invoke(args=["engines", *words])


def refused(done: Result) -> str:
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    return done.stderr


def test_a_release_is_added_named_stable_used_and_removed(
    run, app: Flask, api: Api, container: Container, tmp_path: Path
) -> None:
    python = releases.make_release(tmp_path, "0.13.0")
    added = run("add", python)
    version = added.stdout.strip()
    assert version.startswith("0.13.0+")
    assert run("list").stdout.splitlines() == [
        f"{engine_version():24}  latest, and stable: none is named",
        f"{version:24}  kept  {python}",
    ]
    named = run("stable", version, "--from", "2026-11-20")
    assert named.stdout == f"{version} is stable from Nov 20, 2026 on; 0 mails\n"
    assert run("list").stdout.splitlines()[1] == f"{version:24}  stable  {python}"
    del container.engine
    with container.database.unit_of_work() as session:
        organizations.choose_engine(session, api.account_id, EngineChannel.STABLE, container.clock())
    job_id = api.order(interior=[scenes.encoded(scenes.room())], interiorEnhancements=["hdr_enhancement"])["jobId"]
    work(container)
    made = result_of(container, job_id).picture
    assert (made.engine_version, made.has_declined) == (version, False)
    assert "is stable. Announce another one" in refused(run("remove", version))
    assert run("remove", version, "--although-stable").stdout == f"{version} is removed; 1 mail\n"
    assert run("list").stdout.count("\n") == 1


def test_an_announcement_is_listed_and_withdrawn(run, container: Container) -> None:
    with container.database.unit_of_work() as session:
        for version in ("0.13.0+0123abcd", "0.12.0+4567cdef"):
            about = EngineDescription(PROTOCOL, version, frozenset(ENTRIES), {})
            engine_releases.add(session, "/opt/python", about, container.clock())
    run("stable", "0.12.0+4567cdef", "--from", "2026-11-20")
    assert "The earliest day is 2026-12-04" in refused(run("stable", "0.13.0+0123abcd", "--from", WEEK))
    assert run("stable", "0.13.0+0123abcd", "--from", "2026-12-04").exit_code == 0
    assert "0.13.0+0123abcd           stable from Dec 4, 2026 on  /opt/python" in run("list").stdout
    assert run("withdraw").stdout == "The announcement is withdrawn; 0 mails\n"
    assert "No version is announced." in refused(run("withdraw"))


def test_what_runs_no_engine_is_refused_in_one_line(run, tmp_path: Path) -> None:
    program = releases.write(tmp_path / "python", "echo one; echo two >&2; echo lines >&2; exit 1")
    for path, why in (
        (program, "runs no engine"),
        ("/nowhere", "cannot be started"),
        (shutil.which("true"), "ended"),
    ):
        assert why in refused(run("add", path or ""))
    assert "no version" in refused(run("add", releases.write_child(tmp_path, "hello(version='x'); hear()")))
    assert "does not know" in refused(run("add", releases.write_child(tmp_path, "hello(enhancements=[]); hear()")))
    assert "cannot be started" in refused(run("add", "relative/python"))
    assert run("list").stdout.count("\n") == 1
