"""The operator's command for what reviewers decided."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask

from app.container import Container
from tests.conftest import Api
from tests.services.exports.test_feedback_export import agree, read, reviewed

Run = Callable[..., Result]


@pytest.fixture
def run(app: Flask) -> Run:
    return lambda *words: app.test_cli_runner().invoke(args=["verdicts", "export", *map(str, words)])


def test_a_table_is_written_for_its_owner_alone(run: Run, api: Api, container: Container, tmp_path: Path) -> None:
    agree(container, api)
    reviewed(api, container, reason="Colors are off.")
    file = tmp_path / "week.csv"
    assert run(file).output == f"1 verdicts, 0 of them with pictures: {file}\n"
    assert [row["reason"] for row in read(file.read_text())] == ["Colors are off."]
    assert file.stat().st_mode & 0o777 == 0o600


def test_an_archive_holds_the_pictures_of_those_who_agreed(
    run: Run, api: Api, other_api: Api, container: Container, tmp_path: Path
) -> None:
    agree(container, api)
    reviewed(api, container)
    reviewed(other_api, container)
    file = tmp_path / "week.zip"
    assert "2 verdicts, 1 of them with pictures" in run(file).output
    with zipfile.ZipFile(file) as packed:
        assert len(packed.namelist()) == 3


def test_outlines_are_written_to_an_archive_that_names_its_count(app: Flask, api: Api, tmp_path: Path) -> None:
    invoke = app.test_cli_runner().invoke
    file = tmp_path / "week.zip"
    assert invoke(args=["verdicts", "outlines", str(file)]).output == f"0 photos with hints: {file}\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert "ends in .zip" in invoke(args=["verdicts", "outlines", str(tmp_path / "week.csv")]).output


def test_verdicts_can_be_asked_for_since_a_day(run: Run, api: Api, container: Container, tmp_path: Path) -> None:
    reviewed(api, container)
    assert "1 verdicts" in run(tmp_path / "a.csv", "--since", "2026-11-20").output
    assert "0 verdicts" in run(tmp_path / "b.csv", "--since", "2026-11-21").output


def test_a_file_that_is_there_is_not_replaced(run: Run, api: Api, tmp_path: Path) -> None:
    file = tmp_path / "week.csv"
    file.write_text("kept")
    refused = run(file)
    assert refused.exit_code == 1
    assert refused.output == f"Error: {file} cannot be made: File exists.\n"
    assert file.read_text() == "kept"


def test_another_kind_of_file_or_a_folder_that_is_not_there_is_refused(run: Run, api: Api, tmp_path: Path) -> None:
    assert "ends in .csv or .zip" in run(tmp_path / "week.xlsx").output
    assert run(tmp_path / "nowhere" / "week.zip").exit_code == 1
    assert list(tmp_path.glob("week*")) == []


def test_a_file_that_could_not_be_finished_is_taken_away(
    run: Run, api: Api, container: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed(api, container)

    def away(key: str) -> None:
        raise OSError("the store is away")

    monkeypatch.setattr(container.storage, "open", away)
    assert run(tmp_path / "week.zip").exit_code == 1
    assert not (tmp_path / "week.zip").exists()
