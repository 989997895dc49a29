"""Rules in files: one with a fault keeps the service from starting, and is named with its line."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.domain.disclosure.rule_files import FOLDER, RuleFileError, load_rules
from tests.architecture.source import ROOT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the rules, to be spoilt."""
    return Path(shutil.copytree(FOLDER, tmp_path / "rules"))


def spoil(folder: Path, old: str, new: str, name: str = "crmls") -> tuple[str, int]:
    """Write something else into a file; its path, and the line."""
    file = folder / f"{name}.yaml"
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))
    return str(file), text[: text.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("version: 1", "version: one", "version: Input should be a valid integer"),
        (
            "  declutter: {treatment: required}",
            "  declutter: {treatment: asked}",
            "effects.declutter.treatment: Input",
        ),
        ("original: before_or_after", "originals: before_or_after", "originals: Extra inputs are not permitted"),
        ("picture: allowed", "picture: allowed\n  picture: required", "picture: given twice"),
        ("kind: mls", "kind: [mls", "expected ',' or ']'"),
        ("id: crmls", "id: crlms", "id: the file of this rule is crlms.yaml"),
        (
            "    url: https://kb.crmls.org/?p=10900",
            "    url: kb.crmls.org",
            "sources.0.url: Input should be a valid",
        ),
    ],
)
def test_a_fault_is_told_with_file_and_line(folder: Path, old: str, new: str, said: str) -> None:
    path, line = spoil(folder, old, new)
    with pytest.raises(RuleFileError) as refused:
        load_rules(folder)
    places = [told.split(": ", 1) for told in str(refused.value).splitlines()]
    assert [place for place, text in places if text.startswith(said)] in (
        [f"{path}:{line}"],
        [f"{path}:{line + 1}"],
    )


def test_an_enhancement_of_which_nothing_is_said_is_a_fault(folder: Path) -> None:
    spoil(folder, "  declutter: {treatment: required}\n", "")
    with pytest.raises(RuleFileError, match=r"crmls\.yaml:1: says nothing of declutter"):
        load_rules(folder)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("california", "primary: true", "primary: false", "a text that was read needs its primary source"),
        ("australia", "hdr_enhancement: {treatment: exempt}", "hdr_enhancement: {treatment: required}", "no lab"),
        ("wisconsin", "virtually_renovated: Digitally altered, ", "", "no words for virtually_renovated"),
        (
            "wisconsin",
            "regions: [WI]",
            "bill: Before a committee.",
            "a bill is not in force on any day",
        ),
        (
            "wisconsin",
            "virtual_renovation: {treatment: required}",
            "virtual_renovation: {treatment: barred}",
            "bar",
        ),
    ],
)
def test_what_a_rule_lacks_to_be_told_is_a_fault(folder: Path, name: str, old: str, new: str, said: str) -> None:
    spoil(folder, old, new, name)
    with pytest.raises(RuleFileError, match=said):
        load_rules(folder)


def test_all_faults_of_all_files_are_told_at_once(folder: Path) -> None:
    spoil(folder, "version: 1", "version: 0")
    spoil(folder, "version: 1", "version: x", "bright")
    (folder / "canopy.yaml").write_bytes(b"\xff")
    with pytest.raises(RuleFileError) as refused:
        load_rules(folder)
    files = [Path(line.split(":")[0]).stem for line in str(refused.value).splitlines()]
    assert files == ["bright", "canopy", "crmls"]


def test_there_is_always_a_rule_for_every_other_place(folder: Path) -> None:
    (folder / "elsewhere.yaml").unlink()
    with pytest.raises(RuleFileError, match="the rule for every other place is missing"):
        load_rules(folder)


STARTS = {
    "a web process": "import wsgi",
    "a timer": "from app.cli.process_commands import processes; processes(['sweeper'])",
}


@pytest.mark.long
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS.keys())
def test_no_process_starts_with_a_fault_and_says_where_it_is(folder: Path, tmp_path: Path, start: str) -> None:
    path, line = spoil(folder, "version: 1", "version: one")
    program = (
        "from pathlib import Path; import app.domain.disclosure.rule_files as files; "
        f"files.FOLDER = Path({str(folder)!r}); {start}"
    )
    environ = {"DATA_DIR": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1].startswith(f"{path}:{line}: version: ")
