"""Each change of the code is one, at its line, and the same for the same seed."""

import ast
from pathlib import Path

import pytest

from bench import mutations
from bench.mutations import Mutation, sample

CODE = """\
LIMIT = 3


def pay(amount, spent):
    if amount > 0 and not spent:
        log(amount)
    return amount * 2
"""
CHANGES = {
    (5, "amount > 0", "amount >= 0"),
    (5, "amount > 0 and not spent", "amount > 0 or not spent"),
    (5, "amount > 0 and not spent", "not (amount > 0 and (not spent))"),
    (5, "not spent", "spent"),
    (5, "0", "1"),
    (6, "log(amount)", "pass"),
    (7, "return amount * 2", "return None"),
    (7, "amount * 2", "amount / 2"),
    (7, "2", "3"),
}


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A folder with one file of code, and a step of the tables, which is history."""
    (tmp_path / "app/migrations/versions").mkdir(parents=True)
    (tmp_path / "app/migrations/versions/0001.py").write_text(CODE)
    (tmp_path / "app/paying.py").write_text(CODE)
    return tmp_path / "app"


def changed_lines(mutation: Mutation) -> list[int]:
    pairs = zip(CODE.splitlines(), mutation.text.splitlines(), strict=True)
    return [number for number, (was, now) in enumerate(pairs, 1) if was != now]


def test_every_change_of_a_function_is_found_and_changes_its_line_alone(app: Path) -> None:
    found = mutations.mutations(app / "paying.py", app.parent)
    assert {(each.line, each.was, each.now) for each in found} == CHANGES
    for each in found:
        ast.parse(each.text)
        assert changed_lines(each) == [each.line]


def test_the_same_seed_gives_the_same_changes_of_different_lines_outside_history(app: Path) -> None:
    first = sample(3, 7, app)
    assert first == sample(3, 7, app)
    assert {each.file for each in first} == {"app/paying.py"}
    assert len({each.line for each in first}) == 3


def test_a_change_is_told_by_the_test_that_notices_it_and_taken_back(app: Path) -> None:
    project = app.parent
    (project / "test_paying.py").write_text("from app.paying import pay\ndef test_twice(): assert pay(0, 1) == 0\n")
    changes = {each.now: each for each in mutations.mutations(app / "paying.py", project)}
    assert mutations.notice(changes["return None"], project, ["test_paying.py"]) == "test_paying.py::test_twice"
    assert mutations.notice(changes["amount / 2"], project, ["test_paying.py"]) == ""
    assert (app / "paying.py").read_text() == CODE
