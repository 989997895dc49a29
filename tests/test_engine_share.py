"""The engine's tests run whole until all have passed with things as they are, then a tenth of them a day."""

import json
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import engine_share
from tests.engine_share import FOLDER, RECORD, ROOT, SHARES, EngineShare, digest, has_passed, is_due, share_of

MONDAY = date(2026, 11, 30)


def item_of(nodeid: str) -> Any:
    """A test of that name."""
    return SimpleNamespace(nodeid=nodeid, path=ROOT / nodeid.partition("::")[0])


def config_of(**given: Any) -> Any:
    """The configuration of a run of everything, if nothing else is given."""
    options = {"keyword": "", "markexpr": "", "deselect": None, "lane": "all"}
    args = given.pop("args", ["tests"])
    option = SimpleNamespace(**{**options, **given})
    return SimpleNamespace(option=option, args=args, getoption=lambda name: getattr(option, name.strip("-")))


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record that says that all passed with things as they are."""
    path = tmp_path / "complete_run.json"
    path.write_text(json.dumps({"digest": digest()}))
    monkeypatch.setattr(engine_share, "RECORD", path)
    return path


def test_in_ten_days_every_test_of_the_engine_has_run_once_and_all_others_every_day() -> None:
    tests = [item_of(f"tests/engine/test_skies.py::test_a_sky[{number}]") for number in range(50)]
    days = [share_of(MONDAY + timedelta(days=number)) for number in range(SHARES)]
    assert [sum(is_due(test, day) for day in days) for test in tests] == [1] * len(tests)
    assert 1 < sum(is_due(test, days[0]) for test in tests) < 15
    assert all(is_due(item_of("tests/services/test_plans.py::test_x"), day) for day in days)


def test_a_share_is_chosen_only_where_everything_runs_and_nothing_has_changed(record: Path) -> None:
    assert EngineShare(config_of()).share in range(SHARES)
    assert EngineShare(config_of(lane="quick")).share in range(SHARES)
    assert EngineShare(config_of(args=["tests/engine"])).share is None
    assert EngineShare(config_of(lane="servers")).share is None
    record.write_text(json.dumps({"digest": "another"}))
    assert EngineShare(config_of()).share is None
    record.unlink()
    assert EngineShare(config_of()).share is None


def test_the_processes_of_a_run_take_the_share_of_the_first() -> None:
    node = SimpleNamespace(workerinput={})
    first = EngineShare(config_of(args=["tests/engine"]))
    first.share = 7
    first.pytest_configure_node(node)
    worker = config_of()
    worker.workerinput = node.workerinput
    assert EngineShare(worker).share == 7


@pytest.mark.parametrize(
    ("given", "others", "status", "kept"),
    [
        ({"args": ["tests/engine"]}, 0, pytest.ExitCode.OK, True),
        ({}, 0, pytest.ExitCode.TESTS_FAILED, True),
        ({"args": ["tests/engine"]}, 1, pytest.ExitCode.OK, False),
        ({"args": ["tests/engine"]}, 0, pytest.ExitCode.INTERRUPTED, False),
        ({"args": ["tests/engine/test_skies.py"]}, 0, pytest.ExitCode.OK, False),
        ({"args": ["tests/engine"], "keyword": "sky"}, 0, pytest.ExitCode.OK, False),
        ({"args": ["tests"], "lane": "quick"}, 0, pytest.ExitCode.OK, False),
    ],
)
def test_only_a_whole_run_in_which_all_passed_is_kept(
    record: Path, given: Any, others: int, status: pytest.ExitCode, kept: bool
) -> None:
    record.unlink()
    run = EngineShare(config_of(**given))
    run.others, run.passed = others, 12
    run.pytest_sessionfinish(status)
    assert record.exists() == kept
    if kept:
        assert json.loads(record.read_text())["passed"] == 12
        assert has_passed()


@pytest.mark.parametrize(("file", "kept"), [("tests/engine/test_skies.py", False), ("tests/test_docs.py", True)])
def test_a_file_of_the_engine_that_cannot_be_collected_keeps_a_run_from_being_whole(
    record: Path, file: str, kept: bool
) -> None:
    record.unlink()
    run = EngineShare(config_of())
    run.passed = 12
    run.pytest_collectreport(pytest.CollectReport(file, "failed", longrepr=None, result=[]))
    run.pytest_sessionfinish(pytest.ExitCode.TESTS_FAILED)
    assert record.exists() == kept


@pytest.mark.parametrize(
    "name",
    [
        "tests/engine/test_skies.py",
        "tests/scenes.py",
        "tests/edit_server.py",
        "bench/quality/removal.py",
        "app/adapters/generative_http.py",
        "app/portal/style_pictures.py",
        "static/img/favicon.svg",
    ],
)
def test_a_change_of_what_the_tests_look_at_is_a_change_of_the_digest(name: str, monkeypatch: Any) -> None:
    before, read = digest(), Path.read_bytes
    changed = ROOT / name
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + (b"\n" if path == changed else b""))
    assert digest() != before


def test_another_version_of_the_engine_is_another_digest() -> None:
    assert digest("0.1.0+00000000") != digest("0.1.0+00000001")


def test_the_record_that_is_committed_is_one() -> None:
    kept = json.loads(RECORD.read_text())
    assert RECORD.parent == FOLDER
    assert len(kept["digest"]) == 64
    assert kept["passed"] > 0
    date.fromisoformat(kept["day"])
